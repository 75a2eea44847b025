import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct KeyValueCodingTests {
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }

  init() throws {
    scratch = try ScratchRealm(opening: PetOwner.classes + [EveryScalar.self, EveryOptional.self])
  }

  /// Every property of a scalar model under its name, as key-value coding gives it.
  private static var scalars: [(String, any Equatable)] {
    [
      ("int", 1), ("int8", Int8(2)), ("int16", Int16(3)), ("int32", Int32(4)), ("int64", Int64(5)),
      ("bool", true),
      ("float", Float(1.5)), ("double", 2.5), ("string", "text"), ("data", Data([1, 2])),
      ("date", Date(timeIntervalSinceReferenceDate: 10)), ("objectId", ObjectId("000102030405060708090a0b")),
      ("decimal", Decimal128(floatLiteral: 1.25)),
      ("uuid", UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!),
      ("any", 7), ("mood", "hungry"), ("temperature", 36.6),
    ]
  }

  private func expectEqual<T: Equatable>(_ value: Any?, _ expected: T, _ name: String) {
    #expect(value as? T == expected, "\(name)")
  }

  @Test(arguments: [false, true]) func readsEveryScalar(_ isManaged: Bool) throws {
    let object = EveryScalar()
    if isManaged { try realm.write { realm.add(object) } }
    for (name, expected) in Self.scalars {
      expectEqual(object[name], expected, name)
      expectEqual(object.value(forKey: name), expected, name)
    }
  }

  @Test(arguments: [false, true]) func readsNull(_ isManaged: Bool) throws {
    let object = EveryOptional()
    if isManaged { try realm.write { realm.add(object) } }
    for property in ClassSchema.of(EveryOptional.self).properties {
      #expect(object[property.name] == nil, "\(property.name)")
    }
  }

  @Test(arguments: [false, true]) func writesAndConverts(_ isManaged: Bool) throws {
    let object = EveryOptional()
    try realm.write {
      if isManaged { realm.add(object) }
      object["int"] = Int8(4)
      object["decimal"] = "1.5"
      object["uuid"] = "00112233-4455-6677-8899-AABBCCDDEEFF"
      object["mood"] = "asleep"
      object["code"] = "xyz"
      object["temperature"] = Celsius(degrees: 3)
      object["point"] = ["x": 1, "y": 2]
      object.setValue("t", forKey: "string")
      #expect(object.int == 4 && object.decimal == 1.5 && object.mood == .asleep && object.string == "t")
      #expect(object.uuid?.uuidString == "00112233-4455-6677-8899-AABBCCDDEEFF")
      #expect(object.code?.letters == "xyz" && object.temperature?.degrees == 3)
      #expect(object.point == PlanePoint(x: 1, y: 2))
      for property in ClassSchema.of(EveryOptional.self).properties { object[property.name] = nil }
    }
    #expect(object.int == nil && object.mood == nil && object.point == nil && object.code == nil)
  }

  @Test(arguments: [false, true]) func linksAndCollections(_ isManaged: Bool) throws {
    let owner = PetOwner()
    let pet = HousePet(value: ["id": 1, "name": "Rex"])
    try realm.write {
      if isManaged { realm.add(owner) }
      owner["favourite"] = pet
      owner["numbers"] = [1, 2, 3]
      owner["tags"] = ["x"]
      owner["scores"] = ["a": 1]
      owner["pets"] = [pet, ["id": 2]] as [Any]
      owner["home"] = ["street": "Elm"]
      owner["any"] = [1, ["k": "v"]] as [Any]
      #expect(owner.favourite?.name == "Rex")
      #expect(owner["favourite"] as? HousePet == owner.favourite)
      #expect((owner["numbers"] as? List<Int>).map { Array($0) } == [1, 2, 3])
      #expect(owner["numbers"] as? List<Int> === owner.numbers)
      #expect(owner.pets.map(\.id) == [1, 2])
      #expect(owner.home?.street == "Elm")
      #expect(owner.any.listValue?[1].dictionaryValue?["k"] == .string("v"))
      owner["numbers"] = nil
      owner["scores"] = NSNull()
      owner["favourite"] = nil
      #expect(owner.numbers.isEmpty && owner.scores.count == 0 && owner.favourite == nil)
    }
    #expect(pet.realm == (isManaged ? realm : nil))
  }

  @Test(arguments: [false, true]) func keyPaths(_ isManaged: Bool) throws {
    let owner = PetOwner(
      value: ["favourite": ["id": 1, "name": "Rex"], "pets": [["id": 2], ["id": 3]]] as [String: Any])
    try realm.write {
      if isManaged { realm.add(owner) }
      #expect(owner.value(forKeyPath: "name") as? String == "nobody")
      #expect(owner.value(forKeyPath: "favourite.name") as? String == "Rex")
      #expect(owner.value(forKeyPath: "home.street") == nil)
      #expect(owner.value(forKeyPath: "pets.id") as? [Int] == [2, 3])
      #expect(owner.value(forKeyPath: "pets.@count") as? Int == 2)
      owner.setValue("Max", forKeyPath: "favourite.name")
      #expect(owner.favourite?.name == "Max")
      owner.setValue("all", forKeyPath: "pets.name")
      #expect(owner.pets.map(\.name) == ["all", "all"])
      owner.setValue("x", forKeyPath: "home.street")
      #expect(owner.home == nil)
    }
  }

  @Test func resultsSetAProperty() throws {
    try realm.write {
      for id in 0..<3 { realm.create(HousePet.self, value: ["id": id]) }
      realm.objects(HousePet.self).setValue(7, forKey: "age")
      realm.create(PetOwner.self, value: ["id": "o"]).setValue(realm.objects(HousePet.self), forKey: "pets")
    }
    #expect(realm.objects(HousePet.self).map(\.age) == [7, 7, 7])
    #expect(realm.objects(PetOwner.self).first?.pets.map(\.id) == [0, 1, 2])
  }

  @Test func dynamicCollections() throws {
    try realm.write {
      let owner = realm.create(
        PetOwner.self,
        value: [
          "id": "o", "pets": [["id": 1, "name": "Rex"]], "toys": [["label": "ball"]],
          "petsByName": ["a": ["id": 2], "b": NSNull()],
        ] as [String: Any])
      let pets = owner.dynamicList("pets")
      #expect(pets.count == 1)
      #expect(pets[0]["name"] as? String == "Rex")
      #expect(owner.dynamicMutableSet("toys").first?["label"] as? String == "ball")
      let map: Map<String, DynamicObject?> = owner.dynamicMap("petsByName")
      #expect(map["a"]??["id"] as? Int == 2)
      #expect(map["b"] == .some(nil))
      pets[0]["name"] = "Max"
      #expect(owner.pets[0].name == "Max")
    }
  }

  @Test func dynamicCollectionsOfValuesHaveACount() throws {
    try realm.write {
      let owner = realm.create(
        PetOwner.self,
        value: ["id": "o", "numbers": [1, 2], "tags": ["x"], "scores": ["a": 1]] as [String: Any])
      #expect(owner.dynamicList("numbers").count == 2)
      #expect(owner.dynamicMutableSet("tags").count == 1)
      let scores: Map<String, DynamicObject?> = owner.dynamicMap("scores")
      #expect(scores.count == 1 && scores.keys.count == 1)
      #expect((owner["numbers"] as? List<Int>)?.count == 2)
      owner.dynamicList("numbers").removeAll()
      #expect(owner.numbers.isEmpty)
    }
  }

  private static let noObjects =
    "The elements of the collection are no objects: object[propertyName] gives it with their type."

  private static func withOwnerOfValues(_ body: (PetOwner) -> Void) throws {
    let scratch = try ScratchRealm(opening: PetOwner.classes)
    try scratch.realm.write {
      body(
        scratch.realm.create(
          PetOwner.self,
          value: ["id": "o", "numbers": [1, 2], "tags": ["x"], "scores": ["a": 1]] as [String: Any]))
    }
  }

  @Test func dynamicListsOfValuesHaveNoObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.withOwnerOfValues { owner in
        _ = owner.dynamicList("numbers")[0]
      }
    }
    expectStop(result, saying: Self.noObjects)
  }

  @Test func dynamicListsInLoopsOfValuesHaveNoObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.withOwnerOfValues { owner in
        for number in owner.dynamicList("numbers") { _ = number }
      }
    }
    expectStop(result, saying: Self.noObjects)
  }

  @Test func dynamicSetsOfValuesHaveNoObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.withOwnerOfValues { owner in
        for tag in owner.dynamicMutableSet("tags") { _ = tag }
      }
    }
    expectStop(result, saying: Self.noObjects)
  }

  @Test func dynamicMapsOfValuesHaveNoObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.withOwnerOfValues { owner in
        _ = (owner.dynamicMap("scores") as Map<String, DynamicObject?>)["a"]
      }
    }
    expectStop(result, saying: Self.noObjects)
  }

  @Test(arguments: [false, true]) func integersOfAllWidthsCanBeCastToInt(_ isManaged: Bool) throws {
    let object = EveryScalar()
    if isManaged { try realm.write { realm.add(object) } }
    for (name, value) in [("int", 1), ("int8", 2), ("int16", 3), ("int32", 4), ("int64", 5)] {
      #expect(object.value(forKey: name) as? Int == value)
      #expect(object[name] as? NSNumber == NSNumber(value: value))
    }
    #expect(object.description.contains("int8 = 2;") && object.description.contains("int = 1;"))
  }

  // MARK: Traps

  @Test func unknownName() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HousePet()["colour"]
    }
    expectStop(result, saying: "Invalid property name 'colour' for class 'HousePet'.")
  }

  @Test func settingAnUnknownName() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      HousePet()["colour"] = "red"
    }
    expectStop(result, saying: "Invalid property name 'colour' for class 'HousePet'.")
  }

  @Test func settingAWrongValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      HousePet()["age"] = "old"
    }
    expectStop(result, saying: "Invalid value 'old' of type 'String' for 'int?' property 'HousePet.age'.")
  }

  @Test func settingNilWhereItIsNotAllowed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      HousePet()["name"] = nil
    }
    expectStop(
      result, saying: "Invalid value '(null)' of type '(null)' for 'string' property 'HousePet.name'.")
  }

  @Test func settingThePrimaryKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = try ScratchRealm(opening: PetOwner.classes)
      try scratch.realm.write {
        let pet = scratch.realm.create(HousePet.self, value: ["id": 1])
        pet["id"] = 2
      }
    }
    expectStop(result, saying: "Primary key can't be changed to '2' after an object is inserted.")
  }

  @Test func settingLinkingObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      HousePet()["owners"] = [PetOwner()]
    }
    expectStop(result, saying: "LinkingObjects properties are read-only")
  }

  @Test func settingOutsideAWrite() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = try ScratchRealm(opening: PetOwner.classes)
      let pet = HousePet()
      try scratch.realm.write { scratch.realm.add(pet) }
      pet["name"] = "x"
    }
    expectStop(result, saying: "Attempting to modify object outside of a write transaction")
  }

  @Test func readingADeletedObject() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = try ScratchRealm(opening: PetOwner.classes)
      let pet = HousePet()
      try scratch.realm.write {
        scratch.realm.add(pet)
        scratch.realm.delete(pet)
      }
      _ = pet["name"]
    }
    expectStop(result, saying: "Object has been deleted or invalidated.")
  }
}
