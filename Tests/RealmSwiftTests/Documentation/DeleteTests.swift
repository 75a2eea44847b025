import Foundation
import RealmSwift
import Testing

/// The documentation's page on deleting objects.
@Suite struct DeleteTests {
  typealias Dog = Kennels.Dog
  typealias Person = Kennels.Person
  typealias Address = Kennels.Address

  let file: ScratchRealm
  let realm: Realm

  init() throws {
    file = try Kennels.file()
    realm = try file.open()
    try realm.write {
      for (name, age) in [("Rex", 1), ("Wolfie", 5), ("Fido", 1), ("Lassie", 9)] {
        realm.create(Dog.self, value: [name, age] as [Any])
      }
    }
  }

  @Test func oneObject() throws {
    let dog = try #require(realm.objects(Dog.self).first)
    let same = try #require(realm.objects(Dog.self).first)
    try realm.write { realm.delete(dog) }
    #expect(dog.isInvalidated)
    #expect(same.isInvalidated)
    #expect(dog.realm == nil)
    #expect(realm.objects(Dog.self).map(\.name) == ["Wolfie", "Fido", "Lassie"])
  }

  @Test func manyObjects() throws {
    let puppies = realm.objects(Dog.self).where { $0.age < 2 }
    #expect(puppies.count == 2)
    try realm.write { realm.delete(puppies) }
    #expect(puppies.isEmpty)
    #expect(realm.objects(Dog.self).map(\.name) == ["Wolfie", "Lassie"])
    try realm.write { realm.delete(Array(realm.objects(Dog.self))) }
    #expect(realm.objects(Dog.self).isEmpty)
  }

  @Test func cascadeByHand() throws {
    let dogs = realm.objects(Dog.self)
    let jill = Person(value: ["id": 1, "name": "Jill"])
    try realm.write {
      realm.add(jill)
      jill.dogs.append(objectsIn: dogs.where { $0.age < 6 })
    }
    try realm.write {
      // First the dogs, as long as the list knows them.
      realm.delete(jill.dogs)
      #expect(jill.dogs.isEmpty)
      realm.delete(jill)
    }
    #expect(dogs.map(\.name) == ["Lassie"])
    #expect(realm.objects(Person.self).isEmpty)
  }

  @Test func relatedObjectsStay() throws {
    let jill = Person(value: ["id": 1, "name": "Jill", "dogs": realm.objects(Dog.self)] as [String: Any])
    try realm.write { realm.add(jill) }
    try realm.write { realm.delete(jill) }
    #expect(realm.objects(Dog.self).count == 4)
    #expect(realm.objects(Dog.self).allSatisfy { $0.owners.isEmpty })
  }

  @Test func linksToDeletedObjectsGo() throws {
    let dog = try #require(realm.objects(Dog.self).first)
    let jill = Person(value: ["id": 1, "dogs": realm.objects(Dog.self)] as [String: Any])
    try realm.write {
      realm.add(jill)
      jill.dogs.append(dog)
      dog.favoriteToy = Kennels.DogToy(value: ["Ball"])
    }
    let toy = try #require(dog.favoriteToy)
    try realm.write {
      realm.delete(toy)
      #expect(dog.favoriteToy == nil)
      realm.delete(dog)
    }
    #expect(jill.dogs.map(\.name) == ["Wolfie", "Fido", "Lassie"])
  }

  @Test func allOfAClass() throws {
    try realm.write {
      realm.create(Person.self, value: ["id": 1])
      realm.delete(realm.objects(Dog.self))
    }
    #expect(realm.objects(Dog.self).isEmpty)
    #expect(realm.objects(Person.self).count == 1)
    #expect(!realm.isEmpty)
  }

  @Test func everything() throws {
    let dog = try #require(realm.objects(Dog.self).first)
    try realm.write {
      realm.create(Person.self, value: ["id": 1, "address": ["city": "Here"]] as [String: Any])
      realm.create(Kennels.Contact.self, value: ["address": ["city": "Here"]] as [String: Any])
    }
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty)
    #expect(dog.isInvalidated)
    #expect(realm.dynamicObjects("Address").isEmpty)
    // What comes later is new.
    try realm.write { realm.create(Dog.self, value: ["New"]) }
    #expect(dog.isInvalidated)
    #expect(realm.objects(Dog.self).map(\.name) == ["New"])
  }

  @Test func mapKeys() throws {
    let dog = try #require(realm.objects(Dog.self).first)
    try realm.write {
      dog.favoriteParksByCity["New York"] = "Domino Park"
      dog.favoriteParksByCity["Chicago"] = "Wiggly Field"
    }
    try realm.write {
      dog.favoriteParksByCity.removeObject(for: "New York")
      dog.favoriteParksByCity["Chicago"] = nil
      dog.favoriteParksByCity["never there"] = nil
    }
    #expect(dog.favoriteParksByCity.count == 0)
  }

  @Test func setElements() throws {
    let dog = try #require(realm.objects(Dog.self).first)
    try realm.write { dog.citiesVisited.insert(objectsIn: ["Boston", "Oslo"]) }
    try realm.write {
      dog.citiesVisited.remove("Boston")
      dog.citiesVisited.remove("Paris")
    }
    #expect(Array(dog.citiesVisited) == ["Oslo"])
    try realm.write { dog.citiesVisited.removeAll() }
    #expect(dog.citiesVisited.isEmpty)
  }

  @Test func anyValue() throws {
    let dog = try #require(realm.objects(Dog.self).first)
    try realm.write { dog.companion = .fromArray([.int(1)]) }
    let list = try #require(dog.companion.listValue)
    try realm.write { dog.companion = .none }
    #expect(dog.companion == .none)
    #expect(list.isInvalidated)
  }

  @Test func embeddedObjects() throws {
    let business = Kennels.Business(value: ["name": "Acme"])
    business.addresses.append(objectsIn: ["A", "B", "C", "D"].map { Address(value: ["city": $0]) })
    try realm.write { realm.add(business) }
    let first = business.addresses[0]
    try realm.write {
      realm.delete(first)
      realm.delete(business.addresses.where { $0.city == "C" })
      business.addresses.removeLast()
    }
    #expect(first.isInvalidated)
    #expect(business.addresses.map(\.city) == ["B"])
    #expect(realm.dynamicObjects("Address").count == 1)
    let contact = Kennels.Contact(value: ["name": "Nina", "address": ["city": "Here"]] as [String: Any])
    try realm.write { realm.add(contact) }
    let address = try #require(contact.address)
    try realm.write {
      realm.delete(contact)
      realm.delete(business)
    }
    #expect(address.isInvalidated)
    #expect(realm.dynamicObjects("Address").isEmpty)
  }

  @Test func deleteWhileIterating() throws {
    let dogs = realm.objects(Dog.self)
    try realm.write {
      var visited = 0
      for dog in dogs {
        visited += 1
        if dog.age == 1 { realm.delete(dog) }
      }
      #expect(visited == 4)
    }
    #expect(dogs.map(\.name) == ["Wolfie", "Lassie"])
    // The results shrink while they are gone through.
    let old = dogs.where { $0.age > 4 }
    try realm.write {
      for dog in old { dog.age = 0 }
    }
    #expect(old.isEmpty)
    #expect(dogs.allSatisfy { $0.age == 0 })
  }

  @Test func mapOfObjects() throws {
    let file = ScratchRealm([Yard.self, Animal.self])
    let realm = try file.open()
    let yard = Yard()
    for name in ["a", "b", "c"] { yard.animals[name] = Animal(value: [name]) }
    yard.herd.insert(objectsIn: [Animal(value: ["x"]), Animal(value: ["y"])])
    try realm.write { realm.add(yard) }
    try realm.write { realm.delete(try #require(yard.animals["b"] ?? nil)) }
    // The key stays.
    #expect(yard.animals.keys == ["a", "b", "c"])
    #expect(yard.animals["b"] == .some(nil))
    try realm.write { realm.delete(yard.animals) }
    #expect(yard.animals.count == 0)
    #expect(realm.objects(Animal.self).count == 2)
    try realm.write { realm.delete(yard.herd) }
    #expect(yard.herd.isEmpty)
    #expect(realm.objects(Animal.self).isEmpty)
  }

  final class Animal: Object {
    @Persisted var name: String
  }

  final class Yard: Object {
    @Persisted var animals: Map<String, Animal?>
    @Persisted var herd: MutableSet<Animal>
  }
}
