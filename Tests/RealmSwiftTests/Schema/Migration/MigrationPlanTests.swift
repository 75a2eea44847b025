import RealmSwift
import Testing

/// `Realm.migrationPlan`, which changes nothing.
@Suite struct MigrationPlanTests {
  let file = ScratchRealm()

  @Test func aMissingFile() throws {
    let plan = try Realm.migrationPlan(for: file.configuration(Named.types, version: 4))
    #expect(plan.action == .creation)
    #expect(plan.oldSchemaVersion == nil)
    #expect(!Realm.fileExists(for: file.configuration(Named.types)))
  }

  @Test func aSeed() throws {
    let seed = ScratchRealm()
    try Named.fill(seed.open(Named.types), count: 5)
    var configuration = file.configuration(FullyNamed.types, version: 2)
    configuration.seedFilePath = seed.configuration(Named.types).fileURL
    let plan = try Realm.migrationPlan(for: configuration)
    #expect(plan.action == .migration)
    #expect(plan.oldSchemaVersion == 0)
    #expect(!Realm.fileExists(for: configuration))
  }

  @Test func whatWouldBeDone() throws {
    try Named.fill(file.open(Named.types), count: 5)
    #expect(try Realm.migrationPlan(for: file.configuration(Named.types)).action == .nothing)
    let plan = try Realm.migrationPlan(for: file.configuration(FullyNamed.types, version: 2))
    #expect(plan.action == .migration)
    #expect(plan.oldSchemaVersion == 0)
    #expect(plan.newSchemaVersion == 2)
    #expect(plan.differences.contains("Property 'Person.fullName' has been added."))
    #expect(!plan.losses.contains("Property 'Person.fullName' has been added."))
    #expect(plan.losses.contains("Property 'Person.age' has been changed from 'string' to 'int'."))
    #expect(plan.description.contains("Schema version 0 → 2: migration\n- "))
    #expect(
      plan.description.contains(
        "\n- Property 'Person.age' has been changed from 'string' to 'int'. Values are lost unless the migration block carries them over."
      ))
    guard
      case .refusal(let message) = try Realm.migrationPlan(for: file.configuration(FullyNamed.types)).action
    else {
      Issue.record("a new schema version is needed")
      return
    }
    #expect(message.hasPrefix("Migration is required due to the following errors:\n- "))
    #expect(
      try Realm.migrationPlan(for: file.configuration(Named.types + Places.types)).action == .silent)
    var configuration = file.configuration(FullyNamed.types)
    configuration.deleteRealmIfMigrationNeeded = true
    #expect(try Realm.migrationPlan(for: configuration).action == .deletion)
    #expect(try file.open(Named.types).objects(Named.Person.self).count == 5)
  }
}
