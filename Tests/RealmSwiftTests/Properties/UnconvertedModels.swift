import Foundation
import RealmSwift

/// Not all that can be stored for these is one of them.
enum ShelterKind: Int, PersistableEnum {
  case hut = 1
  case tent = 2
}
enum ShelterName: String, PersistableEnum { case small, large }

struct EvenNumber: FailableCustomPersistable, Equatable {
  var half: Int

  init(half: Int) { self.half = half }
  init?(persistedValue: Int) {
    if persistedValue % 2 != 0 { return nil }
    half = persistedValue / 2
  }
  var persistableValue: Int { half * 2 }
}

class ShelterSpot: HiddenEmbedded {
  @Persisted var x = 0
}

/// Stored as an embedded object.
struct PositiveSpot: FailableCustomPersistable, Equatable {
  var x: Int

  init(x: Int) { self.x = x }
  init?(persistedValue: ShelterSpot) {
    if persistedValue.x < 0 { return nil }
    x = persistedValue.x
  }
  var persistableValue: ShelterSpot { ShelterSpot(value: [x]) }
}

class Shelter: Hidden {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var beds = 0
  @Persisted var kind = ShelterKind.tent
  @Persisted var name = ShelterName.small
  @Persisted var other: ShelterKind?
  @Persisted var even = EvenNumber(half: 1)
  @Persisted var otherEven: EvenNumber?
  @Persisted var spot: PositiveSpot?
  @Persisted var next: Shelter?
  @Persisted var kinds: List<ShelterKind>
  @Persisted var kindSet: MutableSet<ShelterKind>
  @Persisted var kindMap: Map<String, ShelterKind>
  @Persisted var evens: List<EvenNumber?>

  static let classes: [ObjectBase.Type] = [Shelter.self, ShelterSpot.self, ShelterTwin.self]

  /// What is stored where nothing converts.
  static var raw: [String: Any] {
    [
      "beds": 5, "kind": 0, "name": "huge", "other": 7, "even": 3, "otherEven": 5, "spot": ["x": -1],
    ]
  }
  static var rawCollections: [String: Any] {
    [
      "kinds": [2, 0, 1], "kindSet": [0, 2], "kindMap": ["a": 0, "b": 1], "evens": [1, NSNull(), 2] as [Any],
    ]
  }

  /// Makes an object whose properties, but for the first two, have stored what they have no value for.
  @discardableResult
  static func make(_ id: Int, _ realm: Realm, withCollections: Bool = true) -> Shelter {
    let shelter = realm.create(Shelter.self, value: ["id": id])
    let dynamic = realm.dynamicObject(ofType: "Shelter", forPrimaryKey: id)!
    for (name, value) in raw.merging(
      withCollections ? rawCollections : [:], uniquingKeysWith: { first, _ in first })
    {
      dynamic[name] = value
    }
    return shelter
  }

  /// What is stored, read without the class.
  static func stored(_ id: Int, _ realm: Realm) -> [String: String] {
    let dynamic = realm.dynamicObject(ofType: "Shelter", forPrimaryKey: id)!
    var stored: [String: String] = [:]
    for name in raw.keys where name != "spot" { stored[name] = dynamic[name].map { "\($0)" } ?? "nil" }
    stored["spot"] = dynamic.value(forKeyPath: "spot.x").map { "\($0)" } ?? "nil"
    stored["kinds"] = (dynamic["kinds"] as! List<Int>).map { "\($0)" }.joined(separator: " ")
    stored["kindSet"] = (dynamic["kindSet"] as! MutableSet<Int>).map { "\($0)" }.sorted().joined(
      separator: " ")
    stored["kindMap"] = (dynamic["kindMap"] as! Map<String, Int>).map { "\($0.key)\($0.value)" }.joined(
      separator: " ")
    stored["evens"] = (dynamic["evens"] as! List<Int?>).map { "\($0 ?? -1)" }.joined(separator: " ")
    return stored
  }
}

/// Another class with some of the same properties.
class ShelterTwin: Hidden {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var kind = ShelterKind.tent
  @Persisted var name = ShelterName.small
  @Persisted var even = EvenNumber(half: 1)
  @Persisted var kinds: List<ShelterKind>
}

final class ShelterProjection: Projection<Shelter> {
  @Projected(\Shelter.beds) var beds
  @Projected(\Shelter.kind) var kind
  @Projected(\Shelter.next?.kind) var nextKind
}
