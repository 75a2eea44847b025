import Foundation
import RealmSwift
import Testing

/// The documentation's page on creating objects.
@Suite struct CreateTests {
  typealias Dog = Kennels.Dog
  typealias DogToy = Kennels.DogToy
  typealias Person = Kennels.Person
  typealias Address = Kennels.Address
  typealias Contact = Kennels.Contact
  typealias Business = Kennels.Business
  typealias Company = Kennels.Company
  typealias Employee = Kennels.Employee

  let file: ScratchRealm
  let realm: Realm

  init() throws {
    file = try Kennels.file()
    realm = try file.open()
  }

  @Test func oneObject() throws {
    let dog = Dog()
    dog.name = "Rex"
    dog.age = 10
    #expect(dog.realm == nil)
    try realm.write { realm.add(dog) }
    #expect(dog.realm == realm)
    #expect(realm.objects(Dog.self).count == 1)
    #expect(realm.objects(Dog.self).first?.name == "Rex")
    #expect(realm.objects(Dog.self).first?.age == 10)
    // Adding it once more changes nothing.
    try realm.write { realm.add(dog) }
    #expect(realm.objects(Dog.self).count == 1)
  }

  @Test func manyObjects() throws {
    let dogs = ["Rex", "Fido", "Lassie"].map { Dog(value: ["name": $0]) }
    try realm.write { realm.add(dogs) }
    #expect(realm.objects(Dog.self).map(\.name) == ["Rex", "Fido", "Lassie"])
    #expect(dogs.allSatisfy { $0.realm == realm })
  }

  @Test func createReturnsTheManagedObject() throws {
    let dog = try realm.write { realm.create(Dog.self, value: ["name": "Rex", "age": 10] as [String: Any]) }
    #expect(dog.realm == realm)
    #expect(dog.isGoodDog)
    let plain = try realm.write { realm.create(Dog.self) }
    #expect(plain.name == "")
  }

  @Test func fromADictionary() {
    let dog = Dog(value: ["name": "Pluto", "age": 3, "citiesVisited": ["Paris", "Rome"]] as [String: Any])
    #expect(dog.name == "Pluto")
    #expect(dog.age == 3)
    #expect(dog.isGoodDog)
    #expect(dog.citiesVisited.contains("Rome"))
  }

  @Test func fromAnArray() {
    let dog = Dog(value: ["Jasper", 7, "brown", "Oslo"])
    #expect(dog.name == "Jasper")
    #expect(dog.age == 7)
    #expect(dog.currentCity == "Oslo")
    #expect(dog.favoriteToy == nil)
  }

  @Test func nestedObjectsInsideValues() throws {
    let buster = Dog(value: ["Buster", 5])
    let person = Person(value: [1, "Jill", [buster, ["Buddy", 6], ["name": "Molly", "age": 2]]] as [Any])
    #expect(person.dogs.map(\.name) == ["Buster", "Buddy", "Molly"])
    #expect(person.dogs[0] === buster)
    try realm.write { realm.add(person) }
    #expect(buster.realm == realm)
    #expect(realm.objects(Dog.self).count == 3)
    #expect(buster.owners.first == person)
    let other = try realm.write {
      realm.create(
        Person.self, value: ["id": 2, "name": "Jane", "dogs": [["Rover", 3], buster]] as [String: Any])
    }
    #expect(other.dogs.map(\.age) == [3, 5])
    #expect(buster.owners.map(\.name).sorted() == ["Jane", "Jill"])
    #expect(realm.objects(Dog.self).count == 4)
  }

  @Test func toOneRelationship() throws {
    let dog = Dog(value: ["name": "Rex", "favoriteToy": ["name": "Ball"]] as [String: Any])
    try realm.write { realm.add(dog) }
    #expect(realm.objects(DogToy.self).first?.name == "Ball")
    #expect(dog.favoriteToy?.realm == realm)
    // A toy may belong to many.
    let other = try realm.write {
      realm.create(Dog.self, value: ["name": "Fido", "favoriteToy": dog.favoriteToy!])
    }
    #expect(other.favoriteToy?.isSameObject(as: dog.favoriteToy) == true)
    #expect(realm.objects(DogToy.self).count == 1)
  }

  @Test func inverseRelationship() throws {
    let company = Company(value: ["companyName": "Acme"])
    company.employees.append(
      objectsIn: ["Ann", "Bob"].map { Employee(value: ["name": $0, "title": "Clerk"]) })
    #expect(company.employees[0].company.isEmpty)
    try realm.write { realm.add(company) }
    let ann = try #require(realm.object(ofType: Employee.self, forPrimaryKey: "Ann"))
    #expect(ann.company.count == 1)
    #expect(ann.company.first == company)
    try realm.write { company.employees.remove(at: 0) }
    #expect(ann.company.isEmpty)
    #expect(realm.objects(Employee.self).count == 2)
  }

  @Test func fromJSON() throws {
    let json = """
      {"name": "Sparky", "age": 4, "isGoodDog": false, "kennel": "unknown to the model",
       "favoriteToy": {"name": "Bone"}, "citiesVisited": ["Kyiv", "Kyiv", "Lima"],
       "favoriteParksByCity": {"New York": "Domino Park"}, "companion": {"kind": "cat", "ages": [1, 2.5, null]}}
      """
    let value = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let dog = try realm.write { realm.create(Dog.self, value: value) }
    #expect(dog.name == "Sparky")
    #expect(dog.age == 4)
    #expect(!dog.isGoodDog)
    #expect(dog.favoriteToy?.name == "Bone")
    #expect(Array(dog.citiesVisited) == ["Kyiv", "Lima"])
    #expect(dog.favoriteParksByCity["New York"] == "Domino Park")
    let companion = try #require(dog.companion.dictionaryValue)
    #expect(companion["kind"] == .string("cat"))
    #expect(companion["ages"]?.listValue?[0] == .int(1))
    #expect(companion["ages"]?.listValue?[1] == .double(2.5))
    #expect(companion["ages"]?.listValue?[2] == AnyRealmValue.none)
  }

  // MARK: Embedded objects

  @Test func embeddedObject() throws {
    let address = Address(value: ["street": "123 Fake St", "city": "Some City", "country": "Some Country"])
    let contact = Contact(value: ["name": "Nick Riviera", "address": address])
    try realm.write { realm.add(contact) }
    let stored = try #require(realm.objects(Contact.self).first)
    #expect(stored.address?.street == "123 Fake St")
    #expect(stored.address?.postalCode == nil)
    #expect(address.realm == realm)
    #expect(stored.address?.isSameObject(as: address) == true)
  }

  @Test func embeddedObjectsWithBackLink() throws {
    let owner = Person(value: ["id": 1, "name": "Anna"])
    let address = Address(value: ["street": "High Street", "propertyOwner": owner])
    try realm.write { realm.create(Contact.self, value: ["name": "Nina", "address": address]) }
    // The contact's address is a copy, and so is what it links to.
    #expect(address.realm == nil)
    #expect(realm.objects(Contact.self).first?.address?.propertyOwner?.name == "Anna")
    #expect(realm.objects(Person.self).count == 1)
  }

  @Test func listOfEmbeddedObjects() throws {
    let business = Business(value: ["name": "Acme"])
    business.addresses.append(Address(value: ["city": "Here"]))
    business.addresses.append(Address(value: ["city": "There"]))
    business.branches["north"] = Address(value: ["city": "Far"])
    try realm.write { realm.add(business) }
    let stored = try #require(realm.objects(Business.self).first)
    #expect(stored.addresses.map(\.city) == ["Here", "There"])
    #expect((stored.branches["north"] ?? nil)?.city == "Far")
  }

  // MARK: Collections and other types

  @Test func mapWithEncodedKeys() throws {
    let dog = Dog(value: ["name": "Wolfie"])
    dog.favoriteParksByCity["New York"] = "Domino Park"
    let key = "D.C. $pecial"
    let encoded = try #require(key.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    #expect(!encoded.contains("."))
    try realm.write {
      realm.add(dog)
      dog.favoriteParksByCity[encoded] = "Rock Creek"
    }
    #expect(dog.favoriteParksByCity.keys.compactMap(\.removingPercentEncoding).contains(key))
    #expect(dog.favoriteParksByCity["D%2EC%2E%20%24pecial"] == "Rock Creek")
    #expect(dog.favoriteParksByCity.count == 2)
  }

  @Test func mutableSet() throws {
    let dog = Dog(value: ["name": "Maui"])
    dog.citiesVisited.insert("New York")
    dog.citiesVisited.insert(objectsIn: ["Boston", "Toronto", "Boston"])
    #expect(dog.citiesVisited.count == 3)
    try realm.write { realm.add(dog) }
    #expect(Array(dog.citiesVisited) == ["Boston", "New York", "Toronto"])
    #expect(dog.citiesVisited.contains("Toronto"))
    #expect(!dog.citiesVisited.contains("Oslo"))
  }

  @Test func anyRealmValue() throws {
    let cat = Person(value: ["id": 9, "name": "Fluffy's owner"])
    let values: [AnyRealmValue] = [
      .none, .string("Fluffy the cat"), .object(cat), .int(3), .fromArray([.string("x"), .int(1)]),
      .fromDictionary(["type": .string("parrot"), "toys": .fromArray([.string("bell")])]),
    ]
    for value in values { try realm.write { realm.create(Dog.self, value: ["companion": value]) } }
    let dogs = realm.objects(Dog.self)
    #expect(dogs[0].companion == .none)
    #expect(dogs[1].companion.stringValue == "Fluffy the cat")
    #expect(dogs[2].companion.object(Person.self)?.name == "Fluffy's owner")
    #expect(dogs[3].companion.intValue == 3)
    #expect(dogs[4].companion.listValue?[0] == .string("x"))
    #expect(dogs[5].companion.dictionaryValue?["toys"]?.listValue?[0] == .string("bell"))
    switch dogs[1].companion {
    case .string(let name): #expect(name == "Fluffy the cat")
    default: Issue.record("not a text")
    }
  }

  @Test func enumValue() throws {
    let task = Kennels.Task(value: [
      "name": "Walk the dog", "status": Kennels.TaskStatus.inProgress, "owner": "Me",
    ])
    try realm.write { realm.add(task) }
    let raw = try realm.write {
      realm.create(
        Kennels.Task.self,
        value: ["name": "Brush the dog", "status": "complete", "previousStatus": "inProgress"])
    }
    #expect(task.status == .inProgress)
    #expect(task.previousStatus == nil)
    #expect(raw.status == .complete)
    #expect(raw.previousStatus == .inProgress)
    #expect(realm.objects(Kennels.Task.self).where { $0.status == .complete }.count == 1)
  }

  // MARK: Copying

  @Test func copyToAnotherRealm() throws {
    let otherFile = try Kennels.file()
    let other = try otherFile.open()
    let person = Person(
      value: ["id": 1, "name": "Jill", "dogs": [["Rex", 3], ["Fido", 4]], "address": ["city": "Here"]]
        as [String: Any])
    person.dogs[0].favoriteToy = DogToy(value: ["Ball"])
    person.dogs[1].favoriteToy = person.dogs[0].favoriteToy
    try realm.write { realm.add(person) }
    let copy = try other.write { other.create(Person.self, value: person) }
    #expect(copy.realm == other)
    #expect(person.realm == realm)
    #expect(copy.dogs.map(\.name) == ["Rex", "Fido"])
    #expect(copy.address?.city == "Here")
    // Shared in the copy as in the original.
    #expect(other.objects(DogToy.self).count == 1)
    try other.write { copy.dogs[0].name = "Changed" }
    #expect(person.dogs[0].name == "Rex")
    // And back again, over the original.
    try realm.write { realm.create(Person.self, value: copy, update: .modified) }
    #expect(person.dogs.map(\.name) == ["Changed", "Fido"])
  }
}
