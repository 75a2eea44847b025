import Foundation
import RealmSwift
import TestSupport
import Testing

/// The samples in documentation comments of what concerns objects, collections and values.
struct CommentsOnObjectsTests {
  @Test func models() throws {
    let folder = ScratchFolder()
    let realm = try Realm(
      configuration: .init(
        fileURL: folder.file("models.realm"), objectTypes: [Cat.self, Parrot.self, Answer.self]))
    try realm.write {
      realm.add(Cat(value: ["name": "Tom"]))
      realm.add(Parrot(value: ["usualMood": Mood.hungry]))
      realm.add(Answer(value: ["value": 42]))
    }
    #expect(realm.objects(Parrot.self).first?.mood == .content)
    #expect(realm.objects(Answer.self).first?.value.intValue == 42)
    #expect(Temperature(persistedValue: 4).persistableValue == 4)
    #expect(Chip(persistedValue: "x") == nil && Chip(persistedValue: "12")?.persistableValue == "12")
  }

  @Test func objects() throws {
    let kennel = try Kennel()
    let realm = kennel.realm
    do {
      let dog = kennel.wolfie
      let again = realm.object(ofType: Dog.self, forPrimaryKey: dog.id)
      print(dog.isSameObject(as: again))  // true
      #expect(dog.isSameObject(as: again))
    }
    let dog = realm.dynamicObjects("Dog").first!
    let name = dog.name as? String
    try realm.write { dog["age"] = 4 }
    #expect(name == "Wolfie" && kennel.wolfie.age == 4)
  }

  @Test func lists() throws {
    let kennel = try Kennel()
    let (realm, person, dog) = (kennel.realm, kennel.person, Dog(value: ["name": "Bo"]))
    try realm.write { person.dogs.append(dog) }
    #expect(person.dogs.last?.name == "Bo")
    try realm.write {
      person.dogs.append(dog)
      person.dogs.move(from: 0, to: 1)
      person.dogs.remove(at: 0)
    }
    #expect(person.dogs.map(\.name) == ["Wolfie", "Bo", "Bo"])
  }

  @Test func setsAndMaps() throws {
    let kennel = try Kennel()
    let (realm, person) = (kennel.realm, kennel.person)
    try realm.write {
      person.languages.insert("de")
      person.languages.remove("fr")
    }
    print(person.languages.contains("de"))
    try realm.write {
      person.phones["home"] = "555-1234"
      person.phones["work"] = nil
    }
    for entry in person.phones { print(entry.key, entry.value) }
    #expect(person.languages.count == 1 && person.phones.count == 1)
    try realm.write { person.dogsByName["Wolfie"] = kennel.wolfie }
    let puppies = person.dogsByName.where { $0.age < 2 }
    #expect(puppies.count == 1)
  }

  @Test func values() throws {
    let id = ObjectId.generate()
    let same = try ObjectId(string: id.stringValue)
    print(id == same)  // true
    #expect(id == same)
    let price: Decimal128 = "19.99"
    print(price < "20", price.stringValue)
    #expect(price < 20)
  }

  @Test func projections() throws {
    let realm = try Kennel().realm
    for person in realm.objects(PersonProjection.self).filter("lastName == 'Snow'") {
      print(person.firstName, person.homeCity ?? "nowhere")
    }
    let projections = realm.objects(PersonProjection.self)
    #expect(projections.first?.homeCity == nil && projections.first?.friendsNames.isEmpty == true)
  }

  @Test func elsewhere() async throws {
    let kennel = try Kennel()
    let (realm, dog, configuration) = (kennel.realm, kennel.wolfie, kennel.configuration)
    let frozen = dog.freeze()
    Task.detached { print(frozen.name) }
    do {
      @ThreadSafe var person = realm.objects(Person.self).first
      Task.detached {
        guard let person else { return }  // Deleted meanwhile.
        try person.realm!.write { person.age += 1 }
      }
    }
    let person = kennel.person
    let queue = DispatchQueue(label: "other")
    let reference = ThreadSafeReference(to: person)
    queue.async {
      let realm = try! Realm(configuration: configuration, queue: queue)
      guard let person = realm.resolve(reference) else { return }  // Deleted meanwhile.
      print(person.lastName)
    }
    try await eventually {
      try Realm(configuration: configuration, queue: nil).objects(Person.self).first?.age == 1
    }
    queue.sync {}
  }
}
