import Foundation
import RealmSwift
import TestSupport
import Testing

/// Warnings of a file that grows because somebody keeps an old version. In processes of their own: the logger is everybody's.
@Suite struct GrowthTests {
  private static func open(_ path: String) throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), objectTypes: [RealmDog.self, RealmPlace.self],
        durability: .relaxed))
  }

  /// Each makes some 4 MB of pages free.
  private static func rewrite(_ realm: Realm, _ round: Int) throws {
    try realm.write {
      for id in 0..<500 {
        let name = String(repeating: "\(round % 10) ", count: 2500)
        realm.create(RealmDog.self, value: ["id": id, "name": name], update: .modified)
      }
    }
  }

  private static func collectWarnings() -> () -> [String] {
    let lock = NSLock()
    nonisolated(unsafe) var warnings: [String] = []
    Logger.shared = Logger(level: .warn) { level, message in
      if level == .warn { lock.withLock { warnings.append(message) } }
    }
    return { lock.withLock { warnings } }
  }

  @Test func whoKeepsAnOldVersion() async {
    await #expect(processExitsWith: .success) { [path = ScratchFolder.lastingPath() as String] in
      let warnings = GrowthTests.collectWarnings()
      let realm = try GrowthTests.open(path)
      // Without an old version it stays as it is.
      for round in 0..<12 { try GrowthTests.rewrite(realm, round) }
      precondition(warnings().isEmpty)
      let before = realm.diagnostics
      let frozen = realm.freeze()
      // A version keeps what it has, and nothing of later ones.
      var others: [Realm] = []
      for round in 12..<40 {
        try GrowthTests.rewrite(realm, round)
        if !warnings().isEmpty { break }
        others.append(realm.freeze())
      }
      precondition(realm.diagnostics.fileSize >= 16 << 20)
      precondition(realm.diagnostics.fileSize < before.fileSize + 32 << 20, "that was late")
      let warning = warnings()[0]
      precondition(warning.contains("'\(path)' grows because old versions are in use"), warning)
      precondition(warning.contains("version \(before.newestVersion): a frozen Realm since"), warning)
      precondition(frozen.objects(RealmDog.self).count == 500)
      // Not told again at once.
      try GrowthTests.rewrite(realm, 40)
      precondition(warnings().count == 1)
    }
  }

  /// A file that grows because there is more in it.
  @Test func data() async {
    await #expect(processExitsWith: .success) { [path = ScratchFolder.lastingPath() as String] in
      let warnings = GrowthTests.collectWarnings()
      let realm = try GrowthTests.open(path)
      let frozen = realm.freeze()
      for round in 0..<25 {
        try realm.write {
          for id in 0..<200 {
            realm.add(
              RealmDog(value: ["id": round * 200 + id, "name": String(repeating: "long ", count: 1000)]))
          }
        }
      }
      precondition(realm.diagnostics.fileSize > 20 << 20)
      precondition(warnings().isEmpty)
      withExtendedLifetime(frozen) {}
    }
  }
}
