import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct UpsertTests {
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }

  init() throws { scratch = try ScratchRealm(opening: PetOwner.classes) }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func onlySuppliedKeysAreWritten(_ policy: Realm.UpdatePolicy) throws {
    try realm.write {
      realm.create(HousePet.self, value: ["id": 1, "name": "Rex", "age": 3] as [String: Any])
      let pet = realm.create(HousePet.self, value: ["id": 1, "age": 4], update: policy)
      #expect(pet.name == "Rex" && pet.age == 4)
      realm.create(HousePet.self, value: ["id": 1, "age": NSNull()] as [String: Any], update: policy)
      #expect(pet.name == "Rex" && pet.age == nil)
      realm.create(HousePet.self, value: [1, "Max"] as [Any], update: policy)
      #expect(pet.name == "Max" && pet.age == nil)
    }
    #expect(realm.objects(HousePet.self).count == 1)
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func newKeyMakesAnObject(_ policy: Realm.UpdatePolicy) throws {
    try realm.write {
      realm.create(HousePet.self, value: ["id": 1], update: policy)
      realm.create(HousePet.self, value: ["id": 2], update: policy)
    }
    #expect(realm.objects(HousePet.self).count == 2)
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func unmanagedObjectSuppliesEverything(_ policy: Realm.UpdatePolicy) throws {
    try realm.write {
      realm.create(HousePet.self, value: ["id": 1, "name": "Rex", "age": 3] as [String: Any])
      let pet = realm.create(HousePet.self, value: HousePet(value: ["id": 1]), update: policy)
      #expect(pet.name == "unnamed" && pet.age == nil)
    }
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func linkedObjectsAreUpserted(_ policy: Realm.UpdatePolicy) throws {
    try realm.write {
      realm.create(HousePet.self, value: ["id": 1, "name": "Rex", "age": 3] as [String: Any])
      let owner = realm.create(
        PetOwner.self,
        value: ["id": "a", "favourite": ["id": 1, "age": 4], "pets": [["id": 1], ["id": 2]]] as [String: Any],
        update: policy)
      #expect(owner.favourite?.name == "Rex")
      #expect(owner.favourite?.age == 4)
      #expect(owner.pets.map(\.id) == [1, 2])
      // Objects without a primary key are new each time.
      realm.create(
        PetOwner.self, value: ["id": "a", "toys": [["label": "x"]]] as [String: Any], update: policy)
      realm.create(
        PetOwner.self, value: ["id": "a", "toys": [["label": "x"]]] as [String: Any], update: policy)
      #expect(owner.toys.count == 1)
    }
    #expect(realm.objects(HousePet.self).count == 2)
    #expect(realm.objects(PetToy.self).count == 2)
  }

  @Test func embeddedObjectIsUpdatedInPlaceWhenModified() throws {
    try realm.write {
      let owner = realm.create(
        PetOwner.self, value: ["id": "a", "home": ["street": "Elm", "number": 3]] as [String: Any])
      let home = try #require(owner.home)
      realm.create(
        PetOwner.self, value: ["id": "a", "home": ["number": 4]] as [String: Any], update: .modified)
      #expect(!home.isInvalidated)
      #expect(home.street == "Elm" && home.number == 4)
      #expect(owner.home?.isSameObject(as: home) == true)
    }
  }

  @Test func embeddedObjectIsMadeAnewWhenAll() throws {
    try realm.write {
      let owner = realm.create(
        PetOwner.self, value: ["id": "a", "home": ["street": "Elm", "number": 3]] as [String: Any])
      let home = try #require(owner.home)
      realm.create(PetOwner.self, value: ["id": "a", "home": ["number": 4]] as [String: Any], update: .all)
      #expect(home.isInvalidated)
      #expect(owner.home?.street == "?" && owner.home?.number == 4)
    }
  }

  @Test func embeddedListIsUpdatedInPlaceWhenModified() throws {
    try realm.write {
      let owner = realm.create(
        PetOwner.self,
        value: ["id": "a", "addresses": [["street": "A"], ["street": "B"], ["street": "C"]]] as [String: Any])
      let first = owner.addresses[0]
      let third = owner.addresses[2]
      realm.create(
        PetOwner.self, value: ["id": "a", "addresses": [["number": 7], ["street": "b"]]] as [String: Any],
        update: .modified)
      #expect(!first.isInvalidated && third.isInvalidated)
      #expect(owner.addresses.map(\.street) == ["A", "b"])
      #expect(owner.addresses.map(\.number) == [7, 1])
      realm.create(
        PetOwner.self,
        value: ["id": "a", "addresses": [["number": 8], ["number": 9], ["number": 10]]] as [String: Any],
        update: .all)
      #expect(first.isInvalidated)
      #expect(owner.addresses.map(\.street) == ["?", "?", "?"])
      #expect(owner.addresses.map(\.number) == [8, 9, 10])
    }
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func collectionsAreReplaced(_ policy: Realm.UpdatePolicy) throws {
    try realm.write {
      let owner = realm.create(
        PetOwner.self,
        value: [
          "id": "a", "numbers": [1, 2, 3], "tags": ["x", "y"], "scores": ["a": 1.0, "b": 2.0],
          "addressByCity": ["Rome": ["street": "Via"], "Oslo": ["street": "Gate"]],
        ] as [String: Any])
      let (numbers, scores) = (owner.numbers, owner.scores)
      realm.create(
        PetOwner.self,
        value: [
          "id": "a", "numbers": [1, 5], "tags": ["y", "z"], "scores": ["b": 3.0, "c": 4.0],
          "addressByCity": ["Rome": ["number": 2]],
        ] as [String: Any], update: policy)
      #expect(Array(numbers) == [1, 5])
      #expect(Set(owner.tags) == ["y", "z"])
      #expect(scores.keys == ["b", "c"] && scores.values == [3, 4])
      #expect(owner.addressByCity.keys == ["Rome"])
      #expect(owner.addressByCity["Rome"]??.street == (policy == .modified ? "Via" : "?"))
      realm.create(
        PetOwner.self,
        value: ["id": "a", "numbers": NSNull(), "scores": [:] as [String: Any]] as [String: Any],
        update: policy)
      #expect(numbers.isEmpty && scores.count == 0 && owner.tags.count == 2)
      #expect(owner.name == "nobody")
    }
  }

  @Test func listFromItself() throws {
    try realm.write {
      let owner = realm.create(
        PetOwner.self,
        value: ["id": "a", "numbers": [1, 2], "pets": [[1], [2]], "addresses": [["street": "A"]]]
          as [String: Any])
      realm.create(
        PetOwner.self,
        value: ["id": "a", "numbers": owner.numbers, "pets": owner.pets, "addresses": owner.addresses]
          as [String: Any],
        update: .all)
      #expect(Array(owner.numbers) == [1, 2])
      #expect(owner.pets.map(\.id) == [1, 2])
      #expect(owner.addresses.map(\.street) == ["A"])
    }
  }

  @Test func equalValuesAreNotWrittenWhenModified() throws {
    let value: [String: Any] = [
      "id": "a", "name": "n", "favourite": ["id": 1, "name": "Rex", "age": NSNull()] as [String: Any],
      "pets": [["id": 1], ["id": 2]], "petsByName": ["x": ["id": 1]], "home": ["street": "Elm"],
      "addresses": [["number": 1]], "addressByCity": ["Rome": ["number": 2]], "numbers": [1, 2],
      "tags": ["a", "b"],
      "scores": ["k": 1.0], "moods": ["asleep"], "any": ["k": [1, "x"] as [Any]], "anys": [1, "x"] as [Any],
      "email": "e",
    ]
    try realm.write {
      realm.create(PetOwner.self, value: value, update: .modified)
      let stamp = realm.core.snapshot.contentStamp
      realm.create(PetOwner.self, value: value, update: .modified)
      #expect(realm.core.snapshot.contentStamp == stamp)
      realm.create(PetOwner.self, value: ["id": "a", "name": "m"], update: .modified)
      #expect(realm.core.snapshot.contentStamp != stamp)
      let later = realm.core.snapshot.contentStamp
      realm.create(PetOwner.self, value: ["id": "a", "name": "m"], update: .all)
      #expect(realm.core.snapshot.contentStamp != later)
    }
  }

  @Test func indexFollows() throws {
    try realm.write {
      realm.create(PetOwner.self, value: ["id": "a", "email": "old"])
      realm.create(PetOwner.self, value: ["id": "a", "email": "new"], update: .modified)
      realm.create(PetOwner.self, value: ["id": "b"], update: .modified)
    }
    let owners = realm.objects(PetOwner.self)
    #expect(owners.filter("email == 'old'").isEmpty)
    #expect(owners.filter("email == 'new'").map(\.id) == ["a"])
    #expect(owners.filter("email == nil").map(\.id) == ["b"])
  }

  @Test func manyUpsertsAgainstAModel() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("manyUpsertsAgainstAModel seed", seed)
    var random = SeededGenerator(seed: seed)
    var model: [Int: (name: String, age: Int?)] = [:]
    for _ in 0..<20 {
      try realm.write {
        for _ in 0..<200 {
          let id = Int.random(in: 0..<150, using: &random)
          var value: [String: Any] = ["id": id]
          var expected = model[id] ?? ("unnamed", nil)
          if Bool.random(using: &random) {
            expected.name = "n\(Int.random(in: 0..<3, using: &random))"
            value["name"] = expected.name
          }
          if Bool.random(using: &random) {
            expected.age = Bool.random(using: &random) ? nil : Int.random(in: 0..<3, using: &random)
            value["age"] = expected.age as Any
          }
          realm.create(HousePet.self, value: value, update: Bool.random(using: &random) ? .modified : .all)
          model[id] = expected
        }
      }
    }
    let pets = realm.objects(HousePet.self)
    #expect(pets.count == model.count)
    for pet in pets {
      #expect(model[pet.id]?.name == pet.name, "seed \(seed)")
      #expect(model[pet.id]?.age == pet.age, "seed \(seed)")
    }
  }

  /// Texts that Unicode calls equivalent are other values, in collections as well, and keys of maps.
  @Test(arguments: [false, true]) func equivalentTexts(isAdded: Bool) throws {
    let file = ScratchRealm([UpsertedTexts.self])
    let realm = try file.open()
    func value(_ text: String) -> [String: Any] {
      [
        "id": 1, "list": ["x", text], "set": ["x", text], "map": [text: text], "any": text, "nested": [text],
      ]
    }
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    try realm.write { realm.create(UpsertedTexts.self, value: value(composed)) }
    try realm.write {
      if isAdded {
        realm.add(UpsertedTexts(value: value(decomposed)), update: .modified)
      } else {
        realm.create(UpsertedTexts.self, value: value(decomposed), update: .modified)
      }
    }
    let texts = realm.objects(UpsertedTexts.self)[0]
    let expected = Array(decomposed.utf8)
    #expect(Array(texts.list[1].utf8) == expected && texts.list.count == 2)
    #expect(texts.set.count == 2 && texts.set.contains { Array($0.utf8) == expected })
    #expect(texts.map.count == 1 && texts.map.keys.map { Array($0.utf8) } == [expected])
    #expect(texts.map.values.map { Array($0.utf8) } == [expected])
    #expect(texts.any.stringValue.map { Array($0.utf8) } == expected)
    #expect(texts.nested.listValue?[0].stringValue.map { Array($0.utf8) } == expected)
  }
}

class UpsertedTexts: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var list: List<String>
  @Persisted var set: MutableSet<String>
  @Persisted var map: Map<String, String>
  @Persisted var any: AnyRealmValue
  @Persisted var nested: AnyRealmValue
}
