import Foundation
import RealmSwift
import TestSupport
import Testing

// Classes that declare by functions what `@Persisted` says, or does not say.
class SaysItTwice: Hidden {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  var note = ""
  override static func primaryKey() -> String? { "id" }
  override static func indexedProperties() -> [String] { ["name", "id"] }
  override static func ignoredProperties() -> [String] { ["note"] }
}
class UnmarkedKey: Hidden {
  @Persisted var id = 0
  @Persisted var name = ""
  override static func primaryKey() -> String? { "id" }
}
class OtherKeyMarked: Hidden {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  override static func primaryKey() -> String? { "name" }
}
class AbsentKey: Hidden {
  @Persisted var id = 0
  override static func primaryKey() -> String? { "key" }
}
class UnmarkedIndex: Hidden {
  @Persisted var name = ""
  @Persisted(indexed: true) var age = 0
  override static func indexedProperties() -> [String] { ["name"] }
}
class AbsentIndex: Hidden {
  @Persisted var name = ""
  override static func indexedProperties() -> [String] { ["names"] }
}
class IgnoredButStored: Hidden {
  @Persisted var name = ""
  override static func ignoredProperties() -> [String] { ["name"] }
}
class EmbeddedIgnoredButStored: HiddenEmbedded {
  @Persisted var name = ""
  override static func ignoredProperties() -> [String] { ["name"] }
}
class OnlyOldCollections: Hidden {
  let dogs = List<SaysItTwice>()
  let tags = MutableSet<String>()
  let number = 7
}

struct OldDeclarationTests {
  @Test func sayingItTwiceIsNoMistake() throws {
    let scratch = try ScratchRealm(opening: [SaysItTwice.self])
    let schema = try #require(scratch.realm.schema["SaysItTwice"])
    #expect(schema.properties.map(\.name) == ["id", "name"])
    #expect(schema.primaryKeyProperty?.name == "id" && schema["name"]?.isIndexed == true)
  }

  @Test func primaryKeyDeclaresAPropertyThePrimaryKey() throws {
    let file = ScratchRealm([UnmarkedKey.self])
    try file.write { realm in
      let added = UnmarkedKey(value: ["id": 2, "name": "b"])
      realm.add(added)
      realm.create(UnmarkedKey.self, value: ["id": 1, "name": "a"])
      realm.create(UnmarkedKey.self, value: ["id": 1, "name": "c"], update: .modified)
    }
    try file.read { realm in
      #expect(realm.objects(UnmarkedKey.self).count == 2)
      #expect(realm.object(ofType: UnmarkedKey.self, forPrimaryKey: 1)?.name == "c")
      let key = try #require(realm.schema["UnmarkedKey"]?.primaryKeyProperty)
      #expect(key.name == "id" && key.isIndexed)
    }
  }

  @Test func aDeclaredPrimaryKeyCannotBeChanged() async {
    let added = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try ScratchRealm(opening: [UnmarkedKey.self]).realm
      let added = UnmarkedKey()
      try realm.write { realm.add(added) }
      try realm.write { added.id = 7 }
    }
    expectStop(added, saying: "Primary key can't be changed after an object is inserted.")
    let read = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = ScratchRealm([UnmarkedKey.self])
      try file.write { realm in realm.add(UnmarkedKey()) }
      let realm = try file.open()
      try realm.write { realm.objects(UnmarkedKey.self)[0].id = 7 }
    }
    expectStop(read, saying: "Primary key can't be changed after an object is inserted.")
  }

  @Test func primaryKeysThatDoNotFitStopTheProgram() async {
    let absent = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ScratchRealm(opening: [AbsentKey.self])
    }
    expectStop(absent, saying: "Primary key property 'key' does not exist on object 'AbsentKey'")
    let second = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ScratchRealm(opening: [OtherKeyMarked.self])
    }
    expectStop(
      second, saying: "Properties 'name' and 'id' are both marked as the primary key of 'OtherKeyMarked'")
  }

  @Test func indexedPropertiesDeclaresPropertiesIndexed() throws {
    let scratch = try ScratchRealm(opening: [UnmarkedIndex.self])
    let schema = try #require(scratch.realm.schema["UnmarkedIndex"])
    #expect(schema["name"]?.isIndexed == true && schema["age"]?.isIndexed == true)
    try scratch.realm.write { scratch.realm.create(UnmarkedIndex.self, value: ["a", 1]) }
    #expect(scratch.realm.objects(UnmarkedIndex.self).where { $0.name == "a" }.count == 1)
  }

  @Test func indexedPropertiesThatDoNotExistStopTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ScratchRealm(opening: [AbsentIndex.self])
    }
    expectStop(
      result,
      saying:
        "'AbsentIndex.indexedProperties()' names 'names', which is no stored property of the class: declare it with '@Persisted', or leave it out."
    )
  }

  @Test func ignoredProperties() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ScratchRealm(opening: [IgnoredButStored.self])
    }
    expectStop(
      result,
      saying:
        "'IgnoredButStored.ignoredProperties()' names 'name', which is stored: declare it without '@Persisted'."
    )
    let embedded = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EmbeddedIgnoredButStored.className()
    }
    expectStop(
      embedded, saying: "'EmbeddedIgnoredButStored.ignoredProperties()' names 'name', which is stored")
  }

  @Test func collectionsWithoutPersisted() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ScratchRealm(opening: [OnlyOldCollections.self])
    }
    expectStop(
      result, saying: "No properties are defined for 'OnlyOldCollections'.",
      "Write '@Persisted var dogs: List<SaysItTwice>' instead of 'let dogs = List<SaysItTwice>()'.",
      "Write '@Persisted var tags: MutableSet<String>' instead of 'let tags = MutableSet<String>()'.")
  }

  @Test func oneRunNamesTheOldDeclarationsOfAllClasses() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      OldStyle.isShown = true
      _ = try ScratchRealm(opening: [OldStyleDog.self])
    }
    expectStop(
      result, saying: "No properties are defined for 'OldStyleDog'.",
      "Write '@Persisted var name: String' instead of 'dynamic var name'.",
      "\n- 'OldStylePerson': Write '@Persisted var dogs: List<OldStyleDog>' instead of",
      "Write '@Persisted(originProperty: \"…\") var friends: LinkingObjects<OldStylePerson>' instead of")
    #expect(result.map { !$0.message.contains("cache") && !$0.message.contains("ignored") } ?? false)
  }
}

extension OldDeclarationTests {
  /// The shared logger is the process's.
  @Test func openingWarnsOnceOfCollectionsThatAreNotStored() async {
    await #expect(processExitsWith: .success) {
      let lock = NSLock()
      nonisolated(unsafe) var heard: [String] = []
      Logger.shared = Logger(level: .warn) { _, text in lock.withLock { heard.append(text) } }
      for _ in 0..<2 {
        let scratch = try ScratchRealm(opening: [HasOldList.self, HasOldMap.self, SaysItTwice.self])
        #expect(scratch.realm.schema["HasOldList"]?.properties.map(\.name) == ["name"])
      }
      let warnings = lock.withLock { heard }
      #expect(warnings.count == 1)
      let lines = warnings.first?.split(separator: "\n").map(String.init) ?? []
      #expect(
        lines.dropFirst() == [
          "- 'HasOldList': Write '@Persisted var tags: List<String>' instead of 'let tags = List<String>()'.",
          "- 'HasOldMap': Write '@Persisted var ages: Map<String, Int>' instead of 'let ages = Map<String, Int>()'.",
        ])
    }
  }
}

class HasOldList: Hidden {
  @Persisted var name = ""
  let tags = List<String>()
  let meant = List<String>()
  var count = 0
  override static func ignoredProperties() -> [String] { ["meant"] }
}
class HasOldMap: Hidden {
  @Persisted var name = ""
  let ages = Map<String, Int>()
}

/// Classes of the old style. Realms know them by default where a test wants that.
class OldStyle: Object {
  nonisolated(unsafe) static var isShown = false
  override class func shouldIncludeInDefaultSchema() -> Bool { isShown && self != OldStyle.self }
}
class OldStyleDog: OldStyle {
  dynamic var name = ""
  lazy var cache = [1]
}
class OldStylePerson: OldStyle {
  @Persisted var name = ""
  let dogs = List<OldStyleDog>()
  let friends = LinkingObjects(fromType: OldStylePerson.self, property: "name")
  let ignored = List<String>()
  var cache = 7
  override static func ignoredProperties() -> [String] { ["ignored"] }
}
