import Foundation
import RealmSwift
import TestSupport
import Testing

// Classes that break one rule each.
class BoolKeyed: Hidden { @Persisted(primaryKey: true) var key = false }
class EmbeddedKeyed: HiddenEmbedded { @Persisted(primaryKey: true) var key = 0 }
class SetOfEmbedded: Hidden { @Persisted var parts: MutableSet<EmbeddedPart> }
class EmbeddedPart: HiddenEmbedded { @Persisted var name = "" }
class WithoutOrigin: Hidden {
  @Persisted var name = ""
  @Persisted(originProperty: "nothing") var owners: LinkingObjects<OriginOwner>
}
class OriginIsNoLink: Hidden {
  @Persisted var name = ""
  @Persisted(originProperty: "name") var owners: LinkingObjects<OriginOwner>
}
class OriginLinksElsewhere: Hidden {
  @Persisted var name = ""
  @Persisted(originProperty: "dog") var owners: LinkingObjects<OriginOwner>
}
class OriginOwner: Hidden {
  @Persisted var name = ""
  @Persisted var dog: RealmDog?
}
class AliasIsAProperty: Hidden {
  @Persisted var first = 0
  @Persisted var second = 0
  override class func propertiesMapping() -> [String: String] { ["first": "second"] }
}
class AliasTwice: Hidden {
  @Persisted var first = 0
  @Persisted var second = 0
  override class func propertiesMapping() -> [String: String] { ["first": "other", "second": "other"] }
}
class SelfContaining: HiddenEmbedded { @Persisted var inner: SelfContaining? }
class CycleA: HiddenEmbedded { @Persisted var b: CycleB? }
class CycleB: HiddenEmbedded { @Persisted var list: List<CycleA> }
class CycleThroughMap: HiddenEmbedded { @Persisted var map: Map<String, CycleThroughMap?> }
/// No cycle: the way back leads through a class of its own.
class EmbeddedWithTopLevel: HiddenEmbedded { @Persisted var owner: TopLevelOwner? }
class TopLevelOwner: Hidden { @Persisted var part: EmbeddedWithTopLevel? }

// Classes that stop the program.
class TwoKeys: Hidden {
  @Persisted(primaryKey: true) var pk1 = 0
  @Persisted(primaryKey: true) var pk2 = 0
}
class NoProperties: Hidden {}
// Through a generic class: otherwise the compiler warns of the types.
class DogProperty<Value: _Persistable>: Hidden { @Persisted var dog: Value }
class PartProperty<Value: _Persistable>: Hidden { @Persisted var part: Value }
class DogsProperty<Value: _Persistable>: Hidden { @Persisted var dogs: Value }
class LinkWithoutOptional: DogProperty<RealmDog> {}
class EmbeddedWithoutOptional: PartProperty<EmbeddedPart> {}
class ListOfOptionalLinks: DogsProperty<List<RealmDog?>> {}
class SetOfOptionalLinks: DogsProperty<MutableSet<RealmDog?>> {}
class MapOfRequiredLinks: DogsProperty<Map<String, RealmDog>> {}
/// Links to its own class as they must be declared.
class LinksToItself: Hidden {
  @Persisted var one: LinksToItself?
  @Persisted var list: List<LinksToItself>
  @Persisted var set: MutableSet<LinksToItself>
  @Persisted var map: Map<String, LinksToItself?>
}
class RepeatsProperty: RepeatedProperty { @Persisted var other = 0 }
class RepeatedProperty: Hidden { @Persisted var name = 0 }
class LinksOut: Hidden {
  @Persisted var dog: RealmDog?
  @Persisted var places: List<RealmPlace>
}
enum FirstScope { class SameName: Hidden { @Persisted var a = 0 } }
enum SecondScope { class SameName: Hidden { @Persisted var a = 0 } }

/// The rules for a set of classes, which opening a realm checks.
class OnlyOrigin: Object {
  @Persisted var target: OnlyTarget?
}

class OnlyTarget: Object {
  @Persisted(originProperty: "target") var origins: LinkingObjects<OnlyOrigin>
}

class FirstNamesake: Object {
  override class func _realmObjectName() -> String? { "Shared name" }
  @Persisted var number: Int
}

/// Links to both classes of one name. Realms know it by default where a test wants that.
class LinksToNamesake: Object {
  nonisolated(unsafe) static var isShown = false
  @Persisted var first: FirstNamesake?
  @Persisted var link: SecondNamesake?
  override class func shouldIncludeInDefaultSchema() -> Bool { isShown }
}
class SecondNamesake: Object {
  override class func _realmObjectName() -> String? { "Shared name" }
  @Persisted var text: String
}

@Suite struct SchemaRulesTests {
  let file = ScratchRealm()

  @Test(
    arguments: [
      ([BoolKeyed.self], ["Property 'BoolKeyed.key' of type 'bool' cannot be made the primary key."]),
      ([EmbeddedKeyed.self], ["Embedded object type 'EmbeddedKeyed' cannot have a primary key."]),
      (
        [SetOfEmbedded.self, EmbeddedPart.self],
        [
          "Set property 'SetOfEmbedded.parts' cannot contain embedded object type 'EmbeddedPart'. Set semantics are not applicable to embedded objects."
        ]
      ),
      (
        [WithoutOrigin.self, OriginOwner.self, RealmDog.self],
        [
          "Property 'OriginOwner.nothing' declared as origin of linking objects property 'WithoutOrigin.owners' does not exist"
        ]
      ),
      (
        [OriginIsNoLink.self, OriginOwner.self, RealmDog.self],
        [
          "Property 'OriginOwner.name' declared as origin of linking objects property 'OriginIsNoLink.owners' is not a link"
        ]
      ),
      (
        [OriginLinksElsewhere.self, OriginOwner.self, RealmDog.self],
        [
          "Property 'OriginOwner.dog' declared as origin of linking objects property 'OriginLinksElsewhere.owners' links to type 'RealmDog'"
        ]
      ),
      (
        [AliasIsAProperty.self],
        [
          "Property 'AliasIsAProperty.first' has an alias 'second' that conflicts with a property of the same name."
        ]
      ),
      ([AliasTwice.self], ["Alias 'other' appears more than once in the schema for type 'AliasTwice'."]),
      (
        [SelfContaining.self],
        ["Cycles containing embedded objects are not currently supported: 'SelfContaining.inner'"]
      ),
      (
        [CycleA.self, CycleB.self],
        [
          "Cycles containing embedded objects are not currently supported: 'CycleA.b.list'",
          "Cycles containing embedded objects are not currently supported: 'CycleB.list.b'",
        ]
      ),
      (
        [CycleThroughMap.self],
        ["Cycles containing embedded objects are not currently supported: 'CycleThroughMap.map'"]
      ),
      (
        [EmbeddedKeyed.self, AliasTwice.self, BoolKeyed.self],
        [
          "Alias 'other' appears more than once in the schema for type 'AliasTwice'.",
          "Property 'BoolKeyed.key' of type 'bool' cannot be made the primary key.",
          "Embedded object type 'EmbeddedKeyed' cannot have a primary key.",
        ]
      ),
    ] as [([ObjectBase.Type], [String])])
  func brokenRules(types: [ObjectBase.Type], problems: [String]) {
    let error = realmError { _ = try file.open(types) }
    #expect(error?.code == .fail)
    #expect(
      error?.localizedDescription
        == "Schema validation failed due to the following errors:\n"
        + problems.map { "- \($0)" }.joined(separator: "\n"))
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func pathsThroughOtherClassesAreNoCycles() throws {
    let realm = try file.open([EmbeddedWithTopLevel.self, TopLevelOwner.self])
    #expect(realm.schema.objectSchema.map(\.className) == ["EmbeddedWithTopLevel", "TopLevelOwner"])
  }

  @Test func embeddedClassesNeedNoParent() throws {
    #expect(try file.open([EmbeddedPart.self]).schema["EmbeddedPart"]?.isEmbedded == true)
  }

  /// A class may have nothing but links back.
  @Test func linkingObjectsOnly() throws {
    let realm = try file.open([OnlyTarget.self, OnlyOrigin.self])
    try realm.write {
      let target = realm.create(OnlyTarget.self)
      realm.create(OnlyOrigin.self, value: [target])
      #expect(target.origins.count == 1)
      #expect(target.description == "OnlyTarget {\n}")
    }
  }

  /// Two classes of the program with one name leave all realms that use neither, or one of them, as they are.
  @Test func namesakes() async {
    await #expect(processExitsWith: .success) {
      let file = ScratchRealm()
      var configuration = file.configuration
      configuration.objectTypes = nil
      let all = try Realm(configuration: configuration)
      #expect(all.schema["Shared name"]?.objectClass == FirstNamesake.self)
      try all.write { all.create(FirstNamesake.self, value: [1]) }
      let second = ScratchRealm([SecondNamesake.self])
      try second.write { $0.create(SecondNamesake.self, value: ["a"]) }
      try second.read { #expect($0.objects(SecondNamesake.self)[0].text == "a") }
    }
  }

  @Test func theOtherNamesake() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = ScratchRealm()
      var configuration = file.configuration
      configuration.objectTypes = nil
      _ = try Realm(configuration: configuration).objects(SecondNamesake.self)
    }
    expectStop(
      result, saying: "RLMObject subclasses with the same name cannot be included twice in the same target.",
      "FirstNamesake", "SecondNamesake")
  }

  @Test func aLinkToTheNamesakeThatIsLeftOutSaysSo() async {
    await #expect(processExitsWith: .success) {
      LinksToNamesake.isShown = true
      var configuration = ScratchRealm().configuration
      configuration.objectTypes = nil
      #expect {
        _ = try Realm(configuration: configuration)
      } throws: { error in
        let message = error.localizedDescription
        return message.contains(
          "- Property 'LinksToNamesake.link' of type 'object' has unknown object type 'Shared name': the class 'RealmSwiftTests.SecondNamesake' is left out, since 'RealmSwiftTests.FirstNamesake' has the same name."
        ) && message.contains("objectTypes") && !message.contains("LinksToNamesake.first")
      }
    }
  }

  // MARK: What stops the program

  @Test func aListOfClassesMustBeClosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Realm.Configuration(objectTypes: [LinksOut.self])
    }
    expectStop(
      result,
      saying: """
        Invalid class subset list:
        - 'LinksOut.dog' links to class 'RealmDog', which is missing from the list of classes managed by the Realm
        - 'LinksOut.places' links to class 'RealmPlace', which is missing from the list of classes managed by the Realm
        """)
  }

  @Test func namesMustBeUnique() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Realm.Configuration(objectTypes: [FirstScope.SameName.self, SecondScope.SameName.self])
    }
    expectStop(
      result, saying: "RLMObject subclasses with the same name cannot be included twice in the same target.")
  }

  @Test func onePrimaryKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Realm.Configuration(objectTypes: [TwoKeys.self])
    }
    expectStop(result, saying: "Properties 'pk2' and 'pk1' are both marked as the primary key of 'TwoKeys'")
  }

  @Test func classesHaveProperties() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Realm.Configuration(objectTypes: [NoProperties.self])
    }
    expectStop(result, saying: "No properties are defined for 'NoProperties'.")
  }

  @Test func linksAreOptional() async {
    let link = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Realm.Configuration(objectTypes: [LinkWithoutOptional.self, RealmDog.self])
    }
    expectStop(link, saying: "Object property 'dog' must be marked as optional.")
    let embedded = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Realm.Configuration(objectTypes: [EmbeddedWithoutOptional.self, EmbeddedPart.self])
    }
    expectStop(embedded, saying: "Object property 'part' must be marked as optional.")
    let map = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Realm.Configuration(objectTypes: [MapOfRequiredLinks.self, RealmDog.self])
    }
    expectStop(map, saying: "Map<String, RealmDog> property 'dogs' must be marked as optional.")
  }

  @Test func linksInListsAndSetsAreNotOptional() async {
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Realm.Configuration(objectTypes: [ListOfOptionalLinks.self, RealmDog.self])
    }
    expectStop(list, saying: "List<RealmDog> property 'dogs' must not be marked as optional.")
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Realm.Configuration(objectTypes: [SetOfOptionalLinks.self, RealmDog.self])
    }
    expectStop(set, saying: "MutableSet<RealmDog> property 'dogs' must not be marked as optional.")
  }

  @Test func linksToTheSameClass() throws {
    let properties = try #require(try file.open([LinksToItself.self]).schema["LinksToItself"]).properties
    #expect(properties.map(\.isOptional) == [true, false, false, true])
  }

  @Test func unknownClassesAreNotManaged() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: "unknown", objectTypes: [RealmDog.self]))
      _ = realm.objects(RealmPlace.self)
    }
    expectStop(
      result,
      saying:
        "Object type 'RealmPlace' is not managed by the Realm. If using a custom `objectClasses` / `objectTypes` array in your configuration, add `RealmPlace` to the list of `objectClasses` / `objectTypes`."
    )
  }
}
