import RealmSwift
import TestSupport
import Testing

/// The cures of the article on the compiler's messages.
struct CompilerMessagesTests {
  class Measurement: Object {
    @Persisted var values: List<Int>
    @Persisted var tags: MutableSet<String>
    @Persisted var limits: Map<String, Int>
  }

  class PostalAddress: EmbeddedObject {
    @Persisted var street: String
    @Persisted var town: String
  }

  class Parcel: Object {
    @Persisted var address: PostalAddress?
  }

  enum Grade: Int, PersistableEnum {
    case easy, hard
  }

  class Route: Object {
    @Persisted var grade: Grade
    @Persisted var grades: List<Grade>
  }

  class Rope: Object {
    @Persisted var leader: Climber?
    @Persisted var climbers: List<Climber>
    @Persisted var climbersByRole: Map<String, Climber?>
  }

  enum Season: String, PersistableEnum, _MapKey {
    case summer, winter
  }

  class Tariff: Object {
    @Persisted var prices: Map<Season, Double>
  }

  class Climber: Object {
    @Persisted var name: String

    convenience init(name: String) {
      self.init()
      self.name = name
    }
  }

  private func withRealm<Result>(_ body: (Realm) throws -> Result) throws -> Result {
    let folder = ScratchFolder()
    let realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: folder.file("messages.realm"),
        objectTypes: [
          Measurement.self, PostalAddress.self, Parcel.self, Route.self, Rope.self, Climber.self,
          Tariff.self,
        ]))
    return try body(realm)
  }

  @Test func theCuresCanBeStored() throws {
    try withRealm { realm in
      try realm.write {
        realm.create(
          Measurement.self, value: ["values": [1, 2], "tags": ["a"], "limits": ["b": 3]])
        realm.create(Parcel.self, value: ["address": ["street": "Main", "town": "Ulm"]])
        realm.create(
          Route.self, value: ["grade": Grade.hard, "grades": [Grade.easy]] as [String: Any])
        let tariff = realm.create(Tariff.self)
        tariff.prices[.winter] = 4.5
        let ida = Climber(name: "Ida")
        realm.create(
          Rope.self, value: ["leader": ida, "climbers": [ida], "climbersByRole": ["cook": ida]])
      }
      let measurement = try #require(realm.objects(Measurement.self).first)
      #expect(Array(measurement.values) == [1, 2])
      #expect(measurement.tags.contains("a") && measurement.limits["b"] == 3)
      #expect(realm.objects(Parcel.self).first?.address?.town == "Ulm")
      #expect(realm.objects(Route.self).first?.grade == .hard)
      #expect(realm.objects(Tariff.self).first?.prices[.winter] == 4.5)
    }
  }

  @Test func deletedObjectsLeaveLinksNil() throws {
    try withRealm { realm in
      let rope = Rope()
      try realm.write {
        let ida = Climber(name: "Ida")
        rope.leader = ida
        rope.climbers.append(ida)
        rope.climbersByRole["cook"] = ida
        realm.add(rope)
        realm.delete(ida)
      }
      #expect(rope.leader == nil && rope.climbers.isEmpty)
      #expect(rope.climbersByRole.keys == ["cook"])
    }
  }

  @Test func conditionsAreDescribed() throws {
    try withRealm { realm in
      try realm.write { for name in ["Ida", "Ivo", "Max"] { realm.add(Climber(name: name)) } }
      let climbers = realm.objects(Climber.self)
      let found = climbers.where { $0.name.starts(with: "I") && $0.name != "Ida" }
      #expect(found.map(\.name) == ["Ivo"])
    }
  }

  @Test func valuesCrossTasks() async {
    let climber = Climber(name: "Ida")
    let name = climber.name
    let task = Task.detached { name.uppercased() }
    #expect(await task.value == "IDA")
  }
}
