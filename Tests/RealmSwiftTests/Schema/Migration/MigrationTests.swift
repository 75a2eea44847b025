import Foundation
import RealmSwift
import TestSupport
import Testing

/// What a migration block sees and does.
@Suite struct MigrationTests {
  let file = ScratchRealm()
  let count = 2000

  private func fill() throws { try Named.fill(file.open(Named.types), count: count) }

  @Test func valuesAreComputedFromTheOldObject() throws {
    try fill()
    let realm = try file.migrate(FullyNamed.types, to: 3) { migration, oldVersion in
      #expect(oldVersion == 0)
      #expect(migration.oldSchema["Person"]?.properties.map(\.name).contains("firstName") == true)
      #expect(migration.oldSchema["Person"]?["age"]?.type == .string)
      #expect(migration.newSchema["Person"]?["age"]?.type == .int)
      migration.enumerateObjects(ofType: "Person") { old, new in
        guard let old, let new else {
          Issue.record("both are there")
          return
        }
        // Each object's realm has the classes of its version.
        #expect(old.realm?.schema["Person"]?["age"]?.type == .string)
        #expect(old.realm?.schema["Person"]?["firstName"] != nil)
        #expect(new.realm?.schema["Person"]?["age"]?.type == .int)
        // What has another type, or is new, is zero.
        #expect(new["age"] as? Int == 0)
        #expect(new["fullName"] as? String == "")
        #expect(new["score"] as? Int == old["score"] as? Int)
        let first = old["firstName"] as! String
        let last = old["lastName"] as? String ?? "?"
        new["fullName"] = first + " " + last
        new["age"] = Int(old["age"] as! String)
        let numbers = new["numbers"] as! List<String>
        #expect(numbers.isEmpty)
        numbers.append(objectsIn: (old["numbers"] as! List<Int>).map { "\($0)" })
        let pet = old["pet"] as! MigrationObject
        #expect(pet["name"] as? String == "pet \(old["id"]!)")
        let pets = new["pets"] as! List<MigrationObject>
        #expect(pets.count == 2)
      }
    }
    let people = realm.objects(FullyNamed.Person.self)
    #expect(people.count == count)
    for number in [0, 1, 2, 959, 960, count - 1] {
      let person = try #require(realm.object(ofType: FullyNamed.Person.self, forPrimaryKey: number))
      let lastName = number % 3 == 0 ? "?" : "last \(number)"
      #expect(person.fullName == "first \(number) \(lastName)")
      #expect(person.age == number % 90)
      #expect(person.score == number % 10)
      #expect(Array(person.numbers) == ["\(number)", "\(number + 1)"])
      #expect(person.pet?.name == "pet \(number)")
      #expect(person.pet?.owners.first?.id == number)
    }
    #expect(people.where { $0.score == 3 }.count == count / 10)
    #expect(people.where { $0.age == 89 }.count == people.filter { $0.age == 89 }.count)
    #expect(try schemaVersionAtURL(file.url, encryptionKey: ScratchRealm.usualKey) == 3)
  }

  @Test func objectsAreCreatedAndDeleted() throws {
    try fill()
    let count = count
    let realm = try file.migrate(FullyNamed.types, to: 1) { migration, _ in
      var seen = 0
      migration.enumerateObjects(ofType: "Person") { old, new in
        seen += 1
        let id = old!["id"] as! Int
        if id % 2 == 0 { migration.delete(new!) }
        if id == 1 {
          // Defaults of the class count for what is created, and what is created is not enumerated.
          let person = migration.create("Person", value: ["id": count + 1])
          #expect(person["fullName"] as? String == "nobody")
          let pet = migration.create("Pet", value: ["name": "new pet"])
          person["pet"] = pet
          (person["pets"] as! List<MigrationObject>).append(pet)
        }
      }
      #expect(seen == count)
      seen = 0
      migration.enumerateObjects(ofType: "Person") { _, new in
        #expect(new!["id"] as! Int % 2 == 1)
        seen += 1
      }
      #expect(seen == count / 2)
    }
    let people = realm.objects(FullyNamed.Person.self)
    #expect(people.count == count / 2 + 1)
    let new = try #require(realm.object(ofType: FullyNamed.Person.self, forPrimaryKey: count + 1))
    #expect(new.pet?.name == "new pet")
    #expect(new.pet?.owners.first?.id == count + 1)
    #expect(realm.objects(FullyNamed.Pet.self).count == count + 2)
    #expect(realm.objects(FullyNamed.Pet.self).where { $0.name == "shared" }.first?.owners.count == count / 2)
  }

  @Test func classesComeAndGo() throws {
    try fill()
    let count = count
    do {
      let realm = try file.migrate(Places.types, to: 1) { migration, _ in
        #expect(migration.newSchema["Person"] == nil)
        var seen = 0
        migration.enumerateObjects(ofType: "Pet") { old, new in
          #expect(new == nil)
          if seen < 3 {
            migration.create("Place", value: ["name": old!["name"]!, "kind": Places.Kind.town])
          }
          seen += 1
        }
        #expect(seen == count + 1)
        migration.enumerateObjects(ofType: "Place") { old, new in
          #expect(old == nil)
          #expect(new!["kind"] as? String == "town")
          new!["neighbour"] = new
        }
        migration.enumerateObjects(ofType: "Nothing") { _, _ in Issue.record("called") }
        #expect(migration.deleteData(forType: "Person"))
        #expect(!migration.deleteData(forType: "Nothing"))
      }
      let places = realm.objects(Places.Place.self)
      #expect(Set(places.map(\.name)) == ["shared", "pet 0", "pet 1"])
      #expect(places.allSatisfy { $0.neighbour == $0 })
    }
    // The class whose data was deleted is gone, the other one is as it was.
    let realm = try file.open(Named.types, version: 1)
    #expect(realm.objects(Named.Person.self).isEmpty)
    #expect(realm.objects(Named.Pet.self).count == count + 1)
    #expect(realm.objects(Named.Pet.self).last?.owners.isEmpty == true)
    try Named.fill(realm, count: 10)
    #expect(realm.objects(Named.Person.self).count == 10)
  }

  @Test func keysMayBeChanged() throws {
    try fill()
    let count = count
    do {
      let realm = try file.migrate(Named.types, to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { old, new in new!["id"] = old!["id"] as! Int + 1 }
      }
      #expect(realm.object(ofType: Named.Person.self, forPrimaryKey: 0) == nil)
      #expect(
        realm.object(ofType: Named.Person.self, forPrimaryKey: count)?.firstName == "first \(count - 1)")
    }
    let error = realmError {
      _ = try file.migrate(Named.types, to: 2) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { _, new in new!["id"] = 7 }
      }
    }
    #expect(error?.code == .fail)
    #expect(
      error?.localizedDescription == "Primary key property 'Person.id' has duplicate values after migration.")
    // Nothing was changed.
    let realm = try file.open(Named.types, version: 1)
    #expect(realm.object(ofType: Named.Person.self, forPrimaryKey: 7)?.firstName == "first 6")
  }

  @Test func anotherPropertyBecomesTheKey() throws {
    try fill()
    let realm = try file.migrate(KeyedByName.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in new!["firstName"] = "key \(old!["id"]!)" }
    }
    #expect(realm.object(ofType: KeyedByName.Person.self, forPrimaryKey: "key 77")?.id == 77)
    #expect(realm.object(ofType: KeyedByName.Person.self, forPrimaryKey: "first 77") == nil)
  }

  @Test func objectsBecomeEmbedded() throws {
    try fill()
    let count = count
    do {
      let realm = try file.migrate(Owning.types, to: 1) { migration, _ in
        migration.create("Pet", value: ["name": "orphan"])
      }
      // The shared one, and that of the link and of the list, belong to everybody.
      #expect(realm.dynamicObjects("Pet").count == 3 * count)
      let people = realm.objects(Owning.Person.self)
      for number in [0, 1, 960, count - 1] {
        #expect(people[number].pet?.name == "pet \(number)")
        #expect(people[number].pets.map(\.name) == ["shared", "pet \(number)"])
      }
      try realm.write {
        people[1].pets[0].name = "mine"
        people[1].pet = nil
        realm.delete(people[2])
      }
      #expect(people[0].pets[0].name == "shared")
      #expect(realm.dynamicObjects("Pet").count == 3 * count - 4)
    }
    let realm = try file.migrate(Named.types, to: 2) { migration, _ in
      migration.create("Pet", value: ["name": "free"])
    }
    let pets = realm.objects(Named.Pet.self)
    #expect(pets.count == 3 * count - 3)
    #expect(pets.where { $0.name == "mine" }.first?.owners.first?.id == 1)
  }

  /// As many in one list as would take long if each were looked for in it; twice, and once in a mixed value.
  @Test func manyObjectsOfOneParentBecomeEmbedded() throws {
    let count = 20_000
    do {
      let realm = try file.open(Holding.types)
      try realm.write {
        let pets = (0..<count).map { realm.create(Holding.Pet.self, value: ["name": "\($0)"]) }
        let holder = realm.create(Holding.Holder.self)
        holder.pets.append(objectsIn: pets)
        holder.others.append(objectsIn: pets)
        holder.anything = .object(pets[7])
      }
    }
    let realm = try file.migrate(HoldingOwn.types, to: 1)
    let holder = try #require(realm.objects(HoldingOwn.Holder.self).first)
    #expect(realm.dynamicObjects("Pet").count == 2 * count)
    #expect(holder.anything == .none)
    for number in [0, 7, 960, count - 1] {
      #expect(holder.pets[number].name == "\(number)")
      #expect(holder.others[number].name == "\(number)")
    }
    try realm.write { holder.pets[7].name = "mine" }
    #expect(holder.others[7].name == "7")
  }

  // MARK: What goes wrong

  @Test func oldObjectsCanNotBeChanged() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = ScratchRealm()
      try Named.fill(file.open(Named.types), count: 1)
      _ = try file.migrate(Named.types, to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { old, _ in old!["age"] = "5" }
      }
    }
    expectStop(result, saying: "Attempting to modify a frozen object")
  }

  @Test func oldObjectsCanNotBeDeleted() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = ScratchRealm()
      try Named.fill(file.open(Named.types), count: 1)
      _ = try file.migrate(Named.types, to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { old, _ in migration.delete(old!) }
      }
    }
    expectStop(result, saying: "Can only delete an object from the Realm it belongs to.")
  }

  @Test func unknownClassesCanNotBeCreated() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = ScratchRealm()
      try Named.fill(file.open(Named.types), count: 1)
      _ = try file.migrate(Places.types, to: 1) { migration, _ in migration.create("Person") }
    }
    expectStop(result, saying: "Object type 'Person' is not managed by the Realm")
  }

  @Test func aProgramThatStopsChangesNothing() async throws {
    try fill()
    let path: String = file.path
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = path as String] in
      var configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: ScratchRealm.usualKey, schemaVersion: 1,
        objectTypes: FullyNamed.types)
      configuration.migrationBlock = { migration, _ in
        migration.enumerateObjects(ofType: "Person") { _, new in
          new!["fullName"] = "x"
          if new!["id"] as! Int == 1500 { fatalError("in the middle") }
        }
      }
      _ = try Realm(configuration: configuration)
    }
    expectStop(result, saying: "in the middle")
    let realm = try file.open(Named.types)
    #expect(realm.objects(Named.Person.self).count == count)
    #expect(realm.object(ofType: Named.Person.self, forPrimaryKey: 1500)?.firstName == "first 1500")
  }

  // MARK: Steps

  private struct Refusal: Error, Equatable { var reason: String }

  @Test func stepsRunInOrderAndOnlyOnce() throws {
    try fill()
    nonisolated(unsafe) var ran: [String] = []
    let block: MigrationBlock = { migration, _ in
      migration.step("one", to: 1) { ran.append("one") }
      migration.step("two", to: 2) { ran.append("two") }
    }
    _ = try file.migrate(Named.types, to: 2, block)
    #expect(ran == ["one", "two"])
    _ = try file.migrate(Named.types, to: 2, block)
    #expect(ran == ["one", "two"])
    _ = try file.migrate(Named.types, to: 3) { migration, version in
      #expect(version == 2)
      block(migration, version)
      migration.step("three", to: 3) { ran.append("three") }
    }
    #expect(ran == ["one", "two", "three"])
  }

  @Test func aStepThatThrowsChangesNothing() throws {
    try fill()
    nonisolated(unsafe) var ran: [String] = []
    #expect(throws: Refusal(reason: "no")) {
      _ = try file.migrate(FullyNamed.types, to: 3) { migration, _ in
        migration.step("one", to: 1) {
          migration.enumerateObjects(ofType: "Person") { _, new in new!["fullName"] = "x" }
          ran.append("one")
        }
        migration.step("two", to: 2) { throw Refusal(reason: "no") }
        migration.step("three", to: 3) { ran.append("three") }
      }
    }
    #expect(ran == ["one"])
    let realm = try file.open(Named.types)
    #expect(realm.objects(Named.Person.self).first?.firstName == "first 0")
    #expect(try schemaVersionAtURL(file.url, encryptionKey: ScratchRealm.usualKey) == 0)
  }

  // MARK: Without a block

  @Test func lossesWithoutABlockAreLogged() throws {
    try fill()
    nonisolated(unsafe) var messages: [String] = []
    let former = Logger.shared
    defer { Logger.shared = former }
    let path = file.path
    Logger.shared = Logger(level: .warn) { _, message in
      if message.contains(path) { messages.append(message) }
    }
    let realm = try file.migrate(FullyNamed.types, to: 1)
    #expect(realm.objects(FullyNamed.Person.self)[77].age == 0)
    #expect(messages.count == 1)
    #expect(
      messages.first?.contains("Property 'Person.age' has been changed from 'string' to 'int'.") == true)
    #expect(messages.first?.contains("Property 'Person.firstName' has been removed.") == true)
  }
}

private enum Holding {
  class Holder: Hidden {
    @Persisted var pets: List<Pet>
    @Persisted var others: List<Pet>
    @Persisted var anything: AnyRealmValue
  }
  class Pet: Hidden {
    @Persisted var name = ""
  }
  static let types: [ObjectBase.Type] = [Holder.self, Pet.self]
}

private enum HoldingOwn {
  class Holder: Hidden {
    @Persisted var pets: List<Pet>
    @Persisted var others: List<Pet>
    @Persisted var anything: AnyRealmValue
  }
  class Pet: HiddenEmbedded {
    @Persisted var name = ""
  }
  static let types: [ObjectBase.Type] = [Holder.self, Pet.self]
}
