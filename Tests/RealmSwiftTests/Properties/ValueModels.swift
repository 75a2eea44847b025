import Foundation

@testable import RealmSwift

enum PetMood: String, PersistableEnum {
  case content
  case hungry
  case asleep
}

enum PetRank: Int, PersistableEnum {
  case low = 1
  case middle = 5
  case high = 9
}

/// Stored as a number.
struct Celsius: CustomPersistable, Equatable {
  var degrees: Double

  init(degrees: Double) { self.degrees = degrees }
  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
}

/// Stored as a string, not all of which are one.
struct AirportCode: FailableCustomPersistable, Equatable {
  var letters: String

  init?(persistedValue: String) {
    guard persistedValue.count == 3 else { return nil }
    letters = persistedValue
  }
  var persistableValue: String { letters }
}

class PlanePointRecord: EmbeddedObject {
  @Persisted var x = 0.0
  @Persisted var y = 0.0
}

/// Stored as an embedded object.
struct PlanePoint: CustomPersistable, Equatable {
  typealias PersistedType = PlanePointRecord
  var x: Double
  var y: Double

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
  init(persistedValue: PlanePointRecord) {
    x = persistedValue.x
    y = persistedValue.y
  }
  var persistableValue: PlanePointRecord { PlanePointRecord(value: [x, y]) }
}

class EveryScalar: Object {
  @Persisted var int = 1
  @Persisted var int8: Int8 = 2
  @Persisted var int16: Int16 = 3
  @Persisted var int32: Int32 = 4
  @Persisted var int64: Int64 = 5
  @Persisted var bool = true
  @Persisted var float: Float = 1.5
  @Persisted var double = 2.5
  @Persisted var string = "text"
  @Persisted var data = Data([1, 2])
  @Persisted var date = Date(timeIntervalSinceReferenceDate: 10)
  @Persisted var objectId = ObjectId("000102030405060708090a0b")
  @Persisted var decimal: Decimal128 = 1.25
  @Persisted var uuid = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!
  @Persisted var any = AnyRealmValue.int(7)
  @Persisted var mood = PetMood.hungry
  @Persisted var temperature = Celsius(degrees: 36.6)
}

class EveryOptional: Object {
  @Persisted var int: Int?
  @Persisted var bool: Bool?
  @Persisted var float: Float?
  @Persisted var double: Double?
  @Persisted var string: String?
  @Persisted var data: Data?
  @Persisted var date: Date?
  @Persisted var objectId: ObjectId?
  @Persisted var decimal: Decimal128?
  @Persisted var uuid: UUID?
  @Persisted var mood: PetMood?
  @Persisted var temperature: Celsius?
  @Persisted var code: AirportCode?
  @Persisted var point: PlanePoint?
}

class HousePet: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = "unnamed"
  @Persisted var age: Int?
  @Persisted(originProperty: "pets") var owners: LinkingObjects<PetOwner>
  @Persisted(originProperty: "favourite") var admirers: LinkingObjects<PetOwner>
}

class HomeAddress: EmbeddedObject {
  @Persisted var street = "?"
  @Persisted var number = 1
}

class PetToy: Object {
  @Persisted var label = "toy"
  @Persisted var next: PetToy?
}

class PetOwner: Object {
  @Persisted(primaryKey: true) var id: String = "none"
  @Persisted var name = "nobody"
  @Persisted var favourite: HousePet?
  @Persisted var pets: List<HousePet>
  @Persisted var toys: MutableSet<PetToy>
  @Persisted var petsByName: Map<String, HousePet?>
  @Persisted var home: HomeAddress?
  @Persisted var addresses: List<HomeAddress>
  @Persisted var addressByCity: Map<String, HomeAddress?>
  @Persisted var numbers: List<Int>
  @Persisted var tags: MutableSet<String>
  @Persisted var scores: Map<String, Double>
  @Persisted var moods: List<PetMood>
  @Persisted var points: List<PlanePoint>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var location: PlanePoint
  @Persisted(indexed: true) var email: String?

  static let classes: [ObjectBase.Type] = [
    PetOwner.self, HousePet.self, PetToy.self, HomeAddress.self, PlanePointRecord.self,
  ]
}
