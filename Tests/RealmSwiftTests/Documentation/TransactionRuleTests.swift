import Foundation
import RealmSwift
import TestSupport
import Testing

/// What is allowed in and out of write transactions, and what stops the program.
@Suite struct TransactionRuleTests {
  typealias Person = Kennels.Person
  typealias Dog = Kennels.Dog

  static let outside =
    "Attempting to modify object outside of a write transaction - call beginWriteTransaction on an RLMRealm instance first."
  static let changing =
    "Can only add, remove, or create objects in a Realm in a write transaction - call beginWriteTransaction on an RLMRealm instance first."

  private static func person() throws -> (Realm, Person) {
    let realm = try Kennels.file().open()
    let value: [String: Any] = ["id": 1, "name": "Jill", "dogs": [["Rex", 3]], "address": ["city": "Here"]]
    return (realm, try realm.write { realm.create(Person.self, value: value) })
  }

  // MARK: Allowed

  @Test func blockMayEndTheTransaction() throws {
    let (realm, person) = try Self.person()
    try realm.write {
      person.name = "committed"
      try realm.commitWrite()
    }
    try realm.write {
      person.name = "cancelled"
      realm.cancelWrite()
    }
    #expect(person.name == "committed")
    // And open another one, which is committed at the end.
    try realm.write {
      realm.cancelWrite()
      realm.beginWrite()
      person.name = "second"
    }
    #expect(!realm.isInWriteTransaction)
    #expect(person.name == "second")
  }

  @Test func manyCancelledRows() throws {
    let (realm, person) = try Self.person()
    realm.beginWrite()
    for number in 0..<3_000 { realm.create(Dog.self, value: ["dog \(number)", number] as [Any]) }
    realm.cancelWrite()
    #expect(realm.objects(Dog.self).map(\.name) == ["Rex"])
    try realm.write { person.dogs.append(objectsIn: [Dog(value: ["A", 1]), Dog(value: ["B", 2])]) }
    #expect(realm.objects(Dog.self).map(\.name) == ["Rex", "A", "B"])
    #expect(realm.objects(Dog.self).where { $0.age < 3 }.map(\.name) == ["A", "B"])
    #expect(realm.objects(Dog.self).sum(of: \.age) == 6)
    #expect(person.dogs.map(\.age) == [3, 1, 2])
  }

  @Test func emptyTransactionsDoNoHarm() throws {
    let (realm, person) = try Self.person()
    for _ in 0..<5 {
      try realm.write {}
      realm.beginWrite()
      realm.cancelWrite()
    }
    #expect(person.name == "Jill")
  }

  @Test func openTransactionEndsWithTheRealm() throws {
    let file = try Kennels.file()
    try file.read { realm in
      realm.beginWrite()
      realm.create(Dog.self, value: ["Rex"])
    }
    try file.write { realm in #expect(realm.isEmpty) }
  }

  // MARK: What stops the program

  @Test func beginTwice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, _) = try TransactionRuleTests.person()
      try realm.write { try realm.write {} }
    }
    expectStop(result, saying: "The Realm is already in a write transaction")
  }

  @Test func commitAndCancelOutside() async {
    let commit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try TransactionRuleTests.person().0.commitWrite()
    }
    expectStop(commit, saying: "Can't commit a non-existing write transaction")
    let cancel = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try TransactionRuleTests.person().0.cancelWrite()
    }
    expectStop(cancel, saying: "Can't cancel a non-existing write transaction")
  }

  @Test func readOnlyRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try Kennels.file()
      try file.write { realm in realm.create(Dog.self) }
      var configuration = file.configuration
      configuration.readOnly = true
      try Realm(configuration: configuration).write {}
    }
    expectStop(result, saying: "Can't perform transactions on read-only Realms.")
  }

  @Test func propertiesOutside() async {
    let property = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (_, person) = try TransactionRuleTests.person()
      person.name = "x"
    }
    expectStop(property, saying: Self.outside)
    let link = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (_, person) = try TransactionRuleTests.person()
      person.address = nil
    }
    expectStop(link, saying: Self.outside)
    let embedded = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (_, person) = try TransactionRuleTests.person()
      person.address?.city = "x"
    }
    expectStop(embedded, saying: Self.outside)
    let byName = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (_, person) = try TransactionRuleTests.person()
      person.setValue("x", forKey: "name")
    }
    expectStop(byName, saying: Self.outside)
  }

  @Test func collectionsOutside() async {
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (_, person) = try TransactionRuleTests.person()
      person.dogs.removeAll()
    }
    expectStop(list, saying: "Cannot modify List outside of a write transaction.")
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (_, person) = try TransactionRuleTests.person()
      person.dogs[0].citiesVisited.insert("x")
    }
    expectStop(set, saying: "Cannot modify Set outside of a write transaction.")
    let map = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (_, person) = try TransactionRuleTests.person()
      person.dogs[0].favoriteParksByCity["x"] = "y"
    }
    expectStop(map, saying: "Cannot modify Dictionary outside of a write transaction.")
    let results = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, _) = try TransactionRuleTests.person()
      realm.objects(Dog.self).setValue("x", forKey: "name")
    }
    expectStop(results, saying: "Cannot modify Results outside of a write transaction.")
  }

  @Test func addCreateAndDeleteOutside() async {
    let add = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try TransactionRuleTests.person().0.add(Dog())
    }
    expectStop(add, saying: Self.changing)
    let create = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try TransactionRuleTests.person().0.create(Dog.self)
    }
    expectStop(create, saying: Self.changing)
    let delete = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try TransactionRuleTests.person()
      realm.delete(person)
    }
    expectStop(delete, saying: Self.changing)
  }

  @Test func primaryKeyOfAManagedObject() async {
    let typed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try TransactionRuleTests.person()
      try realm.write { person.id = 1 }
    }
    expectStop(typed, saying: "Primary key can't be changed after an object is inserted.")
    let byName = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try TransactionRuleTests.person()
      try realm.write { person.setValue(2, forKey: "id") }
    }
    expectStop(byName, saying: "Primary key can't be changed to '2' after an object is inserted.")
  }

  @Test func addingWhatCanNotBeAdded() async {
    let duplicate = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, _) = try TransactionRuleTests.person()
      try realm.write { realm.add(Person(value: ["id": 1])) }
    }
    expectStop(
      duplicate,
      saying: "Attempting to create an object of type 'Person' with an existing primary key value '1'.")
    let foreign = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, _) = try TransactionRuleTests.person()
      let (_, other) = try TransactionRuleTests.person()
      try realm.write { realm.add(other) }
    }
    expectStop(
      foreign,
      saying: "Object is already managed by another Realm. Use create instead to copy it into this Realm.")
    let linked = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try TransactionRuleTests.person()
      let (_, other) = try TransactionRuleTests.person()
      try realm.write { person.dogs.append(other.dogs[0]) }
    }
    expectStop(
      linked,
      saying: "Object is already managed by another Realm. Use create instead to copy it into this Realm.")
    let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try TransactionRuleTests.person()
      try realm.write {
        realm.delete(person)
        realm.add(person)
      }
    }
    expectStop(deleted, saying: "Adding a deleted or invalidated object to a Realm is not permitted")
    let keyless = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, _) = try TransactionRuleTests.person()
      try realm.write { realm.add(Dog(), update: .modified) }
    }
    expectStop(keyless, saying: "'Dog' does not have a primary key and can not be updated")
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, _) = try TransactionRuleTests.person()
      try realm.write { realm.add(ThreadTests.Counter()) }
    }
    expectStop(unknown, saying: "Object type 'Counter' is not managed by the Realm.")
  }

  @Test func embeddedObjectsHaveOneParent() async {
    let link = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try TransactionRuleTests.person()
      try realm.write { realm.create(Kennels.Contact.self).address = person.address }
    }
    expectStop(link, saying: "Can't set link to existing managed embedded object")
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try TransactionRuleTests.person()
      try realm.write { realm.create(Kennels.Business.self).addresses.append(person.address!) }
    }
    expectStop(list, saying: "Cannot add an existing managed embedded object to a List.")
    let map = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try TransactionRuleTests.person()
      try realm.write { realm.create(Kennels.Business.self).branches["x"] = person.address }
    }
    expectStop(map, saying: "Cannot add an existing managed embedded object to a Dictionary.")
  }

  @Test func lookUpsByPrimaryKey() async {
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try TransactionRuleTests.person().0.object(ofType: Dog.self, forPrimaryKey: 1)
    }
    expectStop(none, saying: "'Dog' does not have a primary key defined")
    let null = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try TransactionRuleTests.person().0.object(ofType: Person.self, forPrimaryKey: nil as Int?)
    }
    expectStop(null, saying: "Invalid null value for non-nullable primary key 'Person.id'.")
  }
}
