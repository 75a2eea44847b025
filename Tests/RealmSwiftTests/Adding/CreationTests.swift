import Foundation
import Testing

@testable import RealmSwift

@Suite struct CreationTests {
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }

  init() throws { scratch = try ScratchRealm(opening: PetOwner.classes) }

  @Test func dictionaryMakesAnObjectAndTheRestIsDefaults() throws {
    try realm.write {
      let pet = realm.create(HousePet.self, value: ["id": 3, "age": 4])
      #expect(pet.id == 3)
      #expect(pet.name == "unnamed")
      #expect(pet.age == 4)
      #expect(pet.realm == realm)
    }
    #expect(realm.objects(HousePet.self).count == 1)
    #expect(realm.object(ofType: HousePet.self, forPrimaryKey: 3)?.age == 4)
  }

  @Test func arrayIsPositionalAndMayBeShort() throws {
    try realm.write {
      let whole = realm.create(HousePet.self, value: [1, "Rex", 5] as [Any])
      #expect(whole.id == 1 && whole.name == "Rex" && whole.age == 5)
      let short = realm.create(HousePet.self, value: [2, "Fido"] as [Any])
      #expect(short.id == 2 && short.name == "Fido" && short.age == nil)
    }
  }

  @Test func unknownKeysAndLinkingObjectsAreIgnored() throws {
    try realm.write {
      let pet = realm.create(
        HousePet.self, value: ["id": 1, "colour": "red", "owners": [1, 2]] as [String: Any])
      #expect(pet.owners.isEmpty)
    }
  }

  @Test func defaultsComeFromANewObjectEachTime() throws {
    class StampedRecord: Object {
      @Persisted(primaryKey: true) var id = ObjectId.generate()
      @Persisted var token = UUID()
    }
    let scratch = try ScratchRealm(opening: [StampedRecord.self])
    try scratch.realm.write {
      let first = scratch.realm.create(StampedRecord.self)
      let second = scratch.realm.create(StampedRecord.self)
      #expect(first.id != second.id)
      #expect(first.token != second.token)
    }
  }

  @Test func objectsAreCopied() throws {
    let pet = HousePet(value: ["id": 9, "name": "Wolfie"])
    let owner = PetOwner(value: ["id": "a", "favourite": pet, "pets": [pet, pet]] as [String: Any])
    try realm.write {
      let copy = realm.create(PetOwner.self, value: owner)
      #expect(copy !== owner)
      #expect(owner.realm == nil)
      #expect(pet.realm == nil)
      #expect(copy.favourite?.name == "Wolfie")
      #expect(copy.pets.map(\.id) == [9, 9])
    }
    #expect(realm.objects(HousePet.self).count == 1)
  }

  @Test func cyclesEnd() throws {
    let first = PetToy(value: ["label": "first"])
    let second = PetToy(value: ["label": "second", "next": first])
    first.next = second
    try realm.write {
      let copy = realm.create(PetToy.self, value: first)
      #expect(copy.next?.label == "second")
      #expect(copy.next?.next?.isSameObject(as: copy) == true)
    }
    #expect(realm.objects(PetToy.self).count == 2)
  }

  @Test func objectsOfThisRealmAreLinkedAndThoseOfAnotherCopied() throws {
    let other = try ScratchRealm(opening: PetOwner.classes)
    try other.realm.write {
      other.realm.create(
        PetOwner.self, value: ["id": "o", "favourite": ["id": 5, "name": "far"]] as [String: Any])
    }
    let foreign = try #require(other.realm.object(ofType: PetOwner.self, forPrimaryKey: "o"))
    try realm.write {
      let own = realm.create(HousePet.self, value: ["id": 1, "name": "near"])
      let owner = realm.create(PetOwner.self, value: ["id": "a", "favourite": own] as [String: Any])
      #expect(owner.favourite?.isSameObject(as: own) == true)
      let copy = realm.create(PetOwner.self, value: foreign)
      #expect(copy.favourite?.name == "far")
      #expect(copy.favourite?.realm == realm)
    }
    #expect(realm.objects(HousePet.self).count == 2)
    #expect(other.realm.objects(HousePet.self).count == 1)
  }

  @Test func frozenStyleCopyOfAManagedObjectWithoutKey() throws {
    try realm.write {
      let toy = realm.create(PetToy.self, value: ["label": "ball"])
      let copy = realm.create(PetToy.self, value: toy)
      #expect(!copy.isSameObject(as: toy))
      #expect(copy.label == "ball")
    }
    #expect(realm.objects(PetToy.self).count == 2)
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func managedObjectIsReturnedWhenUpdating(_ policy: Realm.UpdatePolicy) throws {
    try realm.write {
      let pet = realm.create(HousePet.self, value: ["id": 1])
      #expect(realm.create(HousePet.self, value: pet, update: policy).isSameObject(as: pet))
    }
    #expect(realm.objects(HousePet.self).count == 1)
  }

  @Test func embeddedObjectsAreCopiedEvenWhenManaged() throws {
    try realm.write {
      let first = realm.create(
        PetOwner.self, value: ["id": "1", "home": ["street": "Elm", "number": 3]] as [String: Any])
      let home = try #require(first.home)
      let second = realm.create(PetOwner.self, value: ["id": "2", "home": home] as [String: Any])
      #expect(second.home?.street == "Elm")
      #expect(second.home?.isSameObject(as: home) == false)
      #expect(first.home?.isSameObject(as: home) == true)
    }
  }

  @Test func everyPropertyFromNestedValues() throws {
    try realm.write {
      let owner = realm.create(
        PetOwner.self,
        value: [
          "id": "x", "favourite": [4, "Tom"], "pets": [["id": 5], [6, "Six"]],
          "toys": [["label": "a"], ["label": "b"]], "petsByName": ["p": ["id": 7], "n": NSNull()],
          "home": ["street": "Oak"], "addresses": [["number": 1], ["number": 2]],
          "addressByCity": ["Rome": ["street": "Via"]], "numbers": [3, 1, 2], "tags": ["x", "y", "x"],
          "scores": ["a": 1, "b": 2.5], "moods": ["asleep", PetMood.hungry],
          "points": [PlanePoint(x: 1, y: 2), [3.0, 4.0]],
          "any": ["k": [1, "two", NSNull()]], "anys": [1, "s", true], "location": ["x": 8.0], "email": "x@y",
        ] as [String: Any])
      #expect(owner.favourite?.name == "Tom")
      #expect(owner.pets.map(\.id) == [5, 6])
      #expect(owner.pets.map(\.name) == ["unnamed", "Six"])
      #expect(Set(owner.toys.map(\.label)) == ["a", "b"])
      #expect(owner.petsByName["p"]??.id == 7)
      #expect(owner.petsByName["n"] == .some(nil))
      #expect(owner.home?.street == "Oak")
      #expect(owner.addresses.map(\.number) == [1, 2])
      #expect(owner.addressByCity["Rome"]??.street == "Via")
      #expect(Array(owner.numbers) == [3, 1, 2])
      #expect(Set(owner.tags) == ["x", "y"])
      #expect(owner.scores["a"] == 1 && owner.scores["b"] == 2.5)
      #expect(Array(owner.moods) == [.asleep, .hungry])
      #expect(Array(owner.points) == [PlanePoint(x: 1, y: 2), PlanePoint(x: 3, y: 4)])
      let list = owner.any.dictionaryValue?["k"]?.listValue
      #expect(list.map { Array($0) } == [.int(1), .string("two"), .none])
      #expect(Array(owner.anys) == [.int(1), .string("s"), .bool(true)])
      #expect(owner.location == PlanePoint(x: 8, y: 0))
      #expect(owner.email == "x@y")
    }
  }

  @Test func jsonAsItComes() throws {
    let text = """
      {"id": "j", "name": "Jay", "numbers": [1, 2], "scores": {"a": 1, "b": 0.5}, "favourite": {"id": 1, "age": null},
       "unknown": {"deep": []}, "any": [true, 1, 1.5, null, "x"], "home": null}
      """
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
    try realm.write {
      let owner = realm.create(PetOwner.self, value: json)
      #expect(owner.name == "Jay")
      #expect(Array(owner.numbers) == [1, 2])
      #expect(owner.scores["a"] == 1)
      #expect(owner.favourite?.age == nil)
      #expect(owner.home == nil)
      let values = try #require(owner.any.listValue)
      #expect(Array(values) == [.bool(true), .int(1), .double(1.5), .none, .string("x")])
    }
  }

  @Test func optionalInAnAnyIsLookedInto() throws {
    let dictionary: [String: Any]? = ["id": 1, "age": Int?.none as Any, "name": String?.some("Bo") as Any]
    try realm.write {
      let pet = realm.create(HousePet.self, value: dictionary as Any)
      #expect(pet.name == "Bo" && pet.age == nil)
    }
  }
}
