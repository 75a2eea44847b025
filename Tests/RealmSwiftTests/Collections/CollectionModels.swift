import Foundation
import RealmSwift

final class Walker: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var age: Int?
  @Persisted var weight: Double
  @Persisted var born: Date?
  @Persisted var balance: Decimal128
  @Persisted var nicknames: List<String>
  @Persisted var friend: Walker?
  @Persisted(originProperty: "walkers") var kennels: LinkingObjects<Kennel>
  @Persisted(originProperty: "friend") var admirers: LinkingObjects<Walker>

  convenience init(_ name: String, age: Int? = nil, weight: Double = 0) {
    self.init()
    self.name = name
    self.age = age
    self.weight = weight
  }
}

final class Collar: EmbeddedObject {
  @Persisted var colour: String
  @Persisted var size: Int

  convenience init(_ colour: String, size: Int = 0) {
    self.init()
    self.colour = colour
    self.size = size
  }
}

class Vehicle: Object {
  @Persisted var wheels: Int
}

class Car: Vehicle {
  @Persisted var doors: Int
}

final class Garage: Object {
  @Persisted var vehicles: List<Vehicle>
}

enum Mood: String, PersistableEnum {
  case content, hungry, asleep
}

final class Kennel: Object {
  @Persisted var name: String
  @Persisted var walkers: List<Walker>
  @Persisted var walkerSet: MutableSet<Walker>
  @Persisted var walkerMap: Map<String, Walker?>
  @Persisted var collars: List<Collar>
  @Persisted var collarMap: Map<String, Collar?>
}

/// A list, a set and a map of every type of values.
final class ValueLists: Object {
  @Persisted var ints: List<Int>
  @Persisted var bytes: List<Int8>
  @Persisted var bools: List<Bool>
  @Persisted var floats: List<Float>
  @Persisted var doubles: List<Double>
  @Persisted var strings: List<String>
  @Persisted var data: List<Data>
  @Persisted var dates: List<Date>
  @Persisted var objectIds: List<ObjectId>
  @Persisted var uuids: List<UUID>
  @Persisted var decimals: List<Decimal128>
  @Persisted var mixed: List<AnyRealmValue>
  @Persisted var moods: List<Mood>
  @Persisted var optionalInts: List<Int?>
  @Persisted var optionalBools: List<Bool?>
  @Persisted var optionalStrings: List<String?>
  @Persisted var optionalDates: List<Date?>
  @Persisted var optionalUUIDs: List<UUID?>
  @Persisted var optionalMoods: List<Mood?>
  @Persisted var any: AnyRealmValue
}

final class ValueSets: Object {
  @Persisted var ints: MutableSet<Int>
  @Persisted var bools: MutableSet<Bool>
  @Persisted var floats: MutableSet<Float>
  @Persisted var doubles: MutableSet<Double>
  @Persisted var strings: MutableSet<String>
  @Persisted var data: MutableSet<Data>
  @Persisted var dates: MutableSet<Date>
  @Persisted var objectIds: MutableSet<ObjectId>
  @Persisted var uuids: MutableSet<UUID>
  @Persisted var decimals: MutableSet<Decimal128>
  @Persisted var mixed: MutableSet<AnyRealmValue>
  @Persisted var moods: MutableSet<Mood>
  @Persisted var optionalInts: MutableSet<Int?>
  @Persisted var optionalStrings: MutableSet<String?>
}

final class ValueMaps: Object {
  @Persisted var ints: Map<String, Int>
  @Persisted var bools: Map<String, Bool>
  @Persisted var doubles: Map<String, Double>
  @Persisted var strings: Map<String, String>
  @Persisted var data: Map<String, Data>
  @Persisted var dates: Map<String, Date>
  @Persisted var objectIds: Map<String, ObjectId>
  @Persisted var uuids: Map<String, UUID>
  @Persisted var decimals: Map<String, Decimal128>
  @Persisted var mixed: Map<String, AnyRealmValue>
  @Persisted var moods: Map<String, Mood>
  @Persisted var optionalInts: Map<String, Int?>
  @Persisted var optionalStrings: Map<String, String?>
}

/// Realms of collections, which are open.
extension ScratchRealm {
  static func ofCollections() -> ScratchRealm {
    try! ScratchRealm(opening: [
      Walker.self, Collar.self, Kennel.self, ValueLists.self, ValueSets.self, ValueMaps.self, Vehicle.self,
      Car.self, Garage.self,
    ])
  }

  /// Adds an object and returns it.
  func added<T: Object>(_ object: T) -> T {
    write { realm.add(object) }
    return object
  }

  func write(_ block: () -> Void) { try! realm.write(block) }
}
