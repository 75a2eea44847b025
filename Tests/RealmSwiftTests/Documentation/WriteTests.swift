import Foundation
import RealmSwift
import TestSupport
import Testing

/// The documentation's page on write transactions.
@Suite struct WriteTests {
  typealias Dog = Kennels.Dog
  private struct WalkCancelled: Error, Equatable { var reason: String }

  let file: ScratchRealm
  let realm: Realm

  init() throws {
    file = try Kennels.file()
    realm = try file.open()
  }

  @Test func severalChangesAtOnce() throws {
    try realm.write {
      let dog = Dog()
      dog.name = "Bowie"
      realm.add(dog)
      dog.age = 3
      // Seen at once, here.
      #expect(realm.objects(Dog.self).where { $0.age == 3 }.count == 1)
    }
    #expect(realm.objects(Dog.self).first?.age == 3)
  }

  @Test func blockReturnsAValue() throws {
    let count: Int = try realm.write {
      realm.add([Dog(), Dog()])
      return realm.objects(Dog.self).count
    }
    #expect(count == 2)
    let dog = try realm.write { realm.create(Dog.self, value: ["Rex"]) }
    #expect(dog.name == "Rex")
  }

  @Test func byHand() throws {
    realm.beginWrite()
    #expect(realm.isInWriteTransaction)
    realm.add(Dog(value: ["Bowie"]))
    try realm.commitWrite()
    #expect(!realm.isInWriteTransaction)
    realm.beginWrite()
    realm.add(Dog(value: ["Nobody"]))
    realm.cancelWrite()
    #expect(!realm.isInWriteTransaction)
    #expect(realm.objects(Dog.self).map(\.name) == ["Bowie"])
  }

  /// Everything that was done in a block that throws is undone, whatever it was.
  @Test func errorRollsEverythingBack() throws {
    let person = Kennels.Person(
      value: ["id": 1, "name": "Jill", "dogs": [["Rex", 3], ["Fido", 4]]] as [String: Any])
    person.address = Kennels.Address(value: ["city": "Here"])
    person.dogs[0].favoriteParksByCity["a"] = "b"
    person.dogs[0].citiesVisited.insert("Oslo")
    person.dogs[0].companion = .fromArray([.int(1)])
    try realm.write { realm.add(person) }
    let rex = person.dogs[0]
    let added = Dog(value: ["Added"])
    #expect(throws: WalkCancelled(reason: "rain")) {
      try realm.write {
        realm.add(added)
        rex.name = "Changed"
        rex.favoriteParksByCity.removeAll()
        rex.citiesVisited.insert("Lima")
        rex.companion.listValue?.append(.int(2))
        person.address = nil
        person.dogs.removeFirst()
        realm.delete(realm.objects(Dog.self).where { $0.name == "Fido" })
        person.name = "Somebody"
        throw WalkCancelled(reason: "rain")
      }
    }
    #expect(added.isInvalidated)
    #expect(person.name == "Jill")
    #expect(person.dogs.map(\.name) == ["Rex", "Fido"])
    #expect(person.address?.city == "Here")
    #expect(rex.favoriteParksByCity["a"] == "b")
    #expect(Array(rex.citiesVisited) == ["Oslo"])
    #expect(rex.companion.listValue?.count == 1)
    #expect(rex.owners.count == 1)
    #expect(!realm.isInWriteTransaction)
  }

  /// An object made in a transaction that was rolled back does not come to life with the next one.
  @Test func rolledBackObjectsStayInvalid() throws {
    let dog = Dog(value: ["name": "never"])
    let address = Kennels.Address(value: ["city": "nowhere"])
    realm.beginWrite()
    realm.add(dog)
    realm.create(Kennels.Contact.self, value: ["name": "never"]).address = address
    realm.cancelWrite()
    #expect(dog.isInvalidated)
    #expect(address.isInvalidated)
    try realm.write {
      realm.create(Dog.self, value: ["other"])
      realm.create(
        Kennels.Contact.self, value: ["name": "other", "address": ["city": "somewhere"]] as [String: Any])
      #expect(dog.isInvalidated)
    }
    #expect(dog.isInvalidated)
    #expect(address.isInvalidated)
    #expect(dog.realm == nil)
  }

  @Test func valuesOfAbandonedObjectsAreGone() throws {
    let dog = try realm.write { realm.create(Dog.self, value: ["Rex"]) }
    realm.beginWrite()
    realm.delete(dog)
    realm.cancelWrite()
    // The data is back; a new object shows it.
    #expect(dog.isInvalidated)
    #expect(realm.objects(Dog.self).first?.name == "Rex")
  }

  @Test func nothingIsWrittenOutside() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Kennels.file().open()
      let dog = try realm.write { realm.create(Kennels.Dog.self, value: ["Rex"]) }
      dog.name = "Fido"
    }
    expectStop(
      result,
      saying:
        "Attempting to modify object outside of a write transaction - call beginWriteTransaction on an RLMRealm instance first."
    )
  }

  @Test func readingNeedsNoTransaction() throws {
    try realm.write { realm.create(Dog.self, value: ["Rex", 3] as [Any]) }
    let dogs = realm.objects(Dog.self)
    let dog = try #require(dogs.first)
    let sum: Int = dogs.sum(of: \.age)
    #expect(dog.name == "Rex")
    #expect(sum == 3)
    try realm.write { dog.age = 4 }
    #expect(dogs.sum(of: \.age) == 4)
  }
}
