import Foundation
import Storage
import TestSupport
import Testing

@testable import RealmSwift

/// Files that are opened with the classes that they have, and those whose classes are described anew.
@Suite struct DescribedFileTests {
  private let file = ScratchRealm([])

  private func fill(_ classes: [DescribedClass] = Described.pets, version: UInt64 = 0) throws {
    let realm = try Realm(configuration: file.described(.classes(classes), version: version))
    try realm.write {
      for age in 0..<3 { realm.dynamicCreate("Dog", value: ["name": "d\(age)", "age": age]) }
    }
  }

  // MARK: Whatever is in the file

  @Test func theClassesOfTheFile() throws {
    try fill(version: 7)
    let realm = try Realm(configuration: file.described(.ofFile))
    #expect(realm.schema.objectSchema.map(\.className) == ["Address", "Dog", "Person", "Toy"])
    #expect(realm.configuration.schemaVersion == 7 && realm.configuration.schema == .ofFile)
    #expect(realm.dynamicObjects("Dog").sorted(byKeyPath: "age").last?["dog_name"] as? String == "d2")
    try realm.write {
      let person = realm.dynamicCreate("Person", value: ["all_dogs": [realm.dynamicObjects("Dog").first!]])
      #expect((person["all_dogs"] as? List<DynamicObject>)?.count == 1)
    }
    #expect(!realm.isEmpty)
    // Nothing was changed about the classes.
    #expect(try Realm.migrationPlan(for: file.described(.ofFile)).action == .nothing)
    #expect(
      try Realm.migrationPlan(for: file.described(.classes(Described.pets), version: 7)).action == .nothing)
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty && realm.dynamicObjects("Dog").isEmpty)
  }

  /// Also while the file is open with classes, here and on other threads.
  @Test func besideOthers() throws {
    try fill(version: 3)
    let realm = try Realm(configuration: file.described(.classes(Described.pets), version: 3))
    #expect(try Realm(configuration: file.described(.ofFile)) == realm)
    let configuration = file.described(.ofFile)
    let found = try onOtherThread {
      let other = try Realm(configuration: configuration)
      let frozen = other.freeze()
      try other.write { other.delete(other.dynamicObjects("Dog").filter("age == 0")) }
      return [other.dynamicObjects("Dog").count, frozen.dynamicObjects("Dog").count]
    }
    #expect(found == [2, 3])
    realm.refresh()
    #expect(realm.dynamicObjects("Dog").count == 2)
  }

  /// A program that is started anew with other classes, while somebody looks at its file.
  @Test func migratedByAnotherProcess() throws {
    try fill()
    let realm = try Realm(configuration: file.described(.ofFile))
    let dog = try #require(realm.dynamicObjects("Dog").first)
    #expect(dog.age as? Int == 0)
    // Within one process all must agree on the version.
    let configuration = file.described(.classes(Self.newPets), version: 1)
    let key = ScratchRealm.usualKey.map { Array($0) }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: file.path, encryptionKey: key))
    #expect(try SchemaAtOpening(configuration, configuration.classes!, snapshot).run())
    #expect(dog.age as? Int == 0 && realm.schema["Dog"]?["age"]?.type == .int)
    realm.refresh()
    #expect(dog.age as? String == "" && dog.weight as? Double == 0)
    #expect(realm.schema["Dog"]?["age"]?.type == .string)
    try realm.write { realm.dynamicCreate("Dog", value: ["dog_name": "new", "weight": 3.5]) }
    #expect(realm.dynamicObjects("Dog").filter("weight > 3").first?.age as? String == "")
  }

  @Test func readOnly() throws {
    try fill(version: 2)
    var configuration = file.described(.ofFile)
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration)
    #expect(realm.dynamicObjects("Dog").count == 3 && realm.configuration.schemaVersion == 2)
  }

  @Test func withoutAFile() throws {
    let error = realmError { _ = try Realm(configuration: file.described(.ofFile)) }
    #expect(error?.code == .fileNotFound)
    #expect(
      error?.localizedDescription
        == "Failed to open Realm file at path '\(file.path)': No such file or directory")
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func inMemory() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: "described", schema: [Described.toy]))
    try realm.write { realm.dynamicCreate("Toy", value: ["label": "x"]) }
    #expect(realm.dynamicObjects("Toy").first?.label as? String == "x")
  }

  // MARK: Changes

  @Test func additionsNeedNoMigration() throws {
    try fill([Described.dog, Described.toy, Described.person, Described.address])
    var dog = Described.dog
    dog.properties[1].isIndexed = false
    let cat = DescribedClass("Cat", [DescribedProperty("prey", .object, of: "Dog", in: .set)])
    let realm = try Realm(
      configuration: file.described(.classes([dog, Described.person, Described.address, Described.toy, cat])))
    try realm.write { realm.dynamicCreate("Cat", value: ["prey": [realm.dynamicObjects("Dog").first!]]) }
    #expect(realm.dynamicObjects("Cat").filter("ANY prey.age == 0").count == 1)
    #expect(realm.schema["Dog"]?["age"]?.isIndexed == false)
  }

  @Test func manyThreadsAddClasses() throws {
    let file = file
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      autoreleasepool {
        let own = DescribedClass("Class\(number)", [DescribedProperty("all", .object, of: "Toy", in: .list)])
        let realm = try! Realm(configuration: file.described([Described.toy, own]))
        try! realm.write { realm.dynamicCreate("Class\(number)", value: ["all": [["label": "x"]]]) }
      }
    }
    let realm = try Realm(configuration: file.described(.ofFile))
    #expect(realm.schema.objectSchema.map(\.className) == (0..<8).map { "Class\($0)" } + ["Toy"])
    #expect(realm.dynamicObjects("Toy").count == 8)
  }

  private static let newDog: DescribedClass = {
    var dog = Described.dog
    dog.properties[1].type = .string
    dog.properties.insert(DescribedProperty("weight", .double), at: 1)
    return dog
  }()
  private static let newPets = [newDog, Described.person, Described.address, Described.toy]

  @Test func differencesAreTold() throws {
    try fill()
    let differences = [
      "Property 'Dog.weight' has been added.", "Property 'Dog.age' has been changed from 'int' to 'string'.",
    ]
    let configuration = file.described(.classes(Self.newPets))
    let error = realmError { _ = try Realm(configuration: configuration) }
    #expect(error?.code == .schemaMismatch)
    #expect(
      error?.localizedDescription
        == "Migration is required due to the following errors:\n- " + differences.joined(separator: "\n- ")
        + "\nThis concerns the Realm file at path '\(file.path)': set `schemaVersion` to more than 0 to migrate it."
    )
    let plan = try Realm.migrationPlan(for: file.described(.classes(Self.newPets), version: 1))
    #expect(plan.action == .migration && plan.differences == differences && plan.losses == [differences[1]])
    var anew = configuration
    anew.deleteRealmIfMigrationNeeded = true
    #expect(try Realm(configuration: anew).isEmpty)
  }

  @Test func migration() throws {
    try fill()
    var configuration = file.described(.classes(Self.newPets), version: 1)
    configuration.migrationBlock = { migration, old in
      #expect(old == 0 && migration.oldSchema["Dog"]?["age"]?.type == .int)
      #expect(migration.newSchema["Dog"]?["age"]?.type == .string)
      migration.enumerateObjects(ofType: "Dog") { old, new in
        new?["age"] = "\(old?["age"] as? Int ?? -1) years"
        new?["weight"] = 2.5
      }
      migration.create("Dog", value: ["name": "new", "age": "none"])
    }
    let realm = try Realm(configuration: configuration)
    #expect(
      realm.dynamicObjects("Dog").map { $0.age as? String } == ["0 years", "1 years", "2 years", "none"])
    #expect(realm.dynamicObjects("Dog").map { $0.weight as? Double } == [2.5, 2.5, 2.5, 0])
    // Arrays give values in the order of the description, wherever the columns lie.
    try realm.write {
      let dog = realm.dynamicCreate("Dog", value: ["Rex", 7.5, "old", "story", []] as [Any])
      #expect(dog.weight as? Double == 7.5 && dog.age as? String == "old")
    }
  }

  /// A class that becomes embedded: objects that nothing links to go, those with several parents are copied.
  @Test func embeddedFromNowOn() throws {
    let toys = DescribedProperty("toys", .object, of: "Toy", in: .list)
    let boxes = DescribedClass("Box", [DescribedProperty("number", .int), toys])
    do {
      let realm = try Realm(configuration: file.described([boxes, Described.toy]))
      try realm.write {
        let toy = realm.dynamicCreate("Toy", value: ["label": "shared"])
        realm.dynamicCreate("Toy", value: ["label": "lost"])
        for number in 0..<2 { realm.dynamicCreate("Box", value: ["number": number, "toys": [toy]]) }
      }
    }
    var toy = Described.toy
    toy.isEmbedded = true
    let configuration = file.described([boxes, toy], version: 1)
    #expect(
      try Realm.migrationPlan(for: configuration).differences == [
        "Class 'Toy' has been changed from TopLevel to Embedded."
      ])
    let realm = try Realm(configuration: configuration)
    #expect(realm.dynamicObjects("Toy").map { $0.label as? String } == ["shared", "shared"])
    let first = try #require(realm.dynamicObjects("Box").first?.toys as? List<DynamicObject>)
    try realm.write { first[0].label = "mine" }
    #expect(realm.dynamicObjects("Toy").filter("label == 'mine'").count == 1)
    #expect(realm.schema["Toy"]?.isEmbedded == true)
  }

  @Test func deletedClasses() throws {
    try fill(Described.pets)
    var configuration = file.described([Described.toy], version: 1)
    configuration.migrationBlock = { migration, _ in
      for name in ["Dog", "Person", "Address"] { #expect(migration.deleteData(forType: name)) }
    }
    do { _ = try Realm(configuration: configuration) }
    #expect(
      try DescribedClass.classes(ofFileAt: file.url, encryptionKey: ScratchRealm.usualKey) == [Described.toy])
  }

  @Test func renamedProperties() throws {
    try fill()
    var dog = Described.dog
    dog.properties[1] = DescribedProperty("years", .int, optional: true)
    var configuration = file.described(
      .classes([dog, Described.person, Described.address, Described.toy]), version: 1)
    configuration.migrationBlock = { migration, _ in
      migration.renameProperty(onType: "Dog", from: "age", to: "years")
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.dynamicObjects("Dog").map { $0.years as? Int } == [0, 1, 2])
    #expect(realm.schema["Dog"]?["years"]?.isOptional == true)
  }

  @Test func duplicatesOfANewKey() throws {
    try fill()
    var dog = Described.dog
    dog.properties[0].isPrimaryKey = false
    dog.properties[1] = DescribedProperty("age", .int, primaryKey: true)
    do {
      let realm = try Realm(configuration: file.described(.classes(Described.pets)))
      try realm.write { realm.dynamicCreate("Dog", value: ["name": "other", "age": 1]) }
    }
    let error = realmError {
      _ = try Realm(
        configuration: file.described(
          .classes([dog, Described.person, Described.address, Described.toy]), version: 1))
    }
    #expect(
      error?.localizedDescription == "Primary key property 'Dog.age' has duplicate values after migration.")
  }

  /// Classes that are described alike are the same to realms of one thread.
  @Test func equalDescriptions() throws {
    try fill()
    let first = try Realm(configuration: file.described(.classes(Described.pets)))
    let second = try Realm(configuration: file.described(.classes(Described.pets.reversed())))
    #expect(first == second && first.freeze() == second.freeze())
    #expect(first.configuration.opensAlike(file.described(.classes(Described.pets))))
    #expect(!first.configuration.opensAlike(file.described(.classes([Described.toy]))))
  }
}
