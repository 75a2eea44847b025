import Foundation
import RealmSwift
import TestSupport
import Testing

/// What happens to objects when the schema version is raised.
@Suite struct AutomaticMigrationTests {
  let file = ScratchRealm()

  @Test func valuesAreKeptAsFarAsTheirTypesAllow() throws {
    let count = 2500
    do {
      let realm = try file.open(First.types)
      try realm.write {
        for number in 0..<count {
          let item = First.Item()
          item.number = number
          item.text = number % 2 == 0 ? "text \(number)" : nil
          item.kept = "key \(number)"
          item.gone = 1.5
          item.numbers.append(objectsIn: [1, nil, number])
          item.letters.insert(objectsIn: ["a", nil])
          item.scores["a"] = .some(nil)
          item.scores["b"] = number
          item.part = First.Part(value: ["name": "part \(number)"])
          item.parts.append(First.Part(value: ["name": "one of many"]))
          realm.add(item)
        }
      }
    }
    let realm = try file.open(Second.types, version: 1)
    let items = realm.objects(Second.Item.self)
    #expect(items.count == count)
    for number in [0, 1, 959, 960, 961, count - 1] {
      let item = try #require(realm.object(ofType: Second.Item.self, forPrimaryKey: "key \(number)"))
      #expect(item.number == number)
      #expect(item.text == (number % 2 == 0 ? "text \(number)" : ""))
      #expect(item.gone == nil)
      #expect(Array(item.numbers) == [1, 0, number])
      #expect(Set(item.letters) == ["a", ""])
      #expect(item.scores["a"] == 0)
      #expect(item.scores["b"] == number)
      #expect(item.part?.name == "part \(number)")
      // The class's own defaults are for new objects only.
      #expect(item.added == 0)
      #expect(item.addedLink == nil)
      #expect(item.addedId == ObjectId("000000000000000000000000"))
      #expect(item.addedOptional == nil)
      #expect(item.addedList.isEmpty)
      #expect(item.addedDate == Date(timeIntervalSinceReferenceDate: 0))
    }
    #expect(items.where { $0.added == 0 }.count == count)
    // Embedded objects went with their property.
    #expect(realm.dynamicObjects("Part").count == count)
    try realm.write {
      let item = try #require(items.first)
      item.number = nil
      item.gone = Data([1])
      item.added = 7
      item.addedLink = items.last
      realm.create(Second.Item.self, value: ["kept": "new"])
    }
    #expect(items.where { $0.added == 7 }.count == 1)
    #expect(items.where { $0.added == 42 }.first?.kept == "new")
    #expect(items.where { $0.number == nil }.count == 2)
    #expect(try schemaVersionAtURL(file.url, encryptionKey: ScratchRealm.usualKey) == 1)
  }

  @Test func everythingIsThereAfterReopening() throws {
    try valuesAreKeptAsFarAsTheirTypesAllow()
    let realm = try file.open(Second.types, version: 1)
    #expect(realm.objects(Second.Item.self).count == 2501)
    let first = try #require(realm.object(ofType: Second.Item.self, forPrimaryKey: "key 0"))
    #expect(first.gone == Data([1]))
    #expect(first.addedLink?.kept == "key 2499")
    #expect(first.number == nil)
    #expect(realm.object(ofType: Second.Item.self, forPrimaryKey: "key 1")?.number == 1)
  }

  /// Zeros of a column that nobody ever wrote stay zeros when the column can hold null.
  @Test func unwrittenZerosDoNotBecomeNull() throws {
    do {
      let realm = try file.open(OnlyNumber.types)
      try realm.write {
        for number in 0..<1000 { realm.create(OnlyNumber.Item.self, value: ["number": number]) }
      }
    }
    do {
      let realm = try file.open(NumberAndCount.types, version: 1)
      try realm.write { realm.objects(NumberAndCount.Item.self)[999].count = 3 }
    }
    let realm = try file.open(OptionalCount.types, version: 2)
    let items = realm.objects(OptionalCount.Item.self)
    #expect(items.first?.count == 0)
    #expect(items.last?.count == 3)
    #expect(items.where { $0.count == nil }.count == 0)
    #expect(items.where { $0.count == 0 }.count == 999)
    try realm.write { items[5].count = nil }
    #expect(items.where { $0.count == nil }.count == 1)
  }

  @Test func aVersionAloneMayBeRaised() throws {
    _ = try file.open(Unkeyed.types, version: 1)
    _ = try file.open(Unkeyed.types, version: 9)
    #expect(try schemaVersionAtURL(file.url, encryptionKey: ScratchRealm.usualKey) == 9)
    try Realm.performMigration(for: file.configuration(Unkeyed.types, version: 10))
    #expect(try schemaVersionAtURL(file.url, encryptionKey: ScratchRealm.usualKey) == 10)
  }

  @Test func openRealmsAreNotMigrated() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let configuration = Realm.Configuration(inMemoryIdentifier: "migrate", objectTypes: [RealmDog.self])
      let realm = try Realm(configuration: configuration)
      try Realm.performMigration(for: configuration)
      withExtendedLifetime(realm) {}
    }
    expectStop(result, saying: "Cannot migrate Realms that are already open.")
  }

  // MARK: Keys

  @Test func keysMoveToAnotherProperty() throws {
    do {
      let realm = try file.open(KeyedByNumber.types)
      try realm.write {
        for number in 0..<1500 {
          realm.create(KeyedByNumber.Item.self, value: ["number": number, "text": "t\(number)"])
        }
      }
    }
    do {
      let realm = try file.open(KeyedByText.types, version: 1)
      #expect(realm.object(ofType: KeyedByText.Item.self, forPrimaryKey: "t1234")?.number == 1234)
      try realm.write {
        realm.create(KeyedByText.Item.self, value: ["number": -1, "text": "t7"], update: .modified)
        realm.create(KeyedByText.Item.self, value: ["number": -2, "text": "new"], update: .modified)
      }
      #expect(realm.objects(KeyedByText.Item.self).count == 1501)
    }
    do {
      let realm = try file.open(Unkeyed.types, version: 2)
      #expect(realm.schema["Item"]?.primaryKeyProperty == nil)
      try realm.write { realm.create(Unkeyed.Item.self, value: ["number": 5, "text": "t5"]) }
    }
    let error = realmError { _ = try file.open(KeyedByText.types, version: 3) }
    #expect(error?.code == .fail)
    #expect(
      error?.localizedDescription
        == "Primary key property 'Item.text' has duplicate values after migration.")
    // A migration that fails leaves the file as it was.
    #expect(try schemaVersionAtURL(file.url, encryptionKey: ScratchRealm.usualKey) == 2)
    #expect(try file.open(Unkeyed.types, version: 2).objects(Unkeyed.Item.self).count == 1502)
  }

  // MARK: Embedded classes

  private func fillParts(shared: Bool) throws {
    let realm = try file.open(TopLevel.types)
    try realm.write {
      realm.create(TopLevel.Part.self, value: ["name": "orphan"])
      let part = realm.create(TopLevel.Part.self, value: ["name": "child"])
      realm.create(TopLevel.Item.self, value: ["number": 1, "part": part])
      if shared { realm.create(TopLevel.Item.self, value: ["number": 2, "part": part]) }
    }
  }

  @Test func classesBecomeEmbeddedAndBack() throws {
    try fillParts(shared: false)
    do {
      let realm = try file.open(Embedding.types, version: 1)
      #expect(realm.schema["Part"]?.isEmbedded == true)
      #expect(realm.dynamicObjects("Part").count == 1)
      #expect(realm.objects(Embedding.Item.self).first?.part?.name == "child")
    }
    let realm = try file.open(TopLevel.types, version: 2)
    #expect(realm.objects(TopLevel.Part.self).count == 1)
    try realm.write { realm.delete(realm.objects(TopLevel.Item.self)) }
    #expect(realm.objects(TopLevel.Part.self).count == 1)
  }

  @Test func sharedObjectsAreCopied() throws {
    try fillParts(shared: true)
    let realm = try file.open(Embedding.types, version: 1)
    #expect(realm.dynamicObjects("Part").count == 2)
    let items = realm.objects(Embedding.Item.self)
    try realm.write { items[0].part?.name = "mine" }
    #expect(items.map { $0.part?.name } == ["mine", "child"])
  }

  // MARK: Links

  @Test func linksToAnotherClassAreEmpty() throws {
    do {
      let realm = try file.open(Linking.types)
      try realm.write {
        let dog = RealmDog(value: ["id": 1])
        realm.create(Linking.Item.self, value: ["number": 1, "link": dog, "links": [dog]])
      }
    }
    let realm = try file.open(LinkingElsewhere.types, version: 1)
    let item = try #require(realm.objects(LinkingElsewhere.Item.self).first)
    #expect(item.link == nil)
    #expect(item.links.isEmpty)
    let dogs = realm.objects(RealmDog.self)
    #expect(dogs.count == 1)
    try realm.write {
      // Nothing is left of the links that were.
      realm.delete(dogs)
      item.link = RealmPlace(value: ["code": "x"])
      item.links.append(item.link!)
      realm.delete(item.link!)
    }
    #expect(item.link == nil)
    #expect(item.links.isEmpty)
  }
}

enum NumberAndCount {
  class Item: HiddenItem {
    @Persisted var number = 0
    @Persisted(indexed: true) var count = 5
  }
  static let types: [ObjectBase.Type] = [Item.self]
}
enum OptionalCount {
  class Item: HiddenItem {
    @Persisted var number = 0
    @Persisted(indexed: true) var count: Int?
  }
  static let types: [ObjectBase.Type] = [Item.self]
}
