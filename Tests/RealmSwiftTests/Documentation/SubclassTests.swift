import Foundation
import RealmSwift
import TestSupport
import Testing

@Suite struct SubclassTests {
  class Creature: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var friends: List<Creature>
    /// Not stored.
    var visits = 0

    var greeting: String { "I am \(name)" }

    convenience init(id: Int, name: String) {
      self.init()
      self.id = id
      self.name = name
    }
  }

  class Mammal: Creature {
    @Persisted var legs = 4
    override var greeting: String { "\(super.greeting) on \(legs) legs" }
  }

  final class Whale: Mammal {
    @Persisted var depth: Double
    @Persisted var calf: Whale?

    override init() {
      super.init()
      legs = 0
    }
  }

  final class Watched: Object {
    @Persisted var number = 0 {
      didSet { changes.append("\(oldValue) to \(number)") }
    }
    @Persisted var text: String
    var changes: [String] = []
    lazy var expensive = text.count * 2
  }

  /// Under another name in the file.
  final class Renamed: Object {
    @Persisted var firstName: String
    @Persisted var age: Int
    override class func _realmObjectName() -> String? { "person" }
    override class func propertiesMapping() -> [String: String] { ["firstName": "first_name"] }
  }

  @Test func everyClassHasItsOwnObjects() throws {
    let file = ScratchRealm([Creature.self, Mammal.self, Whale.self])
    let realm = try file.open()
    try realm.write {
      realm.add(Creature(id: 1, name: "something"))
      realm.add(Mammal(id: 1, name: "cow"))
      realm.create(
        Whale.self, value: ["id": 1, "name": "Moby", "depth": 800, "calf": ["id": 2]] as [String: Any])
    }
    #expect(realm.objects(Creature.self).count == 1)
    #expect(realm.objects(Mammal.self).map(\.greeting) == ["I am cow on 4 legs"])
    let whale = try #require(realm.object(ofType: Whale.self, forPrimaryKey: 1))
    #expect(whale.greeting == "I am Moby on 0 legs")
    #expect(whale.depth == 800)
    #expect(whale.calf?.legs == 0)
    #expect(realm.objects(Whale.self).where { $0.name == "Moby" && $0.legs == 0 }.count == 1)
    #expect(realm.objects(Creature.self).filter("name == 'Moby'").isEmpty)
  }

  @Test func inheritedPropertiesComeFirst() {
    let whale = Whale(value: [7, "Moby", [], 2, 100.5])
    #expect(whale.objectSchema.properties.map(\.name) == ["id", "name", "friends", "legs", "depth", "calf"])
    #expect(whale.legs == 2)
    #expect(whale.depth == 100.5)
  }

  @Test func inheritedCollections() throws {
    let file = ScratchRealm([Creature.self, Mammal.self, Whale.self])
    let realm = try file.open()
    let cow = Mammal(id: 1, name: "cow")
    cow.friends.append(Creature(id: 2, name: "bird"))
    try realm.write { realm.add(cow) }
    #expect(realm.objects(Mammal.self).first?.friends.first?.name == "bird")
    #expect(realm.objects(Creature.self).count == 1)
  }

  /// What is not `@Persisted` stays with the instance.
  @Test func otherStoredProperties() throws {
    let file = ScratchRealm([Creature.self])
    let realm = try file.open()
    let creature = Creature(id: 1, name: "bird")
    creature.visits = 5
    try realm.write { realm.add(creature) }
    #expect(creature.visits == 5)
    #expect(realm.object(ofType: Creature.self, forPrimaryKey: 1)?.visits == 0)
    #expect(creature.objectSchema["visits"] == nil)
  }

  @Test func propertyObserversRun() throws {
    let file = ScratchRealm([Watched.self])
    let realm = try file.open()
    let watched = Watched()
    watched.number = 1
    try realm.write {
      realm.add(watched)
      watched.number = 2
      watched.text = "four"
    }
    #expect(watched.changes == ["0 to 1", "1 to 2"])
    #expect(watched.expensive == 8)
    let again = try #require(realm.objects(Watched.self).first)
    #expect(again.number == 2)
    #expect(again.changes.isEmpty)
  }

  @Test func namesInTheFile() throws {
    let file = ScratchRealm([Renamed.self])
    try file.write { realm in
      realm.create(Renamed.self, value: ["firstName": "Ann", "age": 3] as [String: Any])
      #expect(realm.objects(Renamed.self).where { $0.firstName == "Ann" }.count == 1)
      #expect(realm.objects(Renamed.self).filter("firstName == 'Ann'").count == 1)
    }
    #expect(Renamed().objectSchema["firstName"]?.columnName == "first_name")
    try file.read { realm in
      #expect(realm.objects(Renamed.self).first?.firstName == "Ann")
      #expect(realm.objects(Renamed.self).first?["firstName"] as? String == "Ann")
    }
  }

  class Den: EmbeddedObject {
    @Persisted var size: Int
  }

  final class Burrow: Den {
    @Persisted var depth: Int
  }

  final class Keeper: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var favourite: Creature?
    @Persisted var den: Den?
    @Persisted var dens: List<Den>
  }

  /// A row of the subclass's table is no row of the table that the link leads to.
  @Test(arguments: ["property", "added", "embedded", "embedded update", "embedded element"])
  func singleLinksTakeOnlyTheirClass(_ way: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [way = way as String] in
      let realm = try ScratchRealm(
        [Creature.self, Mammal.self, Whale.self, Den.self, Burrow.self, Keeper.self]
      ).open()
      try realm.write {
        realm.add(Creature(id: 1, name: "bird"))
        let keeper = realm.create(Keeper.self, value: ["den": ["size": 1], "dens": [["size": 2]]])
        let other = Keeper()
        switch way {
        case "property": keeper.favourite = Mammal(id: 2, name: "cow")
        case "added":
          other.id = 1
          other.favourite = Mammal(id: 2, name: "cow")
          realm.add(other)
        case "embedded": keeper.den = Burrow()
        case "embedded element":
          other.dens.append(Burrow())
          realm.add(other, update: .modified)
        default:
          other.den = Burrow()
          realm.add(other, update: .modified)
        }
      }
    }
    let message =
      way.hasPrefix("embedded")
      ? "Can't set object of type 'Burrow' to property of type 'Den'"
      : "Can't set object of type 'Mammal' to property of type 'Creature'"
    expectStop(result, saying: message)
  }

  /// The class is verified before the object is added: the message is not one about its key, which is taken.
  @Test func theClassOfALinkedObjectIsVerifiedFirst() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try ScratchRealm([Creature.self, Mammal.self, Whale.self, Den.self, Keeper.self]).open()
      try realm.write {
        realm.add(Mammal(id: 2, name: "cow"))
        realm.create(Keeper.self).favourite = Mammal(id: 2, name: "goat")
      }
    }
    expectStop(result, saying: "Can't set object of type 'Mammal' to property of type 'Creature'")
  }

  /// By name, a link takes the values of any object that has all properties.
  @Test func linksByNameCopyObjectsOfSubclasses() throws {
    let file = ScratchRealm([Creature.self, Mammal.self, Whale.self, Den.self, Keeper.self])
    let realm = try file.open()
    try realm.write {
      let keeper = realm.create(Keeper.self)
      keeper["favourite"] = Mammal(id: 2, name: "cow")
      #expect(keeper.favourite?.name == "cow" && realm.objects(Mammal.self).isEmpty)
    }
  }

  @Test func linksTakeOnlyTheirClass() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try ScratchRealm([Creature.self, Mammal.self, Whale.self]).open()
      let creature = Creature(id: 1, name: "bird")
      try realm.write {
        realm.add(creature)
        creature.friends.append(Mammal(id: 2, name: "cow"))
      }
    }
    expectStop(result, saying: "Object of type 'Mammal' does not match RLMArray type 'Creature'.")
  }
}
