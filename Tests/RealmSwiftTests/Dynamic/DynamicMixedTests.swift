import Foundation
import TestSupport
import Testing

@testable import RealmSwift

class MixedOwner: Hidden {
  @Persisted var anything: AnyRealmValue
  @Persisted var things: List<AnyRealmValue>
  @Persisted var thingByName: Map<String, AnyRealmValue>
  @Persisted var places: List<RealmPlace>
  @Persisted var placeByName: Map<String, RealmPlace?>
  @Persisted(originProperty: "owner") var holders: LinkingObjects<MixedOwnerHolder>
}

class MixedOwnerHolder: Hidden {
  @Persisted var owner: MixedOwner?
}

/// Objects in mixed values, read by the names of properties.
struct DynamicMixedTests {
  private let file = ScratchRealm([MixedOwner.self, MixedOwnerHolder.self, RealmPlace.self])

  init() throws {
    try file.write { realm in
      let place = RealmPlace(value: ["code": "a", "title": "A"])
      let owner = MixedOwner()
      owner.anything = .object(place)
      owner.things.append(objectsIn: [.object(place), .int(1)])
      owner.thingByName["key"] = .object(place)
      owner.places.append(place)
      owner.placeByName["key"] = place
      realm.add(owner)
      realm.create(MixedOwnerHolder.self, value: [owner])
    }
  }

  @Test func theObjectIsADynamicObject() throws {
    let realm = try file.open()
    let owner = try #require(realm.dynamicObjects("MixedOwner").first)
    let place = try #require(owner["anything"] as? DynamicObject)
    #expect(place["title"] as? String == "A" && place.code as? String == "a")
    #expect(owner.freeze()["anything"] is DynamicObject)
    try realm.write { owner["anything"] = 1 }
    #expect(owner["anything"] as? Int == 1)
    // An object of a class keeps giving objects of classes.
    try realm.write { owner["anything"] = place }
    #expect(realm.objects(MixedOwner.self)[0]["anything"] is RealmPlace)
  }

  /// Runs a migration and returns what its block has found.
  private func migrating(_ find: @escaping @Sendable (DynamicObject) -> [String]) throws -> [[String]] {
    nonisolated(unsafe) var found: [[String]] = []
    var configuration = file.configuration
    configuration.schemaVersion = 1
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "MixedOwner") { old, new in found = [find(old!), find(new!)] }
    }
    _ = try Realm(configuration: configuration)
    return found
  }

  @Test func allObjectsOfAMigrationAreDynamicObjects() throws {
    let found = try migrating { owner in
      let things = owner["things"] as! List<AnyRealmValue>
      let byName = owner["thingByName"] as! Map<String, AnyRealmValue>
      return [owner["anything"] as? DynamicObject, things[0].payload, byName["key"]?.payload].map {
        ($0 as? DynamicObject)?["title"] as? String ?? "no dynamic object"
      }
    }
    #expect(found == [["A", "A", "A"], ["A", "A", "A"]])
  }

  @Test func descriptionsNameTheClassAndNotDynamicObject() throws {
    let text: @Sendable (Any?) -> String = { value in "\(value!)".components(separatedBy: " <0x")[0] }
    let expected = [
      "MixedOwner {", "List<RealmPlace>", "Map<string, RealmPlace>", "LinkingObjects<MixedOwnerHolder>",
    ]
    let describe: @Sendable (DynamicObject) -> [String] = { owner in
      ["\(owner)".components(separatedBy: "\n")[0]]
        + ["places", "placeByName", "holders"].filter { owner.objectSchema[$0] != nil }.map {
          text(owner[$0])
        }
    }
    try file.read { realm in
      #expect(describe(realm.dynamicObjects("MixedOwner")[0]) == expected)
      #expect(text(realm.dynamicObjects("MixedOwner")) == "Results<MixedOwner>")
      #expect(text(realm.dynamicObjects("MixedOwner").filter("places.@count > 0")) == "Results<MixedOwner>")
    }
    let found = try migrating(describe)
    // The old object knows no linking objects.
    #expect(found == [Array(expected.prefix(3)), expected])
  }
}
