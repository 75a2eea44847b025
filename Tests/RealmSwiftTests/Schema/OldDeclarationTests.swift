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
  override static func primaryKey() -> String? { "id" }
}
class AbsentKey: Hidden {
  @Persisted var id = 0
  override static func primaryKey() -> String? { "key" }
}
class UnmarkedIndex: Hidden {
  @Persisted var name = ""
  override static func indexedProperties() -> [String] { ["name"] }
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

  @Test func primaryKeys() async {
    let unmarked = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ScratchRealm(opening: [UnmarkedKey.self])
    }
    expectStop(
      unmarked,
      saying:
        "'UnmarkedKey.primaryKey()' names 'id', which is not declared as the primary key: write '@Persisted(primaryKey: true) var id'."
    )
    let absent = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ScratchRealm(opening: [AbsentKey.self])
    }
    expectStop(absent, saying: "Primary key property 'key' does not exist on object 'AbsentKey'")
  }

  @Test func indexes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ScratchRealm(opening: [UnmarkedIndex.self])
    }
    expectStop(
      result,
      saying:
        "'UnmarkedIndex.indexedProperties()' names 'name', which is not declared as indexed: write '@Persisted(indexed: true) var name'."
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
}
