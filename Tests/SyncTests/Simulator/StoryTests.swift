import Sync
import TestSupport
import Testing

/// The rules of synchronisation, one by one: each story holds, and fails without its rule.
@Suite(.serialized) struct StoryTests {
  /// One database for all: a new one takes longer than a story.
  private static let database = Result {
    let server = try PostgresServer.shared()
    return (server: server, name: try server.makeDatabase())
  }

  private func stage(_ mutant: StoryMutant? = nil) throws -> Stage {
    let (server, name) = try Self.database.get()
    return try Stage(server, database: name, mutant)
  }

  @Test(arguments: Story.all.map(\.name)) func theStoryHolds(name: String) throws {
    try Story.all.first { $0.name == name }!.run(stage())
  }

  @Test(arguments: StoryMutant.all.map(\.rule)) func withoutItsRuleTheStoryFails(rule: String) throws {
    let mutant = StoryMutant.all.first { $0.rule == rule }!
    let stage = try stage(mutant)
    let error = #expect(throws: (any Error).self) { try mutant.story.run(stage) }
    // What fails must be the story, and not the text of the mutant.
    #expect(stage.isMutated)
    #expect((error as? PostgresError)?.sqlState?.hasPrefix("42") != true, "\(String(describing: error))")
  }

  @Test func eachStoryIsThereOnce() {
    #expect(Set(Story.all.map(\.name)).count == Story.all.count)
    #expect(Set(StoryMutant.all.map(\.rule)).count == StoryMutant.all.count)
  }
}
