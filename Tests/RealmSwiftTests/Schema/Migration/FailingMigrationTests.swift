import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Mistakes in migration blocks that bindings for other languages let fail: opening throws, and the file is unchanged.
@Suite struct FailingMigrationTests {
  private let file = ScratchRealm([])
  private static let before = DescribedClass(
    "Hut", [DescribedProperty("name", .string), DescribedProperty("height", .int)])
  private static let after = DescribedClass(
    "Hut", [DescribedProperty("name", .string), DescribedProperty("altitude", .int)])

  init() throws {
    try autoreleasepool {
      let realm = try Realm(configuration: file.described([Self.before]))
      try realm.write {
        for height in [1_200, 1_300, 1_400] {
          realm.dynamicCreate("Hut", value: ["name": "hut \(height)", "height": height] as [String: Any])
        }
      }
    }
  }

  private func migrate(_ block: @escaping (Migration) -> Void) throws -> Realm {
    var configuration = file.described([Self.after], version: 1)
    nonisolated(unsafe) let block = block
    configuration.migrationBlock = { migration, _ in block(migration) }
    return try Realm(configuration: configuration)
  }

  private func rename(_ className: String, _ old: String, _ new: String) -> ProgrammerError? {
    var found: ProgrammerError?
    let error = #expect(throws: (any Error).self) {
      _ = try migrate { migration in
        do throws(ProgrammerError) {
          try migration.renamePropertyOrThrow(onType: className, from: old, to: new)
          try migration.checkRenames()
        } catch {
          found = error
          migration.fail(error)
          migration.fail(Realm.Error(.fail, "The second failure is not the one that is thrown."))
        }
      }
    }
    #expect((error as? ProgrammerError)?.message == found?.message)
    return found
  }

  @Test func wrongRenamesFailTheOpening() throws {
    let messages = [
      ("Cat", "a", "b", "Cannot rename properties for type 'Cat' because it does not exist."),
      (
        "Hut", "name", "altitude",
        "Cannot rename property 'Hut.name' to 'altitude' because the source property still exists."
      ),
      ("Hut", "depth", "altitude", "Cannot rename property 'Hut.depth' because it does not exist."),
      (
        "Hut", "height", "name",
        "Cannot rename property 'Hut.height' to 'name' because it would change from type 'int' to 'string'."
      ),
      ("Hut", "height", "depth", "Renamed property 'Hut.depth' does not exist."),
    ]
    for (className, old, new, message) in messages {
      let found = rename(className, old, new)
      #expect(found?.message == message && found?.code == .migrationFailed)
    }
    // Nothing was migrated by any of them.
    let realm = try Realm(configuration: file.described([Self.before]))
    #expect(realm.dynamicObjects("Hut").map { $0["height"] as? Int } == [1_200, 1_300, 1_400])
  }

  @Test func aRefusedRenameLeavesTheProperty() throws {
    let realm = try migrate { migration in
      #expect(throws: ProgrammerError.self) {
        try migration.renamePropertyOrThrow(onType: "Hut", from: "height", to: "name")
      }
      do {
        try migration.renamePropertyOrThrow(onType: "Hut", from: "height", to: "altitude")
        try migration.checkRenames()
      } catch { migration.fail(error) }
    }
    #expect(realm.dynamicObjects("Hut").map { $0["altitude"] as? Int } == [1_200, 1_300, 1_400])
  }

  @Test func renamingDuringAnEnumerationIsRefused() throws {
    var seen = 0
    let realm = try migrate { migration in
      migration.enumerateObjects(ofType: "Hut") { old, new in
        #expect(throws: ProgrammerError.self) {
          try migration.renamePropertyOrThrow(onType: "Hut", from: "height", to: "altitude")
        }
        seen += 1
        new!["altitude"] = (old!["height"] as! Int) * 2
      }
      migration.enumerateObjects(ofType: "Cat") { _, _ in Issue.record("There are no cats.") }
    }
    #expect(seen == 3)
    #expect(realm.dynamicObjects("Hut").map { $0["altitude"] as? Int } == [2_400, 2_600, 2_800])
  }
}
