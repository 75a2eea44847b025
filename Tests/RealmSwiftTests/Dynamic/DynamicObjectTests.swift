import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct DynamicObjectTests {
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }

  init() throws {
    scratch = try ScratchRealm(opening: PetOwner.classes + [EveryScalar.self, EveryOptional.self])
  }

  @Test func scalarsByTheirStoredTypes() throws {
    try realm.write { realm.add(EveryScalar()) }
    let object = try #require(realm.dynamicObjects("EveryScalar").first)
    for (name, value) in [("int", 1), ("int8", 2), ("int16", 3), ("int32", 4), ("int64", 5)] {
      #expect(object[name] as? Int == value)
    }
    #expect(object.bool as? Bool == true && object.float as? Float == 1.5 && object.double as? Double == 2.5)
    #expect(object.string as? String == "text" && object.data as? Data == Data([1, 2]))
    #expect(object.date as? Date == Date(timeIntervalSinceReferenceDate: 10))
    #expect((object.objectId as? ObjectId)?.stringValue == "000102030405060708090a0b")
    #expect(object.decimal as? Decimal128 == 1.25)
    #expect((object.uuid as? UUID)?.uuidString == "00112233-4455-6677-8899-AABBCCDDEEFF")
    #expect(
      object.any as? Int == 7 && object.mood as? String == "hungry" && object.temperature as? Double == 36.6)
    #expect(object.value(forKey: "int") as? Int == 1)
    #expect(object.value(forUndefinedKey: "int") as? Int == 1)
  }

  @Test func null() throws {
    try realm.write { realm.add(EveryOptional()) }
    let object = try #require(realm.dynamicObjects("EveryOptional").first)
    for property in ClassSchema.of(EveryOptional.self).properties { #expect(object[property.name] == nil) }
  }

  @Test func writing() throws {
    try realm.write {
      realm.add(EveryScalar())
      realm.add(EveryOptional())
    }
    let dynamic = try #require(realm.dynamicObjects("EveryScalar").first)
    let object = try #require(realm.objects(EveryScalar.self).first)
    try realm.write {
      dynamic.int8 = 100
      dynamic["bool"] = 0
      dynamic.float = 0.25
      dynamic.string = "new"
      dynamic.decimal = "7.5"
      dynamic.mood = "asleep"
      dynamic.any = [1, "x"] as [Any]
      let optional = try #require(realm.dynamicObjects("EveryOptional").first)
      optional.int = 4
      optional.int = nil
      optional.point = ["x": 2.0]
    }
    #expect(object.int8 == 100 && !object.bool && object.float == 0.25 && object.string == "new")
    #expect(object.decimal == 7.5 && object.mood == .asleep)
    #expect(object.any.listValue.map { Array($0) } == [.int(1), .string("x")])
    #expect(realm.objects(EveryOptional.self).first?.int == nil)
    #expect(realm.objects(EveryOptional.self).first?.point == PlanePoint(x: 2, y: 0))
  }

  @Test func linksAndCollections() throws {
    try realm.write {
      realm.create(
        PetOwner.self,
        value: [
          "id": "o", "favourite": ["id": 1, "name": "Rex"], "pets": [["id": 1], ["id": 2]],
          "petsByName": ["a": ["id": 3]], "toys": [["label": "ball"]], "numbers": [1, 2], "tags": ["t"],
          "scores": ["s": 1.5], "moods": ["asleep"], "anys": [1, "x"], "home": ["street": "Elm"],
        ] as [String: Any], update: .modified)
      // The same pet twice in one value is the one that exists by then.
    }
    let owner = try #require(realm.dynamicObject(ofType: "PetOwner", forPrimaryKey: "o"))
    let favourite = try #require(owner.favourite as? HousePet)
    #expect(favourite.name == "Rex")
    #expect((owner.pets as? List<DynamicObject>)?.map { $0.id as? Int } == [1, 2])
    #expect((owner.petsByName as? Map<String, DynamicObject?>)?["a"]??.id as? Int == 3)
    #expect((owner.toys as? MutableSet<DynamicObject>)?.first?.label as? String == "ball")
    #expect((owner.numbers as? List<Int>).map { Array($0) } == [1, 2])
    #expect((owner.tags as? MutableSet<String>).map { Array($0) } == ["t"])
    #expect((owner.scores as? Map<String, Double>)?["s"] == 1.5)
    #expect((owner.moods as? List<String>).map { Array($0) } == ["asleep"])
    #expect((owner.anys as? List<AnyRealmValue>).map { Array($0) } == [.int(1), .string("x")])
    #expect((owner.home as? HomeAddress)?.street == "Elm")
    let pet = try #require(realm.dynamicObject(ofType: "HousePet", forPrimaryKey: 1))
    let owners = try #require(pet.admirers as? LinkingObjects<DynamicObject>)
    #expect(owners.map { $0.id as? String } == ["o"])
    #expect(owner.value(forKeyPath: "favourite.name") as? String == "Rex")
    try realm.write {
      owner.setValue("Max", forKeyPath: "favourite.name")
      owner.numbers = [3]
      owner.favourite = realm.object(ofType: HousePet.self, forPrimaryKey: 2)
      (owner.pets as? List<DynamicObject>)?.removeAll()
    }
    let typed = try #require(realm.objects(PetOwner.self).first)
    #expect(favourite.name == "Max" && typed.favourite?.id == 2)
    #expect(Array(typed.numbers) == [3] && typed.pets.isEmpty)
    try realm.write { owner.favourite = nil }
    #expect(typed.favourite == nil)
  }

  @Test func queriesOfDynamicCollections() throws {
    try realm.write {
      realm.create(
        PetOwner.self,
        value: ["id": "o", "pets": [["id": 1], ["id": 2], ["id": 3]], "favourite": ["id": 4]] as [String: Any]
      )
    }
    let owner = try #require(realm.dynamicObjects("PetOwner").first)
    let pets = try #require(owner.pets as? List<DynamicObject>)
    #expect(pets.filter("id > 1").map { $0.id as? Int } == [2, 3])
    #expect(pets.sorted(byKeyPath: "id", ascending: false).first?.id as? Int == 3)
    #expect(pets.value(forKey: "id") as? [Int] == [1, 2, 3])
    #expect(realm.dynamicObjects("HousePet").sorted(byKeyPath: "id").last?.id as? Int == 4)
    let favourite = try #require(realm.dynamicObject(ofType: "HousePet", forPrimaryKey: 4))
    let admirers = try #require(favourite.admirers as? LinkingObjects<DynamicObject>)
    #expect(admirers.filter("id == 'o'").first?.isSameObject(as: owner) == true)
    for pet in pets { #expect(type(of: pet) == DynamicObject.self) }
    for pet in realm.dynamicObjects("HousePet") { #expect(type(of: pet) == DynamicObject.self) }
  }

  @Test func schemaOfADynamicObject() throws {
    class RenamedDynamic: Object {
      @Persisted var swiftName = 0
      override class func propertiesMapping() -> [String: String] { ["swiftName": "stored_name"] }
    }
    let scratch = try ScratchRealm(opening: [RenamedDynamic.self])
    try scratch.realm.write { scratch.realm.dynamicCreate("RenamedDynamic", value: ["swiftName": 3]) }
    let object = try #require(scratch.realm.dynamicObjects("RenamedDynamic").first)
    #expect(object.swiftName as? Int == 3)
    #expect(object.objectSchema.className == "RenamedDynamic")
    #expect(object.objectSchema.properties.map(\.name) == ["swiftName"])
    #expect(object.objectSchema.properties.map(\.columnName) == ["stored_name"])
  }

  @Test func unmanagedObjectAsALinkIsAdded() throws {
    let pet = HousePet(value: ["id": 8])
    try realm.write {
      let owner = realm.dynamicCreate("PetOwner", value: ["id": "o"])
      owner.favourite = pet
    }
    #expect(pet.realm == realm)
    #expect(realm.objects(PetOwner.self).first?.favourite?.id == 8)
  }

  @Test func create() throws {
    try realm.write {
      let pet = realm.dynamicCreate("HousePet", value: ["id": 1, "age": 3])
      #expect(pet.name as? String == "unnamed" && pet.age as? Int == 3)
      let same = realm.dynamicCreate("HousePet", value: ["id": 1, "name": "Rex"], update: .modified)
      #expect(same.age as? Int == 3 && pet.name as? String == "Rex")
      #expect(same == pet && same.hashValue == pet.hashValue)
      let positional = realm.dynamicCreate("HousePet", value: [2, "Max", 5] as [Any])
      #expect(positional.id as? Int == 2)
    }
    #expect(realm.objects(HousePet.self).count == 2)
    #expect(realm.dynamicObjects("HousePet").count == 2)
    #expect(realm.dynamicObjects("HousePet").filter("name == 'Rex'").count == 1)
    #expect(realm.dynamicObject(ofType: "HousePet", forPrimaryKey: 3) == nil)
  }

  @Test func classesThatTheProgramLacks() throws {
    try realm.write {
      realm.create(
        PetOwner.self,
        value: ["id": "o", "favourite": ["id": 1, "name": "Rex"], "any": PetToy(value: ["ball"])]
          as [String: Any])
    }
    let path = scratch.folder.appending(path: "copy.realm")
    try realm.writeCopy(toFile: path)
    // Only one of the classes: the others are there in the file alone.
    let other = try Realm(configuration: Realm.Configuration(fileURL: path, objectTypes: [PetToy.self]))
    let owner = try #require(other.dynamicObjects("PetOwner").first)
    #expect(owner.classSchema.className == "PetOwner")
    #expect(owner.name as? String == "nobody")
    #expect((owner.favourite as? DynamicObject)?.name as? String == "Rex")
    #expect((owner.any as? DynamicObject)?.label as? String == "ball")
    try other.write {
      let pet = other.dynamicCreate("HousePet", value: ["id": 2, "name": "New"])
      #expect(pet.age == nil)
      (owner.pets as? List<DynamicObject>)?.append(pet)
      owner.location = ["x": 1.0, "y": 2.0]
    }
    #expect((owner.pets as? List<DynamicObject>)?.first?.name as? String == "New")
    #expect(owner.description.hasPrefix("PetOwner {\n\tid = o;\n"))
  }

  @Test func identity() throws {
    try realm.write { _ = realm.create(PetToy.self) }
    let first = try #require(realm.dynamicObjects("PetToy").first)
    let second = try #require(realm.dynamicObjects("PetToy").first)
    #expect(first.isSameObject(as: second))
    #expect(first != second)
    #expect(!ClassDiscovery.classes.contains { $0 == DynamicObject.self })
    try realm.write { realm.delete(first) }
    #expect(second.isInvalidated && realm.objects(PetToy.self).isEmpty)
  }

  // MARK: Traps

  private static func withPet(_ block: (Realm, DynamicObject) -> Void) {
    let scratch = try! ScratchRealm(opening: PetOwner.classes)
    try! scratch.realm.write {
      block(scratch.realm, scratch.realm.dynamicCreate("HousePet", value: ["id": 1]))
    }
  }

  @Test func unknownName() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.withPet { _ = $1.colour }
    }
    expectStop(result, saying: "Invalid property name 'colour' for class 'HousePet'.")
  }

  @Test func wrongValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.withPet { $1.age = "old" }
    }
    expectStop(result, saying: "Invalid value 'old' of type 'String' for 'int?' property 'HousePet.age'.")
  }

  @Test func primaryKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.withPet { $1.id = 2 }
    }
    expectStop(result, saying: "Primary key can't be changed to '2' after an object is inserted.")
  }

  @Test func unknownClass() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.withPet { realm, _ in realm.dynamicCreate("Nothing") }
    }
    expectStop(result, saying: "Object type 'Nothing' is not managed by the Realm.")
  }

  /// Defaults of the class are not in the file.
  @Test func missingValueOfAClassThatTheProgramLacks() throws {
    let path = scratch.folder.appending(path: "copy.realm")
    try realm.writeCopy(toFile: path)
    let other = try Realm(configuration: Realm.Configuration(fileURL: path, objectTypes: [PetToy.self]))
    try other.write { _ = other.dynamicCreate("HousePet", value: ["id": 2]) }
    #expect(other.dynamicObject(ofType: "HousePet", forPrimaryKey: 2)?.name as? String == "")
  }

  @Test func missingPrimaryKeyOfAClassWithoutDefaults() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = try ScratchRealm(opening: PetOwner.classes)
      let path = scratch.folder.appending(path: "copy.realm")
      try scratch.realm.writeCopy(toFile: path)
      let other = try Realm(configuration: Realm.Configuration(fileURL: path, objectTypes: [PetToy.self]))
      try other.write { _ = other.dynamicCreate("HousePet", value: ["name": "x"]) }
    }
    expectStop(result, saying: "Missing value for property 'HousePet.id'.")
  }

  @Test func primaryKeyOfAnotherType() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.withPet { realm, _ in _ = realm.dynamicObject(ofType: "HousePet", forPrimaryKey: "one") }
    }
    expectStop(result, saying: "Invalid value 'one' of type 'String' for 'int' property 'HousePet.id'.")
  }

  @Test func nullPrimaryKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.withPet { realm, _ in _ = realm.dynamicObject(ofType: "HousePet", forPrimaryKey: NSNull()) }
    }
    expectStop(result, saying: "Invalid null value for non-nullable primary key 'HousePet.id'.")
  }

  @Test func noPrimaryKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.withPet { realm, _ in _ = realm.dynamicObject(ofType: "PetToy", forPrimaryKey: 1) }
    }
    expectStop(result, saying: "'PetToy' does not have a primary key defined")
  }
}
