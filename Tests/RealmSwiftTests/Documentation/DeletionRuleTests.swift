import Foundation
import RealmSwift
import TestSupport
import Testing

/// What may be deleted, and what deleted objects still do.
@Suite struct DeletionRuleTests {
  typealias Person = Kennels.Person
  typealias Dog = Kennels.Dog

  private static let foreign = "Can only delete an object from the Realm it belongs to."
  private static let foreigners = "Can only delete objects from the Realm they belong to."

  private static func person() throws -> (Realm, Person) {
    let realm = try Kennels.file().open()
    let value: [String: Any] = [
      "id": 1, "name": "Jill", "dogs": [["Rex", 3], ["Fido", 4]], "address": ["city": "Here"],
    ]
    return (realm, try realm.write { realm.create(Person.self, value: value) })
  }

  @Test func anotherInstanceOfADeletedObject() throws {
    let (realm, person) = try Self.person()
    let dog = person.dogs[0]
    let same = person.dogs[0]
    try realm.write {
      realm.delete(dog)
      // Already gone: nothing to do.
      realm.delete(same)
    }
    #expect(person.dogs.map(\.name) == ["Fido"])
    #expect(same.isInvalidated)
  }

  @Test func listWithRepeatedObjects() throws {
    let (realm, person) = try Self.person()
    try realm.write {
      person.dogs.append(person.dogs[0])
      person.dogs.append(person.dogs[1])
      realm.delete(person.dogs)
    }
    #expect(person.dogs.isEmpty)
    #expect(realm.objects(Dog.self).isEmpty)
  }

  @Test func emptyCollections() throws {
    let (realm, person) = try Self.person()
    try realm.write {
      realm.delete([Dog]())
      realm.delete(realm.objects(Dog.self).where { $0.age > 100 })
      realm.delete(realm.objects(Kennels.Business.self))
      person.dogs.removeAll()
      realm.delete(person.dogs)
    }
    #expect(realm.objects(Dog.self).count == 2)
  }

  @Test func equalityAndTypeOfDeletedObjects() throws {
    let (realm, person) = try Self.person()
    let dogs = person.dogs
    let results = dogs.where { $0.age > 0 }
    #expect(results.count == 2)
    try realm.write { realm.delete(person) }
    #expect(person.isInvalidated)
    #expect(person == person)
    #expect(person.objectSchema.className == "Person")
    #expect(dogs.isInvalidated)
    // Results of a deleted list are empty.
    #expect(results.isEmpty)
    #expect(!results.isInvalidated)
  }

  // MARK: What stops the program

  @Test func unmanagedAndForeignObjects() async {
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, _) = try DeletionRuleTests.person()
      try realm.write { realm.delete(Dog()) }
    }
    expectStop(unmanaged, saying: Self.foreign)
    let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, _) = try DeletionRuleTests.person()
      let (_, person) = try DeletionRuleTests.person()
      try realm.write { realm.delete(person) }
    }
    expectStop(other, saying: Self.foreign)
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try DeletionRuleTests.person()
      try realm.write {
        realm.delete(person)
        realm.delete(person)
      }
    }
    expectStop(twice, saying: Self.foreign)
  }

  @Test func foreignCollections() async {
    let results = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, _) = try DeletionRuleTests.person()
      let (other, _) = try DeletionRuleTests.person()
      try realm.write { realm.delete(other.objects(Dog.self)) }
    }
    expectStop(results, saying: Self.foreigners)
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, _) = try DeletionRuleTests.person()
      let (_, person) = try DeletionRuleTests.person()
      try realm.write { realm.delete(person.dogs) }
    }
    expectStop(list, saying: Self.foreigners)
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, _) = try DeletionRuleTests.person()
      try realm.write { realm.delete(Person().dogs) }
    }
    expectStop(unmanaged, saying: Self.foreigners)
  }

  @Test func usingADeletedObject() async {
    let read = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try DeletionRuleTests.person()
      try realm.write { realm.delete(person) }
      _ = person.name
    }
    expectStop(read, saying: "Object has been deleted or invalidated.")
    let write = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try DeletionRuleTests.person()
      let same = realm.object(ofType: Person.self, forPrimaryKey: 1)!
      try realm.write {
        realm.delete(person)
        same.name = "x"
      }
    }
    expectStop(write, saying: "Object has been deleted or invalidated.")
    let link = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try DeletionRuleTests.person()
      try realm.write {
        let dog = person.dogs[0]
        realm.delete(dog)
        person.dogs.append(dog)
      }
    }
    expectStop(link, saying: "Adding a deleted or invalidated object to a Realm is not permitted")
    let byName = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try DeletionRuleTests.person()
      try realm.write { realm.deleteAll() }
      _ = person["name"]
    }
    expectStop(byName, saying: "Object has been deleted or invalidated.")
    let invalidated = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try DeletionRuleTests.person()
      realm.invalidate()
      _ = person.name
    }
    expectStop(invalidated, saying: "Object has been deleted or invalidated.")
  }

  @Test func usingCollectionsOfADeletedObject() async {
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try DeletionRuleTests.person()
      let dogs = person.dogs
      try realm.write { realm.delete(person) }
      _ = dogs.count
    }
    expectStop(
      list,
      saying:
        "List is no longer valid. Either the parent object was deleted or the containing Realm has been invalidated or closed."
    )
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try DeletionRuleTests.person()
      let cities = person.dogs[0].citiesVisited
      try realm.write { realm.delete(person.dogs) }
      _ = cities.contains("x")
    }
    expectStop(set, saying: "Set is no longer valid.")
    let map = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try DeletionRuleTests.person()
      let parks = person.dogs[0].favoriteParksByCity
      realm.invalidate()
      _ = parks["x"]
    }
    expectStop(map, saying: "Dictionary is no longer valid.")
  }
}
