import Foundation
import TestSupport
import Testing

@testable import RealmSwift

class MixedHolder: Object {
  @Persisted var any: AnyRealmValue
  @Persisted var label = ""
}

@Suite struct AnyRealmValueTests {
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }

  init() throws { scratch = try ScratchRealm(opening: [MixedHolder.self] + PetOwner.classes) }

  static let id = ObjectId("000102030405060708090a0b")
  static let uuid = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!

  /// Every case that is no object and no collection.
  static var scalars: [AnyRealmValue] {
    [
      .none, .int(.min), .int(0), .int(.max), .bool(true), .bool(false), .float(1.5), .float(-.infinity),
      .double(2.5),
      .double(-0.0), .string(""), .string("é🙂\0x"), .data(Data()), .data(Data([0, 255])),
      .date(Date(timeIntervalSinceReferenceDate: 0.1)), .objectId(id), .decimal128("1.50"), .uuid(uuid),
      .string(String(repeating: "long", count: 1000)),
    ]
  }

  @Test func everyScalarReadsBack() throws {
    for value in Self.scalars {
      let object = MixedHolder()
      object.any = value
      #expect(object.any == value)
      try realm.write { realm.add(object) }
      #expect(object.any == value)
      try realm.write { object.any = .string("other") }
      try realm.write { object.any = value }
      #expect(object.any == value)
    }
    // A second realm instance, which reads what was committed.
    let thread = Thread { [configuration = scratch.configuration] in
      let stored = try! Realm(configuration: configuration).objects(MixedHolder.self).map(\.any)
      precondition(Array(stored) == Self.scalars)
    }
    thread.start()
    try! waitUntil { thread.isFinished }
  }

  @Test func nothingIsConverted() {
    let value = AnyRealmValue.int(1)
    #expect(value.intValue == 1)
    #expect(
      value.doubleValue == nil && value.boolValue == nil && value.floatValue == nil
        && value.stringValue == nil)
    #expect(
      value.decimal128Value == nil && value.dateValue == nil && value.dataValue == nil
        && value.uuidValue == nil)
    #expect(value.objectIdValue == nil && value.listValue == nil && value.dictionaryValue == nil)
    #expect(AnyRealmValue.bool(true).boolValue == true)
    #expect(AnyRealmValue.float(1.5).floatValue == 1.5)
    #expect(AnyRealmValue.double(1.5).doubleValue == 1.5)
    #expect(AnyRealmValue.string("a").stringValue == "a")
    #expect(AnyRealmValue.data(Data([1])).dataValue == Data([1]))
    #expect(AnyRealmValue.date(.distantPast).dateValue == .distantPast)
    #expect(AnyRealmValue.objectId(Self.id).objectIdValue == Self.id)
    #expect(AnyRealmValue.decimal128(3).decimal128Value == 3)
    #expect(AnyRealmValue.uuid(Self.uuid).uuidValue == Self.uuid)
    #expect(AnyRealmValue() == .none)
    #expect(AnyRealmValue.none.intValue == nil)
  }

  @Test func casesAreDistinct() {
    #expect(AnyRealmValue.int(1) != .double(1))
    #expect(AnyRealmValue.int(1) != .bool(true))
    #expect(AnyRealmValue.float(1) != .double(1))
    #expect(Set([AnyRealmValue.int(1), .double(1), .int(1), .none, .none]).count == 3)
    let list = AnyRealmValue.fromArray([.int(1)])
    #expect(list == .fromArray([.int(1)]) && list != .fromArray([.int(2)]))
    #expect(list.hashValue == AnyRealmValue.fromArray([.int(2)]).hashValue)
    #expect(AnyRealmValue.fromDictionary(["a": .int(1)]) == .fromDictionary(["a": .int(1)]))
  }

  @Test func objects() throws {
    let pet = HousePet(value: ["id": 3, "name": "Rex"])
    let object = MixedHolder()
    object.any = .object(pet)
    #expect(object.any.object(HousePet.self) === pet)
    #expect(object.any.object(PetToy.self) == nil)
    #expect(object.any.dynamicObject == nil)
    try realm.write { realm.add(object) }
    #expect(pet.realm == realm)
    #expect(object.any.object(HousePet.self)?.isSameObject(as: pet) == true)
    #expect(object.any.object(PetToy.self) == nil)
    #expect(object.any.dynamicObject?["name"] as? String == "Rex")
    #expect(object.any.object(DynamicObject.self)?["id"] as? Int == 3)
    #expect(object.any == .object(pet))
    try realm.write { object.any = .object(PetToy(value: ["label": "new"])) }
    #expect(object.any.object(PetToy.self)?.label == "new")
    try realm.write { realm.delete(realm.objects(PetToy.self)) }
    #expect(object.any == .none)
  }

  @Test func nestedCollectionsAreLive() throws {
    let object = MixedHolder()
    object.any = .fromDictionary([
      "list": .fromArray([.int(1), .fromDictionary(["deep": .string("x")])]), "number": .double(1.5),
    ])
    #expect(object.any.dictionaryValue?["list"]?.listValue?.count == 2)
    try realm.write { realm.add(object) }
    let dictionary = try #require(object.any.dictionaryValue)
    let list = try #require(dictionary["list"]?.listValue)
    let deep = try #require(list[1].dictionaryValue)
    #expect(deep["deep"] == .string("x"))
    try realm.write {
      deep["deep"] = .string("y")
      list.append(.bool(true))
      dictionary["new"] = .fromArray([.none])
    }
    #expect(object.any.dictionaryValue?["list"]?.listValue?[1].dictionaryValue?["deep"] == .string("y"))
    #expect(object.any.dictionaryValue?["list"]?.listValue?.count == 3)
    #expect(object.any.dictionaryValue?["new"]?.listValue?[0] == AnyRealmValue.none)
    #expect(list.count == 3)
    try realm.write { object.any = .int(1) }
    #expect(dictionary.isInvalidated && list.isInvalidated)
  }

  @Test func storingACollectionStoresACopy() throws {
    let list = List<AnyRealmValue>()
    list.append(.int(1))
    let object = MixedHolder()
    try realm.write {
      realm.add(object)
      object.any = .list(list)
      list.append(.int(2))
    }
    #expect(list.realm == nil)
    #expect(object.any.listValue?.count == 1)
  }

  @Test func nestedObjectsAreAddedAndForgotten() throws {
    let pet = HousePet(value: ["id": 1])
    let object = MixedHolder()
    object.any = .fromArray([.object(pet), .fromDictionary(["p": .object(pet)])])
    try realm.write { realm.add(object) }
    #expect(pet.realm == realm)
    #expect(object.any.listValue?[0].object(HousePet.self)?.id == 1)
    try realm.write { realm.delete(pet) }
    #expect(object.any.listValue?[0] == AnyRealmValue.none)
    #expect(object.any.listValue?[1].dictionaryValue?["p"] == AnyRealmValue.none)
  }

  @Test func rawValuesAreConverted() throws {
    let raw: [String: Any] = [
      "int": Int16(3), "null": NSNull(), "list": [1, [2.5, "x"] as [Any]] as [Any], "flag": true,
      "pet": HousePet(value: [4]),
    ]
    let unmanaged = MixedHolder(value: ["any": raw])
    try realm.write {
      let managed = realm.create(MixedHolder.self, value: ["any": raw])
      for object in [unmanaged, managed] {
        let content = try #require(object.any.dictionaryValue)
        #expect(content.keys.sorted() == ["flag", "int", "list", "null", "pet"])
        #expect(
          content["int"] == .int(3) && content["null"] == AnyRealmValue.none && content["flag"] == .bool(true)
        )
        #expect(content["list"]?.listValue?[1].listValue?[0] == .double(2.5))
        #expect(content["pet"]?.object(HousePet.self)?.id == 4)
      }
      #expect((raw["pet"] as? HousePet)?.realm == nil)
    }
  }

  @Test func updateSkipsNothingThatDiffers() throws {
    class MixedKeyed: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var any: AnyRealmValue
    }
    let scratch = try ScratchRealm(opening: [MixedKeyed.self])
    try scratch.realm.write {
      for policy in [Realm.UpdatePolicy.modified, .all] {
        for value in Self.scalars {
          let object = scratch.realm.create(
            MixedKeyed.self, value: ["id": 1, "any": value] as [String: Any], update: policy)
          #expect(object.any == value)
        }
        scratch.realm.create(
          MixedKeyed.self, value: ["id": 1, "any": [1, 2]] as [String: Any], update: policy)
        scratch.realm.create(
          MixedKeyed.self, value: ["id": 1, "any": [1, 3]] as [String: Any], update: policy)
        #expect(
          scratch.realm.objects(MixedKeyed.self).first?.any.listValue.map { Array($0) } == [.int(1), .int(3)])
      }
    }
  }

  private static func nested(_ levels: Int) -> AnyRealmValue {
    (0..<levels).reduce(.int(1)) { value, level in
      level % 2 == 0 ? .fromArray([value]) : .fromDictionary(["k": value])
    }
  }

  @Test func thousandLevelsOfNesting() throws {
    let object = MixedHolder()
    try realm.write {
      realm.add(object)
      object.any = Self.nested(1_000)
    }
    #expect(object.any.dictionaryValue?["k"]?.listValue?[0].dictionaryValue?.count == 1)
  }

  @Test func moreThanThousandLevels() throws {
    #expect(throws: Realm.Error.self) {
      try realm.write {
        let object = realm.create(MixedHolder.self)
        object.any = Self.nested(1_001)
      }
    }
    #expect(realm.objects(MixedHolder.self).isEmpty)
  }

  @Test func embeddedObjectDoesNotFit() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MixedHolder(value: ["any": HomeAddress()])
    }
    expectStop(result, saying: "for 'mixed' property 'MixedHolder.any'.")
  }

  @Test func replacedCollectionIsInvalid() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = try ScratchRealm(opening: [MixedHolder.self])
      try scratch.realm.write {
        let object = scratch.realm.create(MixedHolder.self, value: ["any": [1, 2]])
        let list = object.any.listValue!
        object.any = .none
        _ = list.count
      }
    }
    expectStop(result, saying: "invalid")
  }
}
