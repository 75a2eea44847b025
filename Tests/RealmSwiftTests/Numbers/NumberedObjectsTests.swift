import Foundation
import Storage
import TestSupport
import Testing

@testable import RealmSwift

/// The same operations by number and by typed objects, in two realms, which have equal contents afterwards.
@Suite struct NumberedObjectsTests {
  @Test(arguments: TestLength.seeds([38, 1, 2, 3, 4, 5], short: 3))
  func operationsByNumberHaveTheEffectOfTypedOnes(seed: UInt64) throws {
    let files = (ScratchRealm(Numbered.types), ScratchRealm(Numbered.types))
    try autoreleasepool {
      var run = try NumberedRun(files, SeededGenerator(printing: seed))
      for _ in 0..<TestLength.count(25, long: 200) {
        try run.transaction()
        try run.compare()
      }
    }
    for file in [files.0, files.1] {
      let verification = try Realm.verify(
        at: file.url, encryptionKey: file.configuration.encryptionKey)
      #expect(verification.faults.isEmpty)
    }
  }

  @Test func defaultsAreThoseOfTheClass() throws {
    let file = ScratchRealm(Numbered.types)
    let typed = try file.open()
    let realm = NumberedRealm(typed)
    typed.beginWrite()
    let thing = try NumberedClassNames(realm, Numbered.Thing.self).create(["id": .int(1)])
    let owned = try NumberedClassNames(realm, Numbered.Owned.self).create([:])
    try typed.commitWrite()
    let object = try #require(typed.object(ofType: Numbered.Thing.self, forPrimaryKey: 1))
    #expect(object.number == 0 && object.text == "" && object.words == nil && object.bytes.isEmpty)
    #expect(object.maybe == nil && object.anything == .none && object.link == nil && object.part == nil)
    #expect(abs(object.date.timeIntervalSinceNow) < 3600)
    #expect(object.list.isEmpty)
    // A described class has no defaults of its own.
    #expect(typed.objects(Numbered.Owned.self).first?.name == "")
    #expect(try realm.string(owned, 0).isEmpty)
    #expect(realm.isValid(thing))
    #expect(typed.objects(Numbered.Thing.self).filter("maybe == nil AND number == 0").count == 1)
  }

  @Test func keysThatTheFileNumbersGoOn() throws {
    let file = ScratchRealm(Numbered.types)
    let typed = try file.open()
    let counted = NumberedClassNames(NumberedRealm(typed), Numbered.Counted.self)
    try typed.write {
      try counted.create(["name": .text("one")])
      try counted.create(["id": .int(0)])
      try counted.create(["id": .int(10)])
      try counted.create([:])
      #expect(try counted.realm.find(counted.number, key: .int(11)) != nil)
    }
    #expect(typed.objects(Numbered.Counted.self).map(\.id).sorted() == [1, 2, 10, 11])
  }

  @Test func compositeKeysFindTheirObjects() throws {
    let file = ScratchRealm(Numbered.types)
    let typed = try file.open()
    let pairs = NumberedClassNames(NumberedRealm(typed), Numbered.Pair.self)
    try typed.write {
      try pairs.create(["first": .int(1), "second": .text("a"), "value": .int(1)])
      try pairs.create(["second": .text("b")])
      let again = try pairs.createOrUpdate(
        [("second", .text("a")), ("first", .int(1)), ("value", .int(2))], .modified)
      #expect(!again.isNew)
      #expect(throws: Refusal.self) { try pairs.create(["second": .text("b"), "first": .int(0)]) }
      #expect(try pairs.realm.integer(again.object, pairs.column("value")) == 2)
    }
    #expect(typed.objects(Numbered.Pair.self).count == 2)
  }

  @Test func generatedKeysDiffer() throws {
    let file = ScratchRealm(Numbered.types)
    let typed = try file.open()
    let identified = NumberedClassNames(NumberedRealm(typed), Numbered.Identified.self)
    try typed.write {
      for number in 0..<10 { try identified.create(["value": .int(Int64(number))]) }
    }
    let ids = Set(typed.objects(Numbered.Identified.self).map(\.id))
    #expect(ids.count == 10)
    for id in ids { #expect(typed.object(ofType: Numbered.Identified.self, forPrimaryKey: id) != nil) }
  }

  @Test func uniqueValuesAreCheckedAtTheCommit() throws {
    let file = ScratchRealm(Numbered.types)
    let typed = try file.open()
    let named = NumberedClassNames(NumberedRealm(typed), Numbered.Named.self)
    typed.beginWrite()
    try named.create(["name": .text("a"), "rank": .int(1)])
    try named.create(["name": .text("b"), "rank": .int(1)])
    #expect(throws: Realm.Error.self) { try typed.commitWrite() }
    #expect(typed.isEmpty)
  }

  @Test func objectsComeFromJSON() throws {
    let file = ScratchRealm(Numbered.types)
    let typed = try file.open()
    let realm = NumberedRealm(typed)
    let things = NumberedClassNames(realm, Numbered.Thing.self)
    func load(_ json: String, _ policy: Realm.UpdatePolicy = .error, ignoring: Bool = false) throws -> Int {
      try realm.importJSON(
        LastingBytes.of(json.utf8), as: things.number, policy, ignoresUnknownKeys: ignoring)
    }
    try typed.write {
      let first = try load(#"[{"id": 1, "text": "a", "part": {"size": 3}, "link": {"id": 2}}]"#)
      let second = try load(#"{"id": 1, "number": 5}{"id": 3, "extra": 1}"#, .modified, ignoring: true)
      #expect(first == 1 && second == 2)
    }
    #expect(typed.object(ofType: Numbered.Thing.self, forPrimaryKey: 1)?.part?.size == 3)
    #expect(typed.object(ofType: Numbered.Thing.self, forPrimaryKey: 1)?.number == 5)
    #expect(typed.object(ofType: Numbered.Thing.self, forPrimaryKey: 1)?.link?.id == 2)
    for (json, text) in [
      ("{", "Line 1"), (#"{"id": 9, "extra": 1}"#, "extra"), (#"{"id": 1}"#, "existing primary key"),
      (#"{"id": "x"}"#, "id"), (#"{"id": 9, "link": {}}"#, "id"), (#"{"id": 9, "link": 3}"#, "link"),
      (#"{"id": 9, "part": {"x": 1}}"#, "'x'"), (#"{"id": 9, "list": [1, "a"]}"#, "list"),
      (#"{"id": 9, "list": 1}"#, "list"), (#"{"id": 9, "anything": {"a.b": 1}}"#, "must not contain"),
      (#"{"number": 1}"#, "id"), (#"{"id": 9, "part": [1]}"#, "part"), (#"{"id": null}"#, "id"),
      (#"{"id": 9, "words": "\ud800"}"#, ""), ("{\"id\": 9, \"text\": \"", ""), ("[", ""), ("1", ""),
      ("{\"id\": 9, \"text\": \"\u{0}\"}", ""),
    ] {
      typed.beginWrite()
      let error = #expect(throws: Refusal.self) { try load(json) }
      #expect(error?.code == .invalidValue)
      let message = error?.message ?? ""
      #expect(text.isEmpty || message.contains(text), "\(json): \(message)")
      typed.cancelWrite()
    }
  }

  @Test func backlinksAreCountedOverAllProperties() throws {
    let file = ScratchRealm(Numbered.types)
    let typed = try file.open()
    let realm = NumberedRealm(typed)
    let things = NumberedClassNames(realm, Numbered.Thing.self)
    try typed.write {
      let target = try things.create(["id": .int(0)])
      #expect(try realm.backlinkCount(target) == 0)
      try things.create(["id": .int(1), "link": .object(target), "anything": .object(target)])
      let holder = try things.create(["id": .int(2)])
      let part = try realm.setEmbedded(holder, things.column("part"))
      try realm.set(part, NumberedClassNames(realm, Numbered.Part.self).column("link"), .object(target))
      #expect(try realm.backlinkCount(target) == 3)
      #expect(try realm.backlinkCount(part) == 1)
      try realm.delete(holder)
      #expect(try realm.backlinkCount(target) == 2)
      #expect(!realm.isValid(part))
    }
  }
}
