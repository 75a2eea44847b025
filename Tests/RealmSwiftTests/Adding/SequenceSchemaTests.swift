import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Sequences in the schema of the file.
@Suite struct SequenceSchemaTests {
  let file = ScratchRealm([Invoice.self])

  private func open(_ type: ObjectBase.Type, schemaVersion: UInt64 = 0) throws -> Realm {
    var configuration = file.configuration
    configuration.objectTypes = [type]
    configuration.schemaVersion = schemaVersion
    return try Realm(configuration: configuration)
  }

  /// Numbering a class that has objects goes on behind the highest, without a migration.
  @Test func declaredLater() throws {
    try autoreleasepool {
      let realm = try open(OtherInvoices.Plain.self)
      try realm.write {
        for number in [3, 40, -2] { realm.create(OtherInvoices.Plain.self, value: ["number": number]) }
      }
    }
    var configuration = file.configuration
    configuration.objectTypes = [Invoice.self]
    let plan = try Realm.migrationPlan(for: configuration)
    #expect(plan.action == .silent)
    #expect(plan.differences == ["Property 'Invoice.number' has been made auto-incremented."])
    let realm = try open(Invoice.self)
    // The highest is gone before anybody asks.
    try realm.write { realm.delete(realm.object(ofType: Invoice.self, forPrimaryKey: 40)!) }
    try realm.write { #expect(realm.create(Invoice.self).number == 41) }
  }

  /// A program that does not know of the numbers leaves them as they are, and gives them, too.
  @Test func otherProgramsKeepIt() throws {
    try file.write { $0.create(Invoice.self, value: ["number": 10]) }
    try autoreleasepool {
      let realm = try open(OtherInvoices.Plain.self)
      try realm.write {
        #expect(realm.create(OtherInvoices.Plain.self).number == 11)
        realm.create(OtherInvoices.Plain.self, value: ["number": 20])
      }
    }
    // A tool without classes.
    try autoreleasepool {
      var configuration = file.configuration
      configuration.objectTypes = []
      let realm = try Realm(configuration: configuration)
      #expect(realm.dynamicObjects("Invoice").count == 3)
    }
    try file.write { #expect($0.create(Invoice.self).number == 21) }
  }

  @Test func itCanBeEnded() throws {
    try file.write { $0.create(Invoice.self, value: ["number": 10]) }
    try autoreleasepool {
      let realm = try open(OtherInvoices.Ended.self)
      try realm.write { #expect(realm.create(OtherInvoices.Ended.self).number == 0) }
    }
    try autoreleasepool {
      let realm = try open(OtherInvoices.Plain.self)
      try realm.write {
        #expect(realm.create(OtherInvoices.Plain.self, value: ["number": 0], update: .all).number == 0)
      }
    }
    try file.write { #expect($0.create(Invoice.self).number == 11) }
  }

  @Test func theSchemaSaysIt() throws {
    let realm = try file.open()
    let property = try #require(realm.schema["Invoice"]?["number"])
    #expect(property.isAutoIncremented)
    #expect(property.description.contains("autoIncrement = YES"))
    #expect(realm.schema["Invoice"]?["text"]?.isAutoIncremented == false)
  }

  /// Objects that a migration makes are numbered, and keys that it sets are taken note of.
  @Test func migrations() throws {
    try autoreleasepool {
      let realm = try open(OtherInvoices.Plain.self)
      try realm.write { realm.create(OtherInvoices.Plain.self, value: ["number": 5]) }
    }
    var configuration = file.configuration
    configuration.schemaVersion = 1
    configuration.migrationBlock = { migration, _ in
      #expect(migration.create("Invoice", value: ["text": "made"])["number"] as? Int == 6)
      migration.enumerateObjects(ofType: "Invoice") { old, new in
        if old?["number"] as? Int == 5 { new?["number"] = 70 }
      }
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Invoice.self).map(\.number).sorted() == [6, 70])
    try realm.write { #expect(realm.create(Invoice.self).number == 71) }
  }

  /// A key with another name goes on at once.
  @Test func renamedKeys() throws {
    try file.write { $0.create(Invoice.self, value: ["number": 5]) }
    var configuration = file.configuration
    configuration.objectTypes = [OtherInvoices.Renamed.self]
    configuration.schemaVersion = 1
    configuration.migrationBlock = { migration, _ in
      migration.renameProperty(onType: "Invoice", from: "number", to: "id")
      for id in 6...7 { #expect(migration.create("Invoice", value: ["text": "made"])["id"] as? Int == id) }
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(OtherInvoices.Renamed.self).map(\.id).sorted() == [5, 6, 7])
    try realm.write { #expect(realm.create(OtherInvoices.Renamed.self).id == 8) }
  }

  @Test func copiesAndSalvagedFilesGoOn() throws {
    try file.write { realm in
      realm.create(Invoice.self, value: ["number": 10])
      realm.create(Invoice.self)
    }
    try file.write { realm in realm.deleteAll() }
    let copy = file.folder.appendingPathComponent("copy.realm")
    try file.read { try $0.writeCopy(toFile: copy, encryptionKey: ScratchRealm.usualKey) }
    let salvaged = file.folder.appendingPathComponent("salvaged.realm")
    _ = try Realm.salvage(
      from: file.url, to: salvaged, encryptionKey: ScratchRealm.usualKey)
    for url in [copy, salvaged] {
      var configuration = file.configuration
      configuration.fileURL = url
      let realm = try Realm(configuration: configuration)
      try realm.write { #expect(realm.create(Invoice.self).number == 12) }
    }
  }
}
