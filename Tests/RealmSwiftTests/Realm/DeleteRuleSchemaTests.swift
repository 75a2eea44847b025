import Foundation
import TestSupport
import Testing

@testable import RealmSwift

// Declarations that cannot be.
class RuleOnText: Hidden { @Persisted(onDelete: .cascade) var text: String }
class RuleOnNumbers: Hidden { @Persisted(onDelete: .deny) var numbers: List<Int> }
class RuleOnEmbedded: Hidden { @Persisted(onDelete: .cascade) var part: RuledPart? }
class RuleOnLinkingObjects: Hidden {
  @Persisted var name = ""
  @Persisted(onDelete: .cascade) var owners: LinkingObjects<RuledOwner>
}
class NumberedText: Hidden { @Persisted(primaryKey: true, autoIncrement: true) var id: String }
class NumberedProperty: Hidden { @Persisted(primaryKey: false, autoIncrement: true) var number: Int }

/// Delete rules in the schema of the file, and migrations that delete.
@Suite struct DeleteRuleSchemaTests {
  let file = ScratchRealm(DeleteRuleTests.classes)

  private func configuration(_ owner: ObjectBase.Type, version: UInt64 = 0) -> Realm.Configuration {
    file.configuration([owner, RuledThing.self, RuledMaker.self], version: version)
  }

  private func makeOwner() throws {
    try file.write { realm in
      realm.create(
        RuledOwner.self, value: ["id": 1, "things": [["name": "a"], ["name": "b"]]] as [String: Any])
    }
  }

  @Test(
    arguments: [
      (
        [RuleOnText.self],
        "Property 'RuleOnText.text' of type 'string' cannot have a delete rule: it does not link to objects."
      ),
      (
        [RuleOnNumbers.self],
        "Property 'RuleOnNumbers.numbers' of type 'array<int>' cannot have a delete rule: it does not link to objects."
      ),
      (
        [RuleOnEmbedded.self, RuledPart.self, RuledNode.self],
        "Property 'RuleOnEmbedded.part' of type 'object' cannot have a delete rule: objects of the embedded class 'RuledPart' are always deleted with the object that they are in."
      ),
      (
        [NumberedText.self],
        "Property 'NumberedText.id' of type 'string' cannot be auto-incremented: only primary keys that are integers can."
      ),
      (
        [NumberedProperty.self],
        "Property 'NumberedProperty.number' of type 'int' cannot be auto-incremented: only primary keys that are integers can."
      ),
    ] as [([ObjectBase.Type], String)])
  func declarationsThatCanNotBe(types: [ObjectBase.Type], problem: String) {
    let error = realmError { _ = try file.open(types) }
    #expect(
      error?.localizedDescription == "Schema validation failed due to the following errors:\n- \(problem)")
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func linkingObjectsHaveNone() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ScratchRealm().open([RuleOnLinkingObjects.self, RuledOwner.self, RuledThing.self])
    }
    expectStop(
      result,
      saying:
        "LinkingObjects property 'owners' of 'RuleOnLinkingObjects' cannot have a delete rule: declare it on the property that links."
    )
  }

  @Test func theSchemaSaysIt() throws {
    let realm = try file.open()
    let schema = try #require(realm.schema["RuledOwner"])
    #expect(schema["things"]?.deleteRule == .cascade && schema["shared"]?.deleteRule == .cascadeUnlessShared)
    #expect(schema["name"]?.deleteRule == .nullify)
    #expect(schema["things"]!.description.contains("onDelete = cascade"))
    #expect(realm.schema["RuledThing"]?["maker"]?.deleteRule == .deny)
    try realm.write { realm.create(RuledOwner.self) }
    var configuration = file.configuration
    configuration.objectTypes = []
    let tool = try Realm(configuration: configuration)
    #expect(tool.dynamicObjects("RuledOwner")[0].objectSchema["things"]?.deleteRule == .cascade)
  }

  /// Rules come and go without a migration; nothing is deleted by that.
  @Test func rulesChange() throws {
    try autoreleasepool {
      let realm = try Realm(configuration: configuration(OtherOwners.Plain.self))
      try realm.write {
        realm.create(OtherOwners.Plain.self, value: ["id": 1, "things": [["name": "a"]]] as [String: Any])
      }
    }
    let plan = try Realm.migrationPlan(for: file.configuration)
    #expect(plan.action == .silent)
    #expect(
      plan.differences == [
        "Property 'RuledOwner.things' has been given the delete rule 'cascade'.",
        "Property 'RuledOwner.shared' has been given the delete rule 'cascadeUnlessShared'.",
      ])
    try file.write { realm in
      #expect(realm.objects(RuledThing.self).count == 1)
      realm.delete(realm.objects(RuledOwner.self))
      #expect(realm.isEmpty)
    }
    try makeOwner()
    try autoreleasepool {
      let realm = try Realm(configuration: configuration(OtherOwners.Loose.self))
      try realm.write { realm.delete(realm.objects(OtherOwners.Loose.self)) }
      #expect(realm.objects(RuledThing.self).count == 2)
    }
  }

  /// A class that does not mention the rule, and a program without the class, follow it and leave it.
  @Test func otherProgramsKeepIt() throws {
    try makeOwner()
    let plain = configuration(OtherOwners.Plain.self)
    #expect(try Realm.migrationPlan(for: plain).action == .nothing)
    try autoreleasepool {
      let realm = try Realm(configuration: plain)
      try realm.write {
        realm.delete(realm.objects(OtherOwners.Plain.self))
        #expect(realm.isEmpty)
      }
    }
    try makeOwner()
    // Also in a migration.
    try autoreleasepool {
      let realm = try Realm(configuration: configuration(OtherOwners.Plain.self, version: 1))
      try realm.write {
        realm.delete(realm.objects(OtherOwners.Plain.self))
        #expect(realm.isEmpty)
      }
    }
  }

  @Test func renamedPropertiesKeepIt() throws {
    try makeOwner()
    var configuration = configuration(OtherOwners.Renamed.self, version: 1)
    configuration.migrationBlock = { migration, _ in
      migration.renameProperty(onType: "RuledOwner", from: "things", to: "belongings")
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(OtherOwners.Renamed.self)[0].belongings.count == 2)
    try realm.write { realm.delete(realm.objects(OtherOwners.Renamed.self)) }
    #expect(realm.isEmpty)
  }

  /// Also for what the migration deletes when it has renamed them.
  @Test func renamedPropertiesHaveItAtOnce() throws {
    try makeOwner()
    try makeMigration(to: OtherOwners.Renamed.self, version: 1) { migration in
      migration.renameProperty(onType: "RuledOwner", from: "things", to: "belongings")
      migration.enumerateObjects(ofType: "RuledOwner") { _, new in migration.delete(new!) }
    }
    let realm = try Realm(configuration: configuration(OtherOwners.Renamed.self, version: 1))
    #expect(realm.isEmpty)
  }

  /// Migrations follow the rules of the new classes; taking a property away deletes nothing.
  @Test func migrations() throws {
    try makeOwner()
    try makeMigration(to: OtherOwners.Renamed.self, version: 1) { migration in
      migration.enumerateObjects(ofType: "RuledOwner") { _, new in migration.delete(new!) }
    }
    try autoreleasepool {
      let realm = try Realm(configuration: configuration(OtherOwners.Renamed.self, version: 1))
      #expect(realm.objects(RuledThing.self).map(\.name).sorted() == ["a", "b"])
      try realm.write { realm.deleteAll() }
    }
    try makeMigration(to: RuledOwner.self, version: 2) { migration in
      migration.create(
        "RuledOwner", value: ["id": 2, "things": [["name": "c"], ["name": "d"]]] as [String: Any])
      migration.create("RuledOwner", value: ["id": 3, "things": [["name": "e"]]] as [String: Any])
      migration.delete(
        migration.create("RuledOwner", value: ["id": 4, "shared": ["name": "f"]] as [String: Any]))
    }
    try makeMigration(to: RuledOwner.self, version: 3) { migration in
      migration.enumerateObjects(ofType: "RuledOwner") { old, new in
        if old?["id"] as? Int == 2 { migration.delete(new!) }
      }
    }
    try autoreleasepool {
      let realm = try Realm(configuration: configuration(RuledOwner.self, version: 3))
      #expect(realm.objects(RuledThing.self).map(\.name) == ["e"])
    }
    try makeMigration(to: RuledOwner.self, version: 4) { $0.deleteData(forType: "RuledOwner") }
    let realm = try Realm(configuration: configuration(RuledOwner.self, version: 4))
    #expect(realm.isEmpty)
  }

  private func makeMigration(
    to owner: ObjectBase.Type, version: UInt64, _ body: @escaping @Sendable (Migration) -> Void
  ) throws {
    try autoreleasepool {
      var configuration = configuration(owner, version: version)
      configuration.migrationBlock = { migration, _ in body(migration) }
      _ = try Realm(configuration: configuration)
    }
  }

  @Test func deniedInAMigration() throws {
    try file.write {
      $0.create(RuledThing.self, value: ["name": "a", "maker": ["name": "Acme"]] as [String: Any])
    }
    var configuration = configuration(RuledOwner.self, version: 1)
    configuration.migrationBlock = { migration, _ in migration.deleteData(forType: "RuledMaker") }
    let error = realmError { _ = try Realm(configuration: configuration) }
    #expect(error?.code == .ruleBroken)
    try file.read { #expect($0.objects(RuledThing.self)[0].maker?.name == "Acme") }
    #expect(try schemaVersionAtURL(file.url, encryptionKey: ScratchRealm.usualKey) == 0)
  }

  /// A quick write has nobody to tell: the program stops with the message.
  @Test func quickWrites() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let realm = try! ScratchRealm(DeleteRuleTests.classes).open()
        try! realm.write {
          realm.create(RuledThing.self, value: ["name": "a", "maker": ["name": "Acme"]] as [String: Any])
        }
        QuickWrite.delete(realm.objects(RuledMaker.self)[0])
      }
    }
    expectStop(
      result,
      saying:
        "The quick write could not be stored: 'RuledMaker' with the primary key 'Acme' cannot be deleted")
  }
}
