import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

/// Two programs that change the schema of a database at the same moment.
struct ConcurrentSchemaTests {
  private let folder = ScratchFolder()

  private func file(_ name: String, _ properties: [String], others: [String] = []) throws -> String {
    let path = folder.path(name)
    let classes = [
      DescribedClass(
        "Dog",
        [DescribedProperty("id", .int, primaryKey: true)] + properties.map { DescribedProperty($0, .string) })
    ]
    let more = others.map { DescribedClass($0, [DescribedProperty("id", .int, primaryKey: true)]) }
    _ = try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), schema: .classes(classes + more)))
    return path
  }

  /// Runs the tool twice at once.
  private static func runBoth(_ first: [String], _ second: [String]) -> [RealmProgram.Outcome] {
    let outcomes = Mutex<[RealmProgram.Outcome]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { number in
      do {
        let outcome = try RealmProgram.run(number == 0 ? first : second)
        outcomes.withLock { $0.append(outcome) }
      } catch {
        Issue.record(error)
      }
    }
    return outcomes.withLock { $0 }.sorted { $0.status < $1.status }
  }

  @Test func twoProgramsChangeASchemaOneAfterTheOther() throws {
    let server = try PostgresServer.shared()
    let small = try file("small.realm", ["owner"])
    let (first, second) = (
      try file("first.realm", ["owner", "name", "nick"], others: ["Cat"]),
      try file("second.realm", ["owner", "name", "chip"], others: ["Cat", "Toy"])
    )
    for _ in 0..<TestLength.count(5, long: 50) {
      let database = try server.makeDatabase()
      let url = server.connectionString(database: database)
      let initial = ["sync", "init", url, small, "--routing", "Dog.owner"]
      let made = Self.runBoth(initial, initial)
      #expect(made.map(\.status) == [0, 3])
      #expect(made.last?.error.contains("is prepared for sync already") == true)
      let added = Self.runBoth(["sync", "push-schema", url, first], ["sync", "push-schema", url, second])
      #expect(added.map(\.status) == [0, 0], "\(added)")
      #expect(
        try server.psql(
          "select string_agg(name, ' ' order by name) from realm.property where class = 'Dog'",
          database: database) == "chip id name nick owner")
      #expect(
        try server.psql("select string_agg(name, ' ' order by name) from realm.class", database: database)
          == "Cat Dog Toy")
      let policies = ["sync", "allow", url, "Dog", "--read", "true", "--write", "owner = current_user"]
      let allowed = Self.runBoth(policies, policies)
      #expect(allowed.map(\.status) == [0, 0], "\(allowed)")
    }
  }
}
