import RealmSwift
import TestSupport
import Testing

/// `renameProperty`: values that get another name.
@Suite struct RenamingTests {
  let file = ScratchRealm()

  private static func rename(_ migration: Migration) {
    migration.renameProperty(onType: "Person", from: "id", to: "number")
    migration.renameProperty(onType: "Person", from: "firstName", to: "givenName")
    // By another name that no class ever had.
    migration.renameProperty(onType: "Person", from: "lastName", to: "surname")
    migration.renameProperty(onType: "Person", from: "surname", to: "familyName")
    migration.renameProperty(onType: "Person", from: "pets", to: "animals")
    migration.renameProperty(onType: "Person", from: "pet", to: "animal")
  }

  private func check(_ realm: Realm, count: Int) throws {
    let people = realm.objects(Renamed.Person.self)
    #expect(people.count == count)
    for number in [0, 1, 959, 960, count - 1] {
      let person = try #require(realm.object(ofType: Renamed.Person.self, forPrimaryKey: number))
      #expect(person.givenName == "first \(number)")
      #expect(person.familyName == (number % 3 == 0 ? nil : "last \(number)"))
      #expect(person.animals.map(\.name) == ["shared", "pet \(number)"])
      #expect(person.animal?.owners.first?.number == number)
      #expect(people.where { $0.givenName == "first \(number)" }.map(\.number) == [number])
    }
  }

  @Test(arguments: [false, true]) func valuesKeepTheirPlace(isLast: Bool) throws {
    let count = 1500
    try Named.fill(file.open(Named.types), count: count)
    do {
      let realm = try file.migrate(Renamed.types, to: 1) { migration, _ in
        if !isLast { Self.rename(migration) }
        migration.enumerateObjects(ofType: "Person") { old, new in
          let expected = isLast ? nil : old!["firstName"] as? String
          #expect(new!["givenName"] as? String == expected)
        }
        // Rows that come and go before the name changes.
        let pet = migration.create("Pet", value: ["name": "short-lived"])
        let person = migration.create("Person", value: ["number": 10_000, "animals": [pet]])
        migration.enumerateObjects(ofType: "Pet") { old, new in
          if old!["name"] as! String == "short-lived" { migration.delete(new!) }
        }
        if isLast { Self.rename(migration) }
        migration.delete(person)
        migration.delete(pet)
      }
      try check(realm, count: count)
      let shared = realm.objects(Renamed.Pet.self).where { $0.name == "shared" }.first
      #expect(shared?.owners.count == count)
      try realm.write { realm.delete(shared!) }
      #expect(realm.objects(Renamed.Person.self).first?.animals.map(\.name) == ["pet 0"])
      try realm.write {
        realm.create(Renamed.Person.self, value: ["number": 0, "givenName": "again"], update: .modified)
      }
      #expect(realm.objects(Renamed.Person.self).count == count)
      #expect(realm.objects(Renamed.Person.self).where { $0.givenName == "again" }.count == 1)
    }
    let realm = try file.open(Renamed.types, version: 1)
    #expect(realm.objects(Renamed.Person.self).where { $0.givenName == "first 0" }.isEmpty)
    #expect(realm.object(ofType: Renamed.Person.self, forPrimaryKey: 77)?.givenName == "first 77")
  }

  /// The names of the file are those of old objects and of `renameProperty`; new objects have the names of their class.
  @Test func mappedPropertiesAreRenamed() throws {
    let count = 1000
    do {
      let realm = try file.open(FullyNamed.types)
      try realm.write {
        for id in 0..<count {
          realm.create(FullyNamed.Person.self, value: ["id": id, "fullName": "name \(id)"])
        }
      }
    }
    do {
      let realm = try file.migrate(Displayed.types, to: 1) { migration, _ in
        #expect(migration.oldSchema["Person"]?["full_name"] != nil)
        #expect(migration.oldSchema["Person"]?["fullName"] == nil)
        #expect(migration.newSchema["Person"]?["displayName"]?.columnName == "display_name")
        migration.renameProperty(onType: "Person", from: "full_name", to: "display_name")
        var seen = 0
        let block: MigrationObjectEnumerateBlock = { old, new in
          #expect(old?["full_name"] as? String == "name \(seen)")
          #expect(new?["displayName"] as? String == "name \(seen)")
          if seen == 7 { new?["displayName"] = "changed" }
          seen += 1
        }
        migration.enumerateObjects(ofType: "Person", block)
        #expect(seen == count)
      }
      let people = realm.objects(Displayed.Person.self)
      #expect(people.map(\.displayName) == (0..<count).map { $0 == 7 ? "changed" : "name \($0)" })
      #expect(people.where { $0.displayName == "name 999" }.count == 1)
    }
    let realm = try file.open(Displayed.types, version: 1)
    #expect(realm.object(ofType: Displayed.Person.self, forPrimaryKey: 999)?.displayName == "name 999")
  }

  /// A mistake that stops the program: the old name, the new one, and what is said.
  struct Mistake: Codable, Sendable, CustomTestStringConvertible {
    var type = "Person"
    var from: String
    var to: String
    var message: String
    var testDescription: String { message }
  }

  static let mistakes = [
    Mistake(
      type: "Nobody", from: "a", to: "b",
      message: "Cannot rename properties for type 'Nobody' because it does not exist."),
    Mistake(
      type: "Pet", from: "name", to: "b",
      message: "Cannot rename properties for type 'Pet' because it has been removed from the Realm."),
    Mistake(
      from: "id", to: "b",
      message: "Cannot rename property 'Person.id' to 'b' because the source property still exists."),
    Mistake(
      from: "nothing", to: "b", message: "Cannot rename property 'Person.nothing' because it does not exist."),
    Mistake(
      from: "age", to: "number",
      message:
        "Cannot rename property 'Person.age' to 'number' because it would change from type 'string' to 'int'."
    ),
    Mistake(
      from: "lastName", to: "familyName",
      message:
        "Cannot rename property 'Person.lastName' to 'familyName' because it would change from optional to required."
    ),
    Mistake(from: "age", to: "nowhere", message: "Renamed property 'Person.nowhere' does not exist."),
  ]

  @Test(arguments: mistakes) func mistakesStopTheProgram(_ mistake: Mistake) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [mistake = mistake as Mistake] in
      let file = ScratchRealm()
      try Named.fill(file.open(Named.types), count: 1)
      _ = try file.migrate(Strict.types, to: 1) { migration, _ in
        migration.renameProperty(onType: mistake.type, from: mistake.from, to: mistake.to)
      }
    }
    expectStop(result, saying: mistake.message)
  }

  @Test func namesStayWhileObjectsAreEnumerated() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = ScratchRealm()
      try Named.fill(file.open(Named.types), count: 1)
      _ = try file.migrate(Renamed.types, to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { _, _ in Self.rename(migration) }
      }
    }
    expectStop(result, saying: "Cannot rename property 'Person.id' while objects are being enumerated.")
  }
}

private enum Strict {
  class Person: Hidden {
    @Persisted var id = 0
    @Persisted var number = 0
    @Persisted var familyName = ""
  }
  static let types: [ObjectBase.Type] = [Person.self]
}
