import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// What the shared logger is told of realms. The logger is the process's, so each test has a process of its own.
@Suite struct ActivityTests {
  final class Town: Object {
    @Persisted var name = ""
    @Persisted var population = 0
  }

  private struct Message: Equatable {
    let level: LogLevel
    let text: String
  }

  /// Sets the shared logger and returns what it has heard whenever it is asked.
  private static func listen(_ level: LogLevel) -> () -> [Message] {
    let lock = NSLock()
    nonisolated(unsafe) var heard: [Message] = []
    Logger.shared = Logger(level: level) { level, text in
      lock.withLock { heard.append(Message(level: level, text: text)) }
    }
    return { lock.withLock { heard } }
  }

  private static func change(_ realm: Realm) throws {
    try realm.write {
      let town = realm.create(Town.self, value: ["name": "Kassel"])
      town.population = 200_000
      realm.create(Town.self, value: ["name": "Trier"])
    }
    try #require(realm.objects(Town.self).where { $0.population > 1000 }.count == 1)
    try realm.write { realm.delete(realm.objects(Town.self).first!) }
  }

  @Test func detailsAreOpeningSchemaAndCommits() async {
    await #expect(processExitsWith: .success) {
      let heard = Self.listen(.detail)
      try Self.change(ScratchRealm(opening: [Town.self]).realm)
      let messages = heard()
      try #require(messages.allSatisfy { $0.level == .detail && $0.text.hasPrefix("DB: ") })
      try #require(messages[0].text.contains("Changed the schema") && messages[0].text.contains("Town"))
      try #require(messages[1].text.contains("Opened '"))
      let versions = ["4", "5"]
      try #require(messages.dropFirst(2).map { String($0.text.suffix(1)) } == versions)
      try #require(messages.dropFirst(2).allSatisfy { $0.text.contains("Committed version") })
    }
  }

  @Test func debuggingAddsQueriesTransactionsAndNotifications() async {
    await #expect(processExitsWith: .success) {
      let heard = Self.listen(.debug)
      let realm = try ScratchRealm(opening: [Town.self]).realm
      let told = DispatchSemaphore(value: 0)
      let token = realm.objects(Town.self).observe(on: DispatchQueue(label: "observer")) { _ in told.signal()
      }
      told.waitOrStop()
      try Self.change(realm)
      realm.beginWrite()
      realm.cancelWrite()
      told.waitOrStop()
      token.invalidate()
      let messages = heard()
      for text in [
        "Query: Town where population > 1000", "Began a write transaction on version",
        "Rolled back to version",
        "Notifying observers (1) of version",
      ] {
        try #require(messages.contains { $0.level == .debug && $0.text.contains(text) }, "\(text)")
      }
      try #require(!messages.contains { $0.level > .debug })
    }
  }

  /// The rows that the first aggregate finds serve the others, and the objects.
  @Test func aggregatesEvaluateAFilterOnce() async {
    await #expect(processExitsWith: .success) {
      let realm = try ScratchRealm(opening: [Town.self]).realm
      try realm.write {
        for number in 0..<200 {
          realm.create(Town.self, value: ["name": "T\(number)", "population": number])
        }
      }
      let heard = Self.listen(.debug)
      for limit in [1, 100, 198] {
        let towns = realm.objects(Town.self).where { $0.population > limit }
        let before = heard().count
        try #require(towns.max(of: \.population) == 199 && towns.min(of: \.population) == limit + 1)
        try #require(towns.sum(of: \.population) == (limit + 1...199).reduce(0, +))
        try #require(towns.average(of: \.population) == Double(limit + 200) / 2 && towns.count == 199 - limit)
        try #require(heard().count - before == 1)
        try realm.write { realm.objects(Town.self)[199].population += 1 }
        try #require(towns.max(of: \.population) == 200)
        try realm.write { realm.objects(Town.self)[199].population -= 1 }
      }
    }
  }

  @Test(arguments: [LogLevel.trace.rawValue, LogLevel.all.rawValue])
  func traceAddsWhatChanged(level: UInt) async {
    await #expect(processExitsWith: .success) { [level] in
      let heard = Self.listen(LogLevel(rawValue: level)!)
      try Self.change(ScratchRealm(opening: [Town.self]).realm)
      let traced = heard().filter { $0.level == .trace }.map(\.text)
      try #require(traced.count == 2)
      try #require(traced[0].hasSuffix("Town: 2 created, 0 changed, 0 deleted"))
      try #require(traced[1].hasSuffix("Town: 0 created, 0 changed, 1 deleted"))
      try #require(heard().contains { $0.level == .detail })
    }
  }

  @Test func anotherLevelHoldsAtOnce() async {
    await #expect(processExitsWith: .success) {
      let heard = Self.listen(.off)
      let realm = try ScratchRealm(opening: [Town.self]).realm
      try Self.change(realm)
      try #require(heard().isEmpty)
      Logger.shared.level = .all
      try realm.write { realm.create(Town.self, value: ["name": "Bonn"]) }
      let count = heard().count
      try #require(count > 0)
      Logger.shared.level = .info
      try Self.change(realm)
      try #require(heard().count == count)
    }
  }

  @Test func anotherLoggerHoldsAtOnceAndTheFormerNoMore() async {
    await #expect(processExitsWith: .success) {
      let former = Logger(level: .off) { _, _ in }
      Logger.shared = former
      let heard = Self.listen(.detail)
      former.level = .off
      try Self.change(ScratchRealm(opening: [Town.self]).realm)
      try #require(!heard().isEmpty)
    }
  }

  @Test func migrationsAreDetails() async {
    await #expect(processExitsWith: .success) {
      let heard = Self.listen(.detail)
      let file = ScratchRealm([Town.self])
      try Self.change(file.open())
      var configuration = file.configuration
      configuration.schemaVersion = 1
      configuration.migrationBlock = { migration, _ in
        migration.create(Town.className(), value: ["name": "Ulm"])
      }
      _ = try Realm(configuration: configuration)
      try #require(heard().contains { $0.text.contains("Migrated to schema version 1 in version") })
    }
  }
}
