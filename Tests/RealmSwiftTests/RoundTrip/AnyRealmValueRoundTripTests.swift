import Foundation
import RealmSwift
import Testing

@Suite struct AnyRealmValueRoundTripTests {
  final class AnyShapes: Object {
    @Persisted var value: AnyRealmValue
    @Persisted var list: List<AnyRealmValue>
    @Persisted var set: MutableSet<AnyRealmValue>
    @Persisted var map: Map<String, AnyRealmValue>
  }

  final class AnyTarget: Object {
    @Persisted(primaryKey: true) var name: String
  }

  final class OtherAnyTarget: Object {
    @Persisted var number: Int
  }

  static var values: [AnyRealmValue] {
    var values: [AnyRealmValue] = [
      .none, .bool(true), .bool(false), .decimal128("0.000000000000000000000000000000001"),
      .decimal128("-1234567890.0987654321"), .decimal128(.max),
    ]
    values += IntShapes.samples.map { .int($0) }
    // Equal numbers of two types would be one element of a set.
    values += FloatShapes.samples.filter { $0 != $0.rounded() && !$0.isNaN }.map { .float($0) }
    values += DoubleShapes.samples.filter { $0 != $0.rounded() }.map { .double($0) }
    values += StringShapes.samples.map { .string($0) }
    values += DataShapes.samples.map { .data($0) }
    values += DateShapes.samples.map { .date($0) }
    values += ObjectIdShapes.samples.map { .objectId($0) }
    values += UUIDShapes.samples.map { .uuid($0) }
    return values
  }

  /// Case and content; nested collections by content.
  static func identity(_ value: AnyRealmValue) -> String {
    switch value {
    case .none: "none"
    case .int(let value): "int \(value)"
    case .bool(let value): "bool \(value)"
    case .float(let value): "float \(FloatShapes.identity(value))"
    case .double(let value): "double \(DoubleShapes.identity(value))"
    case .string(let value): "string \(StringShapes.identity(value))"
    case .data(let value): "data \(DataShapes.identity(value))"
    case .date(let value): "date \(DateShapes.identity(value))"
    case .object(let value):
      "object \((value as? AnyTarget)?.name ?? "\((value as? OtherAnyTarget)?.number ?? -1)")"
    case .objectId(let value): "object id \(value)"
    case .decimal128(let value): "decimal \(value)"
    case .uuid(let value): "uuid \(value)"
    case .list(let list): "[\(list.map { identity($0) }.joined(separator: ", "))]"
    case .dictionary(let map):
      "{\(map.map { "\($0.key): \(identity($0.value))" }.sorted().joined(separator: ", "))}"
    }
  }

  static func identities(_ values: some Sequence<AnyRealmValue>) -> [String] { values.map { identity($0) } }

  private static func file() throws -> ScratchRealm {
    ScratchRealm([AnyShapes.self, AnyTarget.self, OtherAnyTarget.self])
  }

  @Test func everyCaseInEveryShape() throws {
    let file = try Self.file()
    let values = Self.values
    let entries = Dictionary(uniqueKeysWithValues: values.enumerated().map { ("key \($0)", $1) })
    func expectAll(_ row: AnyShapes, number: Int) {
      #expect(Self.identity(row.value) == Self.identity(values[number]))
      #expect(Self.identities(row.list) == Self.identities(values))
      #expect(Set(Self.identities(row.set)) == Set(Self.identities(values)))
      #expect(row.set.count == values.count)
      #expect(row.map.count == values.count)
      for (key, value) in entries { #expect(row.map[key].map(Self.identity) == Self.identity(value)) }
    }
    try file.write { realm in
      for (number, value) in values.enumerated() where number % 8 == 0 {
        let row = AnyShapes()
        row.value = value
        row.list.append(objectsIn: values)
        row.set.insert(objectsIn: values)
        for (key, value) in entries { row.map[key] = value }
        expectAll(row, number: number)
        realm.add(row)
        expectAll(row, number: number)
      }
      for value in values { realm.create(AnyShapes.self, value: ["value": value]) }
    }
    try file.read { realm in
      let rows = realm.objects(AnyShapes.self)
      let full = (values.count + 7) / 8
      for number in 0..<full { expectAll(rows[number], number: number * 8) }
      for (number, value) in values.enumerated() {
        #expect(Self.identity(rows[full + number].value) == Self.identity(value))
      }
    }
    // Any value may follow any other.
    try file.write { realm in
      for (number, row) in realm.objects(AnyShapes.self).enumerated() {
        row.value = values[(number * 7 + 3) % values.count]
      }
    }
    try file.read { realm in
      for (number, row) in realm.objects(AnyShapes.self).enumerated() {
        #expect(Self.identity(row.value) == Self.identity(values[(number * 7 + 3) % values.count]))
      }
    }
  }

  /// Each accessor answers for its own case only.
  @Test func onlyItsOwnTypeAnswers() {
    let values: [AnyRealmValue] = [
      .int(1), .bool(true), .float(1), .double(1), .string("1"), .data(Data([1])), .date(Date()),
      .objectId(.generate()), .decimal128(1), .uuid(UUID()), .fromArray([]), .fromDictionary([:]),
      .object(OtherAnyTarget()), .none,
    ]
    for (number, value) in values.enumerated() {
      let answers: [Bool] = [
        value.intValue != nil, value.boolValue != nil, value.floatValue != nil, value.doubleValue != nil,
        value.stringValue != nil, value.dataValue != nil, value.dateValue != nil, value.objectIdValue != nil,
        value.decimal128Value != nil, value.uuidValue != nil, value.listValue != nil,
        value.dictionaryValue != nil, value.object(OtherAnyTarget.self) != nil, value == .none,
      ]
      #expect(answers == values.indices.map { $0 == number })
    }
  }

  @Test func objects() throws {
    let file = try Self.file()
    try file.write { realm in
      let row = AnyShapes()
      let target = AnyTarget(value: ["name": "first"])
      // Reached only through a mixed value, and added for that reason.
      row.value = .object(target)
      row.list.append(.object(OtherAnyTarget(value: ["number": 5])))
      row.list.append(.object(target))
      row.map["target"] = .object(target)
      row.set.insert(.object(target))
      row.set.insert(.object(target))
      realm.add(row)
      #expect(target.realm == realm)
      #expect(row.set.count == 1)
    }
    try file.read { realm in
      let row = try #require(realm.objects(AnyShapes.self).first)
      let target = try #require(realm.object(ofType: AnyTarget.self, forPrimaryKey: "first"))
      #expect(row.value.object(AnyTarget.self) == target)
      #expect(row.value.object(OtherAnyTarget.self) == nil)
      #expect(row.list[0].object(OtherAnyTarget.self)?.number == 5)
      #expect(row.list[1].object(AnyTarget.self) == target)
      #expect(row.map["target"]?.object(AnyTarget.self) == target)
      #expect(row.set.contains(.object(target)))
      #expect(row.value.dynamicObject?["name"] as? String == "first")
      #expect(realm.objects(AnyTarget.self).count == 1)
    }
    // A deleted object leaves null behind, and lists and sets without it.
    try file.write { realm in realm.delete(realm.objects(AnyTarget.self)) }
    try file.read { realm in
      let row = try #require(realm.objects(AnyShapes.self).first)
      #expect(row.value == .none)
      #expect(Self.identities(row.map.values) == ["none"])
      #expect(row.list[0].object(OtherAnyTarget.self)?.number == 5)
    }
  }

  @Test func nestedCollections() throws {
    let file = try Self.file()
    let deep = AnyRealmValue.fromArray([
      .int(1),
      .fromDictionary(["a": .string("x"), "": .none, "list": .fromArray([.bool(true), .fromArray([])])]),
      .fromArray([.fromArray([.fromArray([.double(0.5), .data(Data([1, 2]))])])]), .none,
    ])
    let expected = Self.identity(deep)
    try file.write { realm in
      let row = AnyShapes()
      row.value = deep
      row.list.append(objectsIn: [deep, .int(2), deep])
      row.map["deep"] = deep
      #expect(Self.identity(row.value) == expected)
      realm.add(row)
      #expect(Self.identity(row.value) == expected)
      let raw: [Any] = [
        1, ["a": "x", "": NSNull(), "list": [true, [Any]()] as [Any]] as [String: Any],
        [[[0.5, Data([1, 2])] as [Any]]], NSNull(),
      ]
      realm.create(
        AnyShapes.self, value: ["value": raw, "list": [raw, 2, raw] as [Any], "map": ["deep": raw]])
    }
    try file.read { realm in
      let rows = realm.objects(AnyShapes.self)
      #expect(rows.count == 2)
      for row in rows {
        #expect(Self.identity(row.value) == expected)
        #expect(Self.identities(row.list) == [expected, "int 2", expected])
        #expect(row.map["deep"].map(Self.identity) == expected)
        #expect(row.value.listValue?[1].dictionaryValue?["list"]?.listValue?.count == 2)
      }
    }
    // Changed where they are.
    try file.write { realm in
      let row = realm.objects(AnyShapes.self)[0]
      let list = try #require(row.value.listValue)
      list[0] = .string("changed")
      list[1].dictionaryValue?["a"] = .fromArray([.int(7)])
      list[2].listValue?[0].listValue?.append(.none)
      list.append(.fromDictionary(["new": .uuid(UUIDShapes.samples[0])]))
      row.list[0].listValue?.removeAll()
    }
    try file.read { realm in
      let rows = realm.objects(AnyShapes.self)
      let list = try #require(rows[0].value.listValue)
      #expect(list.count == 5)
      #expect(list[0] == .string("changed"))
      #expect(Self.identity(list[1]) == "{: none, a: [int 7], list: [bool true, []]}")
      #expect(list[2].listValue?[0].listValue?.count == 2)
      #expect(Self.identity(list[4]) == "{new: uuid 00000000-0000-0000-0000-000000000000}")
      #expect(Self.identities(rows[0].list) == ["[]", "int 2", expected])
      #expect(Self.identity(rows[1].value) == expected)
    }
  }

  @Test func nestedCollectionsReplacedByOthers() throws {
    let file = try Self.file()
    let values: [AnyRealmValue] = [
      .fromArray([.int(1), .int(2)]), .fromDictionary(["k": .int(3)]), .string("text"), .fromArray([]), .none,
      .fromDictionary([:]), .fromArray([.fromDictionary(["k": .fromArray([.none])])]), .int(9),
    ]
    try file.write { realm in realm.create(AnyShapes.self, value: ["list": [1, 2]]) }
    for value in values + values.reversed() {
      try file.write { realm in
        let row = try #require(realm.objects(AnyShapes.self).first)
        row.value = value
        row.list[1] = value
        row.map["k"] = value
      }
      try file.read { realm in
        let row = try #require(realm.objects(AnyShapes.self).first)
        #expect(Self.identity(row.value) == Self.identity(value))
        #expect(Self.identities(row.list) == ["int 1", Self.identity(value)])
        #expect(row.map["k"].map(Self.identity) == Self.identity(value))
      }
    }
  }

  /// What counts as equal in the file: numbers of any type by their value.
  @Test func managedSetsCompareNumbersByValue() throws {
    let file = try Self.file()
    try file.write { realm in
      let row = realm.create(AnyShapes.self)
      row.set.insert(objectsIn: [.int(1), .double(1), .float(1), .decimal128(1), .bool(true), .string("1")])
      #expect(row.set.count == 3)
      #expect(row.set.contains(.decimal128(1)))
      row.set.insert(.double(1.5))
      row.set.insert(.decimal128(1.5))
      #expect(row.set.count == 4)
    }
    try file.read { realm in
      let row = try #require(realm.objects(AnyShapes.self).first)
      #expect(Self.identities(row.set).count == 4)
      // Truth values come before numbers, these before texts.
      #expect(row.set[0] == .bool(true))
      #expect(row.set[3] == .string("1"))
    }
  }
}
