import Foundation
import RealmSwift
import Testing

/// The documentation's page on updating objects.
@Suite struct UpdateTests {
  typealias Dog = Kennels.Dog
  typealias Person = Kennels.Person
  typealias Address = Kennels.Address
  typealias Contact = Kennels.Contact

  let file: ScratchRealm
  let realm: Realm

  init() throws {
    file = try Kennels.file()
    realm = try file.open()
    try realm.write {
      for (name, age) in [("Sparky", 5), ("Wolfie", 1), ("Fido", 9)] {
        realm.create(Dog.self, value: ["name": name, "age": age] as [String: Any])
      }
    }
  }

  private func dog(_ name: String) throws -> Dog {
    try #require(realm.objects(Dog.self).where { $0.name == name }.first)
  }

  @Test func assignment() throws {
    let dog = try dog("Sparky")
    let names = realm.objects(Dog.self).where { $0.age > 5 }
    #expect(names.map(\.name) == ["Fido"])
    try realm.write {
      dog.name = "Rex"
      dog.age += 2
      dog.currentCity = "Oslo"
    }
    #expect(dog.name == "Rex")
    #expect(realm.objects(Dog.self).where { $0.name == "Sparky" }.isEmpty)
    #expect(names.map(\.name) == ["Rex", "Fido"])
    try file.open().refresh()
    #expect(dog.age == 7)
  }

  @Test func toOneLink() throws {
    let dog = try dog("Sparky")
    try realm.write { dog.favoriteToy = Kennels.DogToy(value: ["Ball"]) }
    #expect(dog.favoriteToy?.name == "Ball")
    try realm.write { dog.favoriteToy?.name = "Big ball" }
    #expect(realm.objects(Kennels.DogToy.self).first?.name == "Big ball")
    try realm.write { dog.favoriteToy = nil }
    #expect(dog.favoriteToy == nil)
    #expect(realm.objects(Kennels.DogToy.self).count == 1)
  }

  // MARK: Key-value coding

  @Test func oneValueForAll() throws {
    let dogs = realm.objects(Dog.self)
    try realm.write {
      dogs.first?.setValue("Sparky II", forKey: "name")
      dogs.setValue("Paris", forKey: "currentCity")
      dogs.setValue(false, forKey: "isGoodDog")
    }
    #expect(dogs[0].name == "Sparky II")
    #expect(dogs.allSatisfy { $0.currentCity == "Paris" && !$0.isGoodDog })
    // The very property that the results are selected by.
    let old = dogs.where { $0.age > 3 }
    try realm.write { old.setValue(1, forKey: "age") }
    #expect(old.isEmpty)
    #expect(dogs.allSatisfy { $0.age == 1 })
  }

  @Test func resultsBecomeAList() throws {
    let person = Person(value: ["id": 1])
    try realm.write {
      realm.add(person)
      person.setValue(realm.objects(Dog.self), forKey: "dogs")
    }
    #expect(person.dogs.map(\.name) == ["Sparky", "Wolfie", "Fido"])
    try realm.write { person.setValue(realm.objects(Dog.self).where { $0.age > 4 }, forKey: "dogs") }
    #expect(person.dogs.map(\.name) == ["Sparky", "Fido"])
    try realm.write { person.setValue([], forKey: "dogs") }
    #expect(person.dogs.isEmpty)
    #expect(realm.objects(Dog.self).count == 3)
  }

  @Test func keyPaths() throws {
    let contact = Contact(value: ["name": "Nina", "address": ["city": "Here"]] as [String: Any])
    try realm.write {
      realm.add(contact)
      contact.setValue("There", forKeyPath: "address.city")
    }
    #expect(contact.address?.city == "There")
    #expect(contact.value(forKeyPath: "address.city") as? String == "There")
    #expect(contact["name"] as? String == "Nina")
    try realm.write { contact["name"] = "Anna" }
    #expect(contact.name == "Anna")
    #expect(realm.objects(Dog.self).value(forKey: "name") as? [String] == ["Sparky", "Wolfie", "Fido"])
    #expect(realm.objects(Dog.self).value(forKeyPath: "@max.age") as? Int == 9)
  }

  // MARK: Upserts

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func addUpdatesOrInserts(_ policy: Realm.UpdatePolicy) throws {
    let jones = Person(value: ["id": 1234, "name": "Jones"])
    try realm.write { realm.add(jones, update: policy) }
    let bowie = Person(value: ["id": 1234, "name": "Bowie"])
    try realm.write { realm.add(bowie, update: policy) }
    #expect(realm.objects(Person.self).count == 1)
    #expect(jones.name == "Bowie")
    #expect(bowie.realm == realm)
    #expect(jones == bowie)
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func partialUpsert(_ policy: Realm.UpdatePolicy) throws {
    let dogs = realm.objects(Dog.self)
    try realm.write {
      realm.create(Person.self, value: ["id": 1, "name": "Frank", "dogs": dogs] as [String: Any])
      realm.create(Person.self, value: ["id": 1, "name": "Franz"] as [String: Any], update: policy)
    }
    let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
    #expect(person.name == "Franz")
    // What was not said stays.
    #expect(person.dogs.count == 3)
    try realm.write { realm.create(Person.self, value: ["id": 2] as [String: Any], update: policy) }
    #expect(realm.object(ofType: Person.self, forPrimaryKey: 2)?.name == "")
    try realm.write {
      realm.create(Person.self, value: ["id": 1, "address": NSNull(), "dogs": []], update: policy)
    }
    #expect(person.dogs.isEmpty)
    #expect(person.name == "Franz")
  }

  @Test func linkedObjectsAreUpsertedToo() throws {
    try realm.write {
      realm.create(Kennels.Employee.self, value: ["name": "Ann", "title": "Clerk"])
      let company: [String: Any] = [
        "companyName": "Acme", "employees": [["name": "Ann", "title": "Boss"], ["name": "Bob"]],
      ]
      realm.create(Kennels.Company.self, value: company, update: .modified)
    }
    #expect(realm.objects(Kennels.Employee.self).count == 2)
    #expect(realm.object(ofType: Kennels.Employee.self, forPrimaryKey: "Ann")?.title == "Boss")
    #expect(realm.object(ofType: Kennels.Employee.self, forPrimaryKey: "Bob")?.title == nil)
  }

  // MARK: Collections

  @Test func map() throws {
    let dog = try dog("Wolfie")
    try realm.write {
      dog.favoriteParksByCity["New York"] = "Domino Park"
      dog.favoriteParksByCity.updateValue("Bosque", forKey: "Mexico City")
    }
    #expect(dog.favoriteParksByCity["New York"] == "Domino Park")
    try realm.write {
      if dog.favoriteParksByCity["New York"] != nil {
        dog.favoriteParksByCity["New York"] = "Washington Square"
      }
      dog.favoriteParksByCity.removeObject(for: "Mexico City")
      dog.favoriteParksByCity["Chicago"] = "Wiggly Field"
    }
    #expect(dog.favoriteParksByCity.keys == ["Chicago", "New York"])
    #expect(dog.favoriteParksByCity.values == ["Wiggly Field", "Washington Square"])
    var seen: [String: String] = [:]
    for entry in dog.favoriteParksByCity { seen[entry.key] = entry.value }
    #expect(seen == ["Chicago": "Wiggly Field", "New York": "Washington Square"])
    for (city, park) in dog.favoriteParksByCity.asKeyValueSequence() { #expect(seen[city] == park) }
    try realm.write { dog.favoriteParksByCity["Chicago"] = nil }
    #expect(dog.favoriteParksByCity.count == 1)
    try realm.write { dog.favoriteParksByCity.removeAll() }
    #expect(dog.favoriteParksByCity.count == 0)
  }

  @Test func setAlgebra() throws {
    let (first, second) = (try dog("Sparky").citiesVisited, try dog("Wolfie").citiesVisited)
    try realm.write {
      first.insert(objectsIn: ["Boston", "New York", "Toronto"])
      second.insert(objectsIn: ["Toronto", "Oslo"])
    }
    #expect(first.intersects(second))
    #expect(!second.isSubset(of: first))
    try realm.write { second.remove("Oslo") }
    #expect(second.isSubset(of: first))
    try realm.write {
      second.insert("Lima")
      first.formUnion(second)
    }
    #expect(Array(first) == ["Boston", "Lima", "New York", "Toronto"])
    try realm.write { first.formIntersection(second) }
    #expect(Array(first) == ["Lima", "Toronto"])
    try realm.write {
      second.remove("Lima")
      first.subtract(second)
    }
    #expect(Array(first) == ["Lima"])
    try realm.write { first.removeAll() }
    #expect(first.isEmpty)
    #expect(!first.intersects(second))
  }

  @Test func list() throws {
    let person = Person(value: ["id": 1, "dogs": [["A", 1], ["B", 2], ["C", 3]]] as [String: Any])
    try realm.write { realm.add(person) }
    let dogs = person.dogs
    try realm.write {
      dogs.move(from: 0, to: 2)
      dogs.append(Dog(value: ["D"]))
      dogs.insert(Dog(value: ["E"]), at: 0)
      dogs.swapAt(1, 2)
    }
    #expect(dogs.map(\.name) == ["E", "C", "B", "A", "D"])
    try realm.write {
      dogs.removeLast()
      dogs.removeFirst()
      dogs[0] = dogs[2]
    }
    #expect(dogs.map(\.name) == ["A", "B", "A"])
    #expect(dogs === person.dogs)
  }

  @Test func anyRealmValue() throws {
    let dog = try dog("Fido")
    try realm.write { dog.companion = .string("Fluffy") }
    try realm.write { dog.companion = .object(try self.dog("Wolfie")) }
    #expect(dog.companion.object(Dog.self)?.name == "Wolfie")
    try realm.write {
      dog.companion = .fromDictionary(["names": .fromArray([.string("a")]), "count": .int(1)])
    }
    try realm.write {
      dog.companion.dictionaryValue?["names"]?.listValue?.append(.string("b"))
      dog.companion.dictionaryValue?["count"] = .int(2)
    }
    #expect(dog.companion.dictionaryValue?["count"] == .int(2))
    #expect(
      dog.companion.dictionaryValue?["names"]?.listValue.map { Array($0) } == [.string("a"), .string("b")])
    try realm.write { dog.companion = .none }
    #expect(dog.companion == .none)
  }

  // MARK: Embedded objects

  @Test func embeddedProperty() throws {
    let contact = Contact(
      value: ["name": "Nina", "address": ["street": "Old Street", "city": "Here"]] as [String: Any])
    try realm.write { realm.add(contact) }
    let address = try #require(contact.address)
    try realm.write { contact.address?.street = "New Street" }
    #expect(address.street == "New Street")
    #expect(address.city == "Here")
    #expect(!address.isInvalidated)
  }

  @Test func embeddedOverwrite() throws {
    let contact = Contact(
      value: ["name": "Nina", "address": ["street": "Old Street", "city": "Here"]] as [String: Any])
    try realm.write { realm.add(contact) }
    let old = try #require(contact.address)
    let new = Address(value: ["country": "Elsewhere"])
    try realm.write { contact.address = new }
    #expect(old.isInvalidated)
    #expect(contact.address?.country == "Elsewhere")
    #expect(contact.address?.city == nil)
    #expect(new.realm == realm)
  }

  @Test func embeddedUpsert() throws {
    let id = ObjectId.generate()
    let value: [String: Any] = ["_id": id, "address": ["street": "Old Street", "city": "Here"]]
    let contact = try realm.write { realm.create(Contact.self, value: value) }
    let first = try #require(contact.address)
    let update: [String: Any] = ["_id": id, "address": ["city": "There"]]
    try realm.write { realm.create(Contact.self, value: update, update: .modified) }
    #expect(!first.isInvalidated)
    #expect(contact.address?.street == "Old Street")
    #expect(contact.address?.city == "There")
    try realm.write { realm.create(Contact.self, value: update, update: .all) }
    #expect(first.isInvalidated)
    #expect(contact.address?.street == nil)
    #expect(contact.address?.city == "There")
  }
}
