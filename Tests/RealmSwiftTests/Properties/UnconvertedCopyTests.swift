import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Copies of objects that have stored what their properties' types have no values for.
@Suite struct UnconvertedCopyTests {
  let scratch: ScratchRealm
  let target: ScratchRealm
  var realm: Realm { scratch.realm }

  init() throws {
    scratch = try ScratchRealm(opening: Shelter.classes)
    target = try ScratchRealm(opening: Shelter.classes)
  }

  static let policies: [Realm.UpdatePolicy] = [.error, .modified, .all]

  @Test(arguments: policies) func otherRealmsGetWhatIsStored(policy: Realm.UpdatePolicy) throws {
    let shelter = try realm.write { Shelter.make(1, realm) }
    let other = target.realm
    if policy != .error {
      try other.write { _ = other.create(Shelter.self, value: ["id": 1, "kinds": [1]]) }
    }
    try other.write { _ = other.create(Shelter.self, value: shelter, update: policy) }
    #expect(Shelter.stored(1, other) == Shelter.stored(1, realm))
    try other.write {
      other.deleteAll()
      _ = other.dynamicCreate("Shelter", value: shelter, update: policy)
    }
    #expect(Shelter.stored(1, other) == Shelter.stored(1, realm))
    try other.write {
      other.deleteAll()
      let dynamic = realm.dynamicObject(ofType: "Shelter", forPrimaryKey: 1)!
      _ = other.create(Shelter.self, value: dynamic, update: policy)
    }
    #expect(Shelter.stored(1, other) == Shelter.stored(1, realm))
    try other.write {
      _ = other.create(
        Shelter.self, value: ["id": 2, "next": shelter.freeze()], update: policy == .error ? .all : policy)
    }
    #expect(Shelter.stored(1, other) == Shelter.stored(1, realm))
  }

  @Test(arguments: policies) func objectsInMemoryKeepWhatIsStored(policy: Realm.UpdatePolicy) throws {
    let shelter = try realm.write { Shelter.make(1, realm, withCollections: false) }
    let copy = Shelter(value: shelter)
    #expect(copy.beds == 5 && copy.id == 1 && copy.other == nil && copy.otherEven == nil && copy.spot == nil)
    #expect(copy["kind"] as? Int == 0 && copy["other"] == nil && copy["even"] as? Int == 3)
    #expect(copy.description.contains("kind = 0;") && copy.description.contains("name = huge;"))
    let second = Shelter(value: copy)
    let other = target.realm
    if policy != .error {
      try other.write { _ = other.create(Shelter.self, value: ["id": 1, "kind": ShelterKind.hut]) }
    }
    try other.write { other.add(second, update: policy) }
    #expect(Shelter.stored(1, other) == Shelter.stored(1, realm))
    #expect(second["kind"] as? Int == 0)
    try other.write { second.kind = .hut }
    #expect(second.kind == .hut && copy["kind"] as? Int == 0)
    // A value takes the place of what was stored.
    copy.kind = .hut
    copy["name"] = "large"
    #expect(copy.kind == .hut && copy.name == .large && copy["kind"] as? Int == 1)
    try other.write {
      other.deleteAll()
      other.add(copy)
    }
    #expect(other.objects(Shelter.self)[0].kind == .hut && other.objects(Shelter.self)[0].name == .large)
  }

  @Test func objectsOfOtherClasses() throws {
    let shelter = try realm.write { Shelter.make(1, realm) }
    let twin = try realm.write { realm.create(ShelterTwin.self, value: shelter) }
    #expect(twin["kind"] as? Int == 0 && twin["name"] as? String == "huge" && twin["even"] as? Int == 3)
    #expect(twin.kinds.value(forKey: "self") as Any? as? [Int] == [2, 0, 1])
    try realm.write { twin.kinds.removeAll() }
    let memory = ShelterTwin(value: twin)
    #expect(memory["kind"] as? Int == 0 && memory.id == 1)
  }

  /// Collections of other objects, of the same realm and of another one.
  @Test func collections() throws {
    let (shelter, other) = try realm.write {
      (Shelter.make(1, realm), realm.create(Shelter.self, value: ["id": 2]))
    }
    let names = ["kinds", "kindSet", "kindMap", "evens"]
    try realm.write {
      other.kinds = shelter.kinds
      other.kindSet = shelter.kindSet
      other.kindMap = shelter.kindMap
      other.evens = shelter.evens
    }
    let stored = Shelter.stored(1, realm)
    for name in names { #expect(Shelter.stored(2, realm)[name] == stored[name]) }
    try target.realm.write {
      let third = target.realm.create(Shelter.self, value: ["id": 3])
      third.kinds = shelter.kinds
      third["kindMap"] = shelter.kindMap
    }
    #expect(Shelter.stored(3, target.realm)["kinds"] == stored["kinds"])
    #expect(Shelter.stored(3, target.realm)["kindMap"] == stored["kindMap"])
    try realm.write {
      _ = realm.create(
        Shelter.self, value: ["id": 2, "kinds": shelter.kinds.sorted(ascending: true)] as [String: Any],
        update: .modified)
    }
    #expect(Shelter.stored(2, realm)["kinds"] == "0 1 2")
  }

  @Test func valuesOfProgramsAreStillChecked() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Shelter(value: ["kind": 0])
    }
    expectStop(result, saying: "Invalid value '0' of type 'Int' for 'int' property 'Shelter.kind'.")
  }

  @Test func encoding() throws {
    let shelter = try realm.write { Shelter.make(1, realm) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(shelter.kinds) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(shelter.kindMap) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(EncodedShelter(value: shelter)) }
    try realm.write { shelter.kinds.remove(at: 1) }
    #expect(try JSONEncoder().encode(shelter.kinds) == Data("[2,1]".utf8))
  }

  /// What an object in memory keeps goes with it: another one at its address has nothing of it.
  @Test func nothingIsLeftBehind() throws {
    let shelter = try realm.write { Shelter.make(1, realm, withCollections: false) }
    for _ in 0..<100 { _ = Shelter(value: shelter) }
    for _ in 0..<100 { #expect(Shelter().kind == .tent) }
  }
}

class EncodedShelter: Hidden, Encodable {
  @Persisted var kind: ShelterKind
}

extension ShelterKind: Codable {}
