import Foundation
import RealmSwift
import TestSupport
import Testing

/// The class as it is, and as it was.
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

  @Test func block() throws {
    #expect(throws: Realm.Error.self) { try Realm(configuration: self.configuration) }
    var configuration = configuration
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
    #expect(plan.action == .migration)
    try expectMigrated(configuration)
  }

  @Test func steps() throws {
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
}
