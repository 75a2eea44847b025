import Foundation
import Storage
import TestSupport
import Testing

@testable import RealmSwift

/// What calls by number refuse, instead of stopping the program; the realm can be used afterwards.
@Suite struct NumberedRefusalTests {
  private let file = ScratchRealm(Numbered.types)

  /// A realm with a thing, in a write transaction.
  private func withThing(
    _ body: (NumberedRealm, NumberedClassNames, NumberedObject) throws -> Void
  ) throws {
    let typed = try file.open()
    let realm = NumberedRealm(typed)
    let things = NumberedClassNames(realm, Numbered.Thing.self)
    typed.beginWrite()
    let thing = try things.create(["id": .int(1)])
    try body(realm, things, thing)
    if typed.isInWriteTransaction { try typed.commitWrite() }
    // All goes on.
    #expect(try realm.integer(thing, things.column("id")) == 1)
    let verification = try Realm.verify(at: file.url, encryptionKey: file.configuration.encryptionKey)
    #expect(verification.faults.isEmpty)
  }

  private func expect<Value>(
    _ code: Refusal.Code, _ text: String = "", sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Value
  ) {
    let error = #expect(throws: Refusal.self, sourceLocation: sourceLocation) { _ = try body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.message.isEmpty == false, sourceLocation: sourceLocation)
    if !text.isEmpty {
      #expect(
        error?.message.contains(text) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
    }
  }

  @Test func wrongNumbersAreRefused() throws {
    try withThing { realm, things, thing in
      for number in [-1, 8, 1000, Int.min, Int.max] {
        let object = NumberedObject(classNumber: number, row: 0)
        expect(.noSuchClass) { try realm.integer(object, 0) }
        expect(.noSuchClass) { try realm.setInteger(object, 0, 1) }
        expect(.noSuchClass) { try realm.set(object, 0, .null) }
        expect(.noSuchClass) { try realm.delete(object) }
        expect(.noSuchClass) { try realm.find(number, key: .int(1)) }
        expect(.noSuchClass) { try realm.backlinkCount(object) }
        expect(.noSuchClass) {
          try realm.set(thing, things.column("link"), .object(object))
        }
        #expect(!realm.isValid(object))
      }
      for column in [-1, 19, 1000, Int.min, Int.max] {
        expect(.noSuchProperty) { try realm.integer(thing, column) }
        expect(.noSuchProperty) { try realm.string(thing, column) }
        expect(.noSuchProperty) { try realm.setString(thing, column, utf8: LastingBytes.of([])) }
        expect(.noSuchProperty) { try realm.set(thing, column, .int(1)) }
        expect(.noSuchProperty) { try realm.setEmbedded(thing, column) }
        expect(.noSuchProperty) { try realm.value(thing, column) }
      }
      expect(.noSuchProperty) { try things.createOrUpdate(columns: [-1], [.int(1)], .error) }
      expect(.noSuchProperty) { try things.createOrUpdate(columns: [99], [.int(1)], .error) }
      for row in [-1, 1, 960, 1 << 40, Int.min, Int.max] {
        let object = NumberedObject(classNumber: things.number, row: row)
        expect(.noSuchObject, "deleted or invalidated") { try realm.integer(object, things.column("number")) }
        expect(.noSuchObject) { try realm.setInteger(object, things.column("number"), 1) }
        expect(.noSuchObject) { try realm.set(thing, things.column("link"), .object(object)) }
        expect(.noSuchObject) { try realm.set(thing, things.column("anything"), .object(object)) }
        expect(.noSuchObject) { try realm.delete(object) }
        #expect(!realm.isValid(object))
      }
    }
  }

  @Test func wrongTypesAreRefused() throws {
    try withThing { realm, things, thing in
      let names = ["number", "flag", "text", "bytes", "date", "single", "double", "objectId", "decimal"]
      for name in names + ["uuid", "link", "anything", "list"] {
        let column = things.column(name)
        if name != "number" { expect(.wrongType, "'Thing.\(name)'") { try realm.integer(thing, column) } }
        if name != "flag" { expect(.wrongType) { try realm.bool(thing, column) } }
        if name != "text" { expect(.wrongType) { try realm.string(thing, column) } }
        if name != "bytes" { expect(.wrongType) { try realm.data(thing, column) } }
        if name != "date" { expect(.wrongType) { try realm.date(thing, column) } }
        if name != "single" { expect(.wrongType) { try realm.setFloat(thing, column, 1) } }
        if name != "double" { expect(.wrongType) { try realm.setDouble(thing, column, 1) } }
        if name != "objectId" { expect(.wrongType) { try realm.objectId(thing, column) } }
        if name != "decimal" { expect(.wrongType) { try realm.decimal128(thing, column) } }
        if name != "uuid" { expect(.wrongType) { try realm.uuid(thing, column) } }
        if name != "link" { expect(.wrongType) { try realm.object(thing, column) } }
        if name != "link" { expect(.wrongType) { try realm.setEmbedded(thing, column) } }
      }
      expect(.wrongType) { try realm.value(thing, things.column("list")) }
      expect(.wrongType) { try realm.set(thing, things.column("list"), .int(1)) }
      expect(.wrongType) { try realm.set(thing, things.column("number"), .list) }
      expect(.wrongType, "Owned") {
        let owned = try NumberedClassNames(realm, Numbered.Owned.self).create([:])
        try realm.set(thing, things.column("link"), .object(owned))
      }
    }
  }

  @Test func nullsAndValuesThatCannotBeStoredAreRefused() throws {
    try withThing { realm, things, thing in
      expect(.isNull) { try realm.set(thing, things.column("number"), .null) }
      expect(.isNull, "'Thing.maybe'") { try realm.integer(thing, things.column("maybe")) }
      expect(.isNull) { try realm.add(thing, things.column("maybe"), 1) }
      expect(.isNull) { try realm.object(thing, things.column("link")) }
      let invalid = LastingBytes.of([0x41, 0xC3, 0x28])
      expect(.invalidValue, "UTF-8") { try realm.setString(thing, things.column("text"), utf8: invalid) }
      expect(.invalidValue) { try realm.set(thing, things.column("anything"), .string(invalid)) }
      expect(.invalidValue) { try things.create(["id": .int(2), "words": .string(invalid)]) }
      expect(.wrongType) { try realm.setString(thing, things.column("number"), utf8: invalid) }
      let found = try realm.find(things.number, key: .int(2))
      #expect(found == nil)
    }
  }

  @Test func primaryKeysStay() throws {
    try withThing { realm, things, thing in
      let id = things.column("id")
      expect(.primaryKey, "Primary key can't be changed") { try realm.setInteger(thing, id, 2) }
      expect(.primaryKey) { try realm.add(thing, id, 1) }
      expect(.primaryKey) { try realm.set(thing, id, .int(2)) }
      expect(.primaryKey, "'Thing.id'") { try things.create(["number": .int(1)]) }
      expect(.duplicateKey, "existing primary key value '1'") { try things.create(["id": .int(1)]) }
      expect(.wrongType) { try things.create(["id": .text("1")]) }
      expect(.isNull) { try things.create(["id": .null]) }
      expect(.badArgument) {
        try things.createOrUpdate([("id", .int(5)), ("number", .int(1)), ("number", .int(2))], .error)
      }
      expect(.primaryKey, "does not have a primary key") {
        try NumberedClassNames(realm, Numbered.Owned.self).createOrUpdate([], .modified)
      }
      expect(.primaryKey) {
        try realm.find(NumberedClassNames(realm, Numbered.Owned.self).number, key: .int(1))
      }
      expect(.primaryKey, "several properties") {
        try realm.find(NumberedClassNames(realm, Numbered.Pair.self).number, key: .int(1))
      }
      expect(.wrongType) { try realm.find(things.number, key: .text("1")) }
      let found = try realm.find(things.number, key: .int(2))
      #expect(found == nil)
    }
  }

  @Test func embeddedObjectsHaveOnePlace() throws {
    try withThing { realm, things, thing in
      let parts = NumberedClassNames(realm, Numbered.Part.self)
      expect(.embedded) { try parts.create([:]) }
      expect(.embedded) {
        try realm.importJSON(
          LastingBytes.of("{}".utf8), as: parts.number, .error, ignoresUnknownKeys: true)
      }
      expect(.embedded) { try realm.setEmbedded(thing, things.column("link")) }
      let part = try realm.setEmbedded(thing, things.column("part"))
      expect(.embedded) { try realm.set(thing, things.column("part"), .object(part)) }
      expect(.embedded) { try realm.set(thing, things.column("anything"), .object(part)) }
      expect(.embedded) { try things.create(["id": .int(3), "part": .object(part)]) }
      let next = try realm.setEmbedded(thing, things.column("part"))
      #expect(!realm.isValid(part) && realm.isValid(next))
    }
  }

  @Test func nothingIsWrittenOutsideOfTransactions() throws {
    let typed = try file.open()
    let realm = NumberedRealm(typed)
    let things = NumberedClassNames(realm, Numbered.Thing.self)
    var thing = NumberedObject(classNumber: 0, row: 0)
    try typed.write { thing = try things.create(["id": .int(1)]) }
    let number = things.column("number")
    expect(.notInWrite) { try realm.setInteger(thing, number, 1) }
    expect(.notInWrite) { try realm.set(thing, number, .int(1)) }
    expect(.notInWrite) { try realm.add(thing, number, 1) }
    expect(.notInWrite) { try realm.add(thing, things.column("maybe"), 1) }
    expect(.notInWrite) { try realm.setEmbedded(thing, things.column("part")) }
    expect(.notInWrite) { try realm.delete(thing) }
    expect(.notInWrite) { try things.create(["id": .int(2)]) }
    expect(.notInWrite) {
      try realm.importJSON(LastingBytes.of("{}".utf8), as: things.number, .error, ignoresUnknownKeys: true)
    }
    let frozen = NumberedRealm(typed.freeze())
    expect(.frozen) { try frozen.setInteger(thing, number, 1) }
    expect(.frozen) { try frozen.delete(thing) }
  }
}
