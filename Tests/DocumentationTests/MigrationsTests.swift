import Foundation
import RealmSwift
import TestSupport
import Testing

class Refuge: Object {
  @Persisted var name: String
  @Persisted var altitude: Int
}

class OldRefuge: Object {
  @Persisted var title: String
  @Persisted var feet: Int

  override class func _realmObjectName() -> String? { "Refuge" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

struct MissingAltitude: Error {}

struct MigrationsTests {
  let folder = ScratchFolder()
  var configuration: Realm.Configuration

  init() throws {
    configuration = Realm.Configuration(
      fileURL: folder.file("refuges.realm"), objectTypes: [OldRefuge.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(OldRefuge(value: ["title": "Larch", "feet": 6_496] as [String: Any])) }
    configuration.objectTypes = [Refuge.self]
  }

  private func expectMigrated(_ configuration: Realm.Configuration) throws {
    let refuge = try #require(try Realm(configuration: configuration).objects(Refuge.self).first)
    #expect(refuge.name == "Larch" && refuge.altitude == 1_979)
  }

  private func expectError(
    _ code: Realm.Error.Code, _ message: String, _ configuration: Realm.Configuration
  ) {
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(error?.code == code)
    #expect(error?.localizedDescription.contains(message) == true, "\(error?.localizedDescription ?? "")")
  }

  @Test func blockRenamesAndComputes() throws {
    var configuration = configuration
    let required = "Migration is required due to the following errors:\n- Property 'Refuge."
    expectError(.schemaMismatch, required, configuration)
    configuration.schemaVersion = 2
    configuration.migrationBlock = { migration, oldVersion in
      if oldVersion < 1 {
        migration.renameProperty(onType: "Refuge", from: "title", to: "name")
      }
      if oldVersion < 2 {
        migration.enumerateObjects(ofType: "Refuge") { old, new in
          let feet = old!["feet"] as! Int
          new!["altitude"] = Int(Double(feet) * 0.3048)
        }
      }
    }
    let plan = try Realm.migrationPlan(for: configuration)
    print(plan.action, plan.losses)
    #expect(plan.action == .migration && plan.losses.count == 2)
    try expectMigrated(configuration)
    configuration.schemaVersion = 1
    expectError(.fail, "Provided schema version 1 is less than last set version 2.", configuration)
    configuration.readOnly = true
    expectError(.fail, "Provided schema version 1 does not equal last set version 2.", configuration)
  }

  @Test func stepsRenameAndCompute() throws {
    var configuration = configuration
    configuration.schemaVersion = 2
    configuration.migrationBlock = { migration, _ in
      migration.step("title is called name", to: 1) {
        migration.renameProperty(onType: "Refuge", from: "title", to: "name")
      }
      migration.step("metres instead of feet", to: 2) {
        try migration.enumerateObjects(ofType: "Refuge") { old, new in
          guard let feet = old!["feet"] as? Int else { throw MissingAltitude() }
          new!["altitude"] = Int(Double(feet) * 0.3048)
        }
      }
    }
    try expectMigrated(configuration)
  }

  @Test func aMigrationIsTestedWithTheOldClass() throws {
    let url = folder.file("old.realm")
    let migrateRefuges: MigrationBlock = { migration, _ in
      migration.renameProperty(onType: "Refuge", from: "title", to: "name")
      migration.enumerateObjects(ofType: "Refuge") { old, new in
        new!["altitude"] = Int(Double(old!["feet"] as! Int) * 0.3048)
      }
    }
    func writeOldFile() throws {
      let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [OldRefuge.self]))
      try realm.write {
        realm.create(OldRefuge.self, value: ["title": "Larch", "feet": 6_496] as [String: Any])
      }
    }

    try writeOldFile()
    let realm = try Realm(
      configuration: .init(
        fileURL: url, schemaVersion: 2, migrationBlock: migrateRefuges, objectTypes: [Refuge.self]))
    #expect(realm.objects(Refuge.self).first?.altitude == 1_979)
  }

  @Test func aReadOnlyRealmWithoutTheColumnIsRefused() throws {
    var configuration = configuration
    configuration.readOnly = true
    expectError(
      .schemaMismatch, "The following changes cannot be made in read-only schema mode:\n", configuration)
  }
}
