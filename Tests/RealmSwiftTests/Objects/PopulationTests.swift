import Foundation
import Testing

@testable import RealmSwift

/// `init(value:)` of unmanaged objects.
@Suite struct PopulationTests {
  @Test func dictionary() {
    let object = EveryScalar(value: [
      "int": 10, "int8": 20, "int16": Int16(30), "int32": 40, "int64": 50, "bool": false, "float": 6.5,
      "double": 7,
      "string": "s", "data": Data([9]), "date": Date(timeIntervalSinceReferenceDate: 1), "decimal": "8.5",
      "objectId": ObjectId("ffffffffffffffffffffffff"), "uuid": "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
      "any": "anything", "mood": "asleep", "temperature": 1.5, "unknown": 1,
    ])
    #expect(
      object.int == 10 && object.int8 == 20 && object.int16 == 30 && object.int32 == 40 && object.int64 == 50)
    #expect(object.bool == false && object.float == 6.5 && object.double == 7 && object.string == "s")
    #expect(object.data == Data([9]) && object.date == Date(timeIntervalSinceReferenceDate: 1))
    #expect(object.decimal == 8.5 && object.objectId.stringValue == String(repeating: "f", count: 24))
    #expect(object.uuid.uuidString == "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF")
    #expect(object.any == .string("anything") && object.mood == .asleep && object.temperature.degrees == 1.5)
    #expect(object.realm == nil)
  }

  @Test func absentKeysKeepTheirDefaults() {
    let object = EveryScalar(value: ["int": 10])
    #expect(object.int == 10 && object.string == "text" && object.mood == .hungry && object.any == .int(7))
  }

  @Test func arrayInDeclarationOrderSuperclassFirst() {
    class OrderedBase: Object {
      @Persisted var a = 0
      @Persisted var b = 0
    }
    class OrderedDerived: OrderedBase {
      @Persisted var c = 0
    }
    let whole = OrderedDerived(value: [1, 2, 3])
    #expect(whole.a == 1 && whole.b == 2 && whole.c == 3)
    let short = OrderedDerived(value: [1])
    #expect(short.a == 1 && short.b == 0 && short.c == 0)
  }

  @Test func otherObjects() {
    class FullRecord: Object {
      @Persisted var name = "full"
      @Persisted var extra = 1
    }
    class PartRecord: Object {
      @Persisted var name = "part"
    }
    #expect(PartRecord(value: FullRecord(value: ["name": "x"])).name == "x")
    let copy = FullRecord(value: FullRecord(value: ["y", 5] as [Any]))
    #expect(copy.name == "y" && copy.extra == 5)
  }

  @Test func objectsAreLinkedAsTheyAreAndValuesBecomeObjects() {
    let pet = HousePet(value: ["id": 1])
    let owner = PetOwner(
      value: [
        "favourite": pet, "pets": [pet, ["id": 2], [3, "Three"]], "home": ["street": "Elm"],
        "petsByName": ["a": pet, "b": ["id": 4], "c": NSNull()],
      ] as [String: Any])
    #expect(owner.favourite === pet)
    #expect(owner.pets[0] === pet)
    #expect(owner.pets.map(\.id) == [1, 2, 3])
    #expect(owner.pets[2].name == "Three")
    #expect(owner.home?.street == "Elm" && owner.home?.number == 1)
    #expect(owner.petsByName["a"] == .some(pet))
    #expect(owner.petsByName["b"]??.id == 4)
    #expect(owner.petsByName["c"] == .some(nil))
  }

  @Test func managedObjectIsKept() throws {
    let scratch = try ScratchRealm(opening: PetOwner.classes)
    try scratch.realm.write { _ = scratch.realm.create(HousePet.self, value: ["id": 1]) }
    let pet = try #require(scratch.realm.objects(HousePet.self).first)
    #expect(PetOwner(value: ["favourite": pet]).favourite === pet)
  }

  @Test func nullAndNilSetNullOrEmpty() {
    let object = EveryOptional(
      value: ["int": 1, "string": "s", "mood": "hungry", "point": ["x": 1.0]] as [String: Any])
    #expect(
      object.int == 1 && object.string == "s" && object.mood == .hungry
        && object.point == PlanePoint(x: 1, y: 0))
    let null = EveryOptional(
      value: ["int": NSNull(), "string": String?.none as Any, "mood": NSNull(), "point": NSNull()]
        as [String: Any])
    #expect(null.int == nil && null.string == nil && null.mood == nil && null.point == nil)
    let empty = PetOwner(value: ["numbers": NSNull(), "scores": NSNull()] as [String: Any])
    #expect(empty.numbers.isEmpty && empty.scores.count == 0)
  }

  @Test func anyCollectionFillsACollection() {
    let list = List<Int>()
    list.append(objectsIn: [1, 2])
    #expect(Array(PetOwner(value: ["numbers": list]).numbers) == [1, 2])
    #expect(Array(PetOwner(value: ["numbers": 1...3]).numbers) == [1, 2, 3])
    #expect(Array(PetOwner(value: ["numbers": NSArray(array: [4, 5])]).numbers) == [4, 5])
    #expect(Set(PetOwner(value: ["tags": ["a", "b"] as Set]).tags) == ["a", "b"])
    #expect(Set(PetOwner(value: ["tags": NSSet(array: ["a"])]).tags) == ["a"])
    #expect(PetOwner(value: ["scores": ["x": 1.5]]).scores["x"] == 1.5)
    #expect(PetOwner(value: ["scores": NSDictionary(dictionary: ["x": 2])]).scores["x"] == 2)
  }

  @Test func collectionIsCopiedAndStaysTheSameInstance() {
    let owner = PetOwner()
    let numbers = owner.numbers
    let other = List<Int>()
    other.append(1)
    owner["numbers"] = other
    #expect(owner.numbers === numbers && numbers !== other)
    #expect(Array(numbers) == [1])
  }

  @Test func objectForALink() {
    let pet = HousePet()
    #expect(ObjectPopulation.object(HousePet.self, from: pet) === pet)
    #expect(ObjectPopulation.object(HousePet.self, from: ["id": 5])?.id == 5)
    #expect(ObjectPopulation.object(HousePet.self, from: [6])?.id == 6)
    #expect(ObjectPopulation.object(HousePet.self, from: 7) == nil)
    #expect(ObjectPopulation.object(HousePet.self, from: PetToy()) == nil)
    #expect(ObjectPopulation.object(HousePet.self, from: NSNull()) == nil)
  }
}
