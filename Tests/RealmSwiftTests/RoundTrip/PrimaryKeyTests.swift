import Foundation
import RealmSwift
import TestSupport
import Testing

/// Objects are found by keys of every type that can be one, and by every type that can be indexed.
@Suite struct PrimaryKeyTests {
  final class IntKey: Object {
    @Persisted(primaryKey: true) var key: Int
    @Persisted var value: Int
  }
  final class Int8Key: Object {
    @Persisted(primaryKey: true) var key: Int8
    @Persisted var value: Int
  }
  final class OptionalIntKey: Object {
    @Persisted(primaryKey: true) var key: Int?
    @Persisted var value: Int
  }
  final class StringKey: Object {
    @Persisted(primaryKey: true) var key: String
    @Persisted var value: Int
  }
  final class OptionalStringKey: Object {
    @Persisted(primaryKey: true) var key: String?
    @Persisted var value: Int
  }
  final class ObjectIdKey: Object {
    @Persisted(primaryKey: true) var key: ObjectId
    @Persisted var value: Int
  }
  final class UUIDKey: Object {
    @Persisted(primaryKey: true) var key: UUID
    @Persisted var value: Int
  }
  final class EnumKey: Object {
    @Persisted(primaryKey: true) var key: Suit
    @Persisted var value: Int
  }
  final class CustomKey: Object {
    @Persisted(primaryKey: true) var key: CountryCode
    @Persisted var value: Int
  }

  static let classes: [ObjectBase.Type] = [
    IntKey.self, Int8Key.self, OptionalIntKey.self, StringKey.self, OptionalStringKey.self, ObjectIdKey.self,
    UUIDKey.self, EnumKey.self, CustomKey.self,
  ]

  /// Adds an object for each key, finds each, deletes and updates some, all with the file closed between.
  private func check<Row: Object, Key>(
    _ type: Row.Type, _ keys: [Key], missing: [Key], _ value: ReferenceWritableKeyPath<Row, Int>
  ) throws {
    let file = ScratchRealm(Self.classes)
    try file.write { realm in
      for (number, key) in keys.enumerated() {
        realm.create(Row.self, value: ["key": key, "value": number] as [String: Any])
      }
      for (number, key) in keys.enumerated() {
        #expect(realm.object(ofType: Row.self, forPrimaryKey: key)?[keyPath: value] == number)
      }
    }
    try file.read { realm in
      #expect(realm.objects(Row.self).count == keys.count)
      for (number, key) in keys.enumerated() {
        #expect(realm.object(ofType: Row.self, forPrimaryKey: key)?[keyPath: value] == number)
      }
      for key in missing { #expect(realm.object(ofType: Row.self, forPrimaryKey: key) == nil) }
    }
    try file.write { realm in
      for (number, key) in keys.enumerated() {
        if number % 3 == 0 {
          realm.delete(try #require(realm.object(ofType: Row.self, forPrimaryKey: key)))
          #expect(realm.object(ofType: Row.self, forPrimaryKey: key) == nil)
        } else {
          realm.create(Row.self, value: ["key": key, "value": -number] as [String: Any], update: .modified)
        }
      }
      // A deleted key may come back.
      realm.create(Row.self, value: ["key": keys[0], "value": 1_000] as [String: Any], update: .all)
    }
    try file.read { realm in
      for (number, key) in keys.enumerated() {
        let expected = number == 0 ? 1_000 : number % 3 == 0 ? nil : -number
        #expect(realm.object(ofType: Row.self, forPrimaryKey: key)?[keyPath: value] == expected)
      }
    }
  }

  @Test func integers() throws {
    try check(IntKey.self, IntShapes.samples, missing: [3, -3, 1 << 40], \.value)
    try check(Int8Key.self, Int8Shapes.samples, missing: [3], \.value)
    try check(OptionalIntKey.self, [nil] + IntShapes.samples, missing: [3], \.value)
  }

  @Test func strings() throws {
    // Long ones that differ only at their ends.
    let long = ["a", "b", ""].map { String(repeating: "key ", count: 300) + $0 }
    let prefixes = (0...40).map { String(repeating: "p", count: $0 * 16) }.dropFirst()
    let keys = StringShapes.samples + long + prefixes
    let missing = ["A", "wolfie", "nul", long[0] + "c", String(repeating: "p", count: 17), "Gru\u{308}ßE"]
    try check(StringKey.self, keys, missing: missing, \.value)
    try check(OptionalStringKey.self, [nil] + keys, missing: missing, \.value)
  }

  @Test func others() throws {
    try check(
      ObjectIdKey.self, ObjectIdShapes.samples, missing: [ObjectId("000000000000000000000002")], \.value)
    try check(UUIDKey.self, UUIDShapes.samples, missing: [UUID()], \.value)
    try check(EnumKey.self, [Suit.hearts, .none], missing: [.clubs], \.value)
    try check(
      CustomKey.self, ["FR", "nz", ""].map { CountryCode(persistedValue: $0)! },
      missing: [CountryCode(persistedValue: "XX")!], \.value)
  }

  /// Enough of them for an index of several levels.
  @Test func manyKeys() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("manyKeys seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let numbers = Set(
      (0..<3_000).map { _ in Int(truncatingIfNeeded: generator.next() >> (generator.next() & 63)) })
    try check(IntKey.self, Array(numbers), missing: [], \.value)
    let texts = Set((0..<1_500).map { _ in "key \(generator.next() >> (generator.next() & 63))" })
    try check(StringKey.self, Array(texts), missing: ["key", "key -1"], \.value)
  }

  // MARK: Indexes

  final class IndexedRow: Object {
    @Persisted(indexed: true) var int: Int
    @Persisted(indexed: true) var optionalInt: Int?
    @Persisted(indexed: true) var bool: Bool
    @Persisted(indexed: true) var optionalBool: Bool?
    @Persisted(indexed: true) var string: String
    @Persisted(indexed: true) var optionalString: String?
    @Persisted(indexed: true) var date: Date
    @Persisted(indexed: true) var optionalDate: Date?
    @Persisted(indexed: true) var objectId: ObjectId
    @Persisted(indexed: true) var optionalObjectId: ObjectId?
    @Persisted(indexed: true) var uuid: UUID
    @Persisted(indexed: true) var optionalUUID: UUID?
    @Persisted(indexed: true) var suit: Suit
    @Persisted(indexed: true) var optionalSuit: Suit?
  }

  /// An indexed column answers as the values themselves do, after any changes.
  @Test func indexesFollowTheirColumns() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("indexesFollowTheirColumns seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let file = ScratchRealm([IndexedRow.self])
    let realm = try file.open()
    for round in 0..<6 {
      realm.beginWrite()
      for _ in 0..<40 {
        let row = IndexedRow()
        change(row, &generator)
        realm.add(row)
      }
      let rows = realm.objects(IndexedRow.self)
      for row in rows where generator.next() % 4 == 0 { change(row, &generator) }
      for row in rows where generator.next() % 8 == 0 { realm.delete(row) }
      checkIndexes(realm)
      if round % 3 == 1 { realm.cancelWrite() } else { try realm.commitWrite() }
      checkIndexes(realm)
    }
  }

  private static let strings = StringShapes.samples.filter { $0.utf8.count < 1_000 }

  private func change(_ row: IndexedRow, _ generator: inout SeededGenerator) {
    func pick<T>(_ values: [T]) -> T { values.randomElement(using: &generator)! }
    func maybe<T>(_ values: [T]) -> T? { Bool.random(using: &generator) ? pick(values) : nil }
    row.int = pick(IntShapes.samples)
    row.optionalInt = maybe(IntShapes.samples)
    row.bool = pick([true, false])
    row.optionalBool = maybe([true, false])
    row.string = pick(Self.strings)
    row.optionalString = maybe(Self.strings)
    row.date = pick(DateShapes.samples)
    row.optionalDate = maybe(DateShapes.samples)
    row.objectId = pick(ObjectIdShapes.samples)
    row.optionalObjectId = maybe(ObjectIdShapes.samples)
    row.uuid = pick(UUIDShapes.samples)
    row.optionalUUID = maybe(UUIDShapes.samples)
    row.suit = pick(Suit.allCases)
    row.optionalSuit = maybe(Suit.allCases)
  }

  private func checkIndexes(_ realm: Realm) {
    let rows = realm.objects(IndexedRow.self)
    let all = Array(rows)
    for value in IntShapes.samples.prefix(8) {
      #expect(rows.where { $0.int == value }.count == all.count { $0.int == value })
      #expect(rows.where { $0.optionalInt == value }.count == all.count { $0.optionalInt == value })
      #expect(rows.where { $0.int > value }.count == all.count { $0.int > value })
    }
    for value in [true, false, nil] {
      #expect(rows.where { $0.optionalBool == value }.count == all.count { $0.optionalBool == value })
    }
    #expect(rows.where { $0.bool == true }.count == all.count { $0.bool })
    for value in Self.strings {
      let same = { (text: String?) in text.map { Array($0.utf8) } == Array(value.utf8) }
      #expect(rows.where { $0.string == value }.count == all.count { same($0.string) })
      #expect(rows.where { $0.optionalString == value }.count == all.count { same($0.optionalString) })
    }
    for value in DateShapes.samples {
      #expect(rows.where { $0.date == value }.count == all.count { $0.date == value })
      #expect(rows.where { $0.optionalDate == value }.count == all.count { $0.optionalDate == value })
    }
    for value in ObjectIdShapes.samples {
      #expect(rows.where { $0.objectId == value }.count == all.count { $0.objectId == value })
      #expect(
        rows.where { $0.optionalObjectId == value }.count == all.count { $0.optionalObjectId == value })
    }
    for value in UUIDShapes.samples {
      #expect(rows.where { $0.uuid == value }.count == all.count { $0.uuid == value })
      #expect(rows.where { $0.optionalUUID == value }.count == all.count { $0.optionalUUID == value })
    }
    for value in Suit.allCases {
      #expect(rows.where { $0.suit == value }.count == all.count { $0.suit == value })
      #expect(rows.where { $0.optionalSuit == value }.count == all.count { $0.optionalSuit == value })
    }
    let nulls = all.count { $0.optionalInt == nil && $0.optionalUUID == nil }
    #expect(rows.where { $0.optionalInt == nil && $0.optionalUUID == nil }.count == nulls)
    #expect(rows.where { $0.optionalString == nil }.count == all.count { $0.optionalString == nil })
  }
}
