import Foundation
import RealmSwift

enum QueryRank: Int, PersistableEnum {
  case low = 1
  case middle = 2
  case high = 3
}

enum QueryMood: String, PersistableEnum {
  case calm
  case merry
  case sad
}

/// Stored as a number.
struct QueryLength: CustomPersistable, Comparable {
  var metres: Double

  init(metres: Double) { self.metres = metres }
  init(persistedValue: Double) { metres = persistedValue }
  var persistableValue: Double { metres }
  static func < (lhs: QueryLength, rhs: QueryLength) -> Bool { lhs.metres < rhs.metres }
}

/// Stored as a string, not all of which are one.
struct QueryCode: FailableCustomPersistable, Comparable {
  var letters: String

  init(letters: String) { self.letters = letters }
  init?(persistedValue: String) {
    if persistedValue.utf8.count > 60 { return nil }
    letters = persistedValue
  }
  var persistableValue: String { letters }
  static func < (lhs: QueryCode, rhs: QueryCode) -> Bool { lhs.letters < rhs.letters }
}

class QueryPlaceRecord: EmbeddedObject {
  @Persisted var x = 0.0
  @Persisted var label: String?
}

/// Stored as an embedded object.
struct QueryPlace: CustomPersistable, Equatable {
  typealias PersistedType = QueryPlaceRecord
  var x: Double
  var label: String?

  init(_ x: Double, _ label: String? = nil) {
    self.x = x
    self.label = label
  }
  init(persistedValue: QueryPlaceRecord) {
    x = persistedValue.x
    label = persistedValue.label
  }
  var persistableValue: QueryPlaceRecord { QueryPlaceRecord(value: ["x": x, "label": label as Any]) }
}

class QueryBoxRecord: EmbeddedObject {
  @Persisted var width = 0
  @Persisted var inner: QueryPlaceRecord?
}

/// Its record has a link, so that its equality cannot be asked for.
struct QueryBox: CustomPersistable, Equatable {
  var width: Int
  init(width: Int) { self.width = width }
  init(persistedValue: QueryBoxRecord) { width = persistedValue.width }
  var persistableValue: QueryBoxRecord { QueryBoxRecord(value: ["width": width]) }
}

class QueryBagRecord: EmbeddedObject {
  @Persisted var items: List<Int>
}

/// Its record has a list, so that its equality cannot be asked for.
struct QueryBag: CustomPersistable, Equatable {
  init() {}
  init(persistedValue: QueryBagRecord) {}
  var persistableValue: QueryBagRecord { QueryBagRecord() }
}

/// Something with a property of every type, by itself, as an optional and in every collection.
class QueryThing: Object {
  @Persisted(primaryKey: true) var id = 0

  @Persisted var bool = false
  @Persisted var int = 0
  @Persisted var int8: Int8 = 0
  @Persisted var int16: Int16 = 0
  @Persisted var int32: Int32 = 0
  @Persisted var int64: Int64 = 0
  @Persisted var float: Float = 0
  @Persisted var double = 0.0
  @Persisted var decimal: Decimal128 = 0
  @Persisted var string = ""
  @Persisted var data = Data()
  @Persisted var date = Date(timeIntervalSinceReferenceDate: 0)
  @Persisted var objectId = ObjectId("000000000000000000000000")
  @Persisted var uuid = UUID(uuidString: "00000000-0000-0000-0000-000000000000")!
  @Persisted var any = AnyRealmValue.none
  @Persisted var rank = QueryRank.low
  @Persisted var mood = QueryMood.calm
  @Persisted var length = QueryLength(metres: 0)
  @Persisted var code = QueryCode(letters: "")

  @Persisted(indexed: true) var indexedInt = 0
  @Persisted(indexed: true) var indexedString: String?

  @Persisted var optBool: Bool?
  @Persisted var optInt: Int?
  @Persisted var optInt8: Int8?
  @Persisted var optInt16: Int16?
  @Persisted var optInt32: Int32?
  @Persisted var optInt64: Int64?
  @Persisted var optFloat: Float?
  @Persisted var optDouble: Double?
  @Persisted var optDecimal: Decimal128?
  @Persisted var optString: String?
  @Persisted var optData: Data?
  @Persisted var optDate: Date?
  @Persisted var optObjectId: ObjectId?
  @Persisted var optUuid: UUID?
  @Persisted var optRank: QueryRank?
  @Persisted var optMood: QueryMood?
  @Persisted var optLength: QueryLength?
  @Persisted var optCode: QueryCode?

  @Persisted var bools: List<Bool>
  @Persisted var ints: List<Int>
  @Persisted var floats: List<Float>
  @Persisted var doubles: List<Double>
  @Persisted var decimals: List<Decimal128>
  @Persisted var strings: List<String>
  @Persisted var datas: List<Data>
  @Persisted var dates: List<Date>
  @Persisted var objectIds: List<ObjectId>
  @Persisted var uuids: List<UUID>
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var ranks: List<QueryRank>
  @Persisted var moods: List<QueryMood>
  @Persisted var lengths: List<QueryLength>
  @Persisted var codes: List<QueryCode>
  @Persisted var optInts: List<Int?>
  @Persisted var optStrings: List<String?>
  @Persisted var optRanks: List<QueryRank?>
  @Persisted var optLengths: List<QueryLength?>

  @Persisted var boolSet: MutableSet<Bool>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var doubleSet: MutableSet<Double>
  @Persisted var decimalSet: MutableSet<Decimal128>
  @Persisted var stringSet: MutableSet<String>
  @Persisted var dateSet: MutableSet<Date>
  @Persisted var uuidSet: MutableSet<UUID>
  @Persisted var moodSet: MutableSet<QueryMood>
  @Persisted var optIntSet: MutableSet<Int?>

  @Persisted var boolMap: Map<String, Bool>
  @Persisted var intMap: Map<String, Int>
  @Persisted var doubleMap: Map<String, Double>
  @Persisted var decimalMap: Map<String, Decimal128>
  @Persisted var stringMap: Map<String, String>
  @Persisted var dateMap: Map<String, Date>
  @Persisted var uuidMap: Map<String, UUID>
  @Persisted var anyMap: Map<String, AnyRealmValue>
  @Persisted var rankMap: Map<String, QueryRank>
  @Persisted var moodMap: Map<String, QueryMood>
  @Persisted var lengthMap: Map<String, QueryLength>
  @Persisted var optIntMap: Map<String, Int?>

  @Persisted var link: QueryThing?
  @Persisted var list: List<QueryThing>
  @Persisted var set: MutableSet<QueryThing>
  @Persisted var map: Map<String, QueryThing?>
  @Persisted(originProperty: "link") var linkers: LinkingObjects<QueryThing>
  @Persisted(originProperty: "list") var holders: LinkingObjects<QueryThing>

  @Persisted var embedded: QueryPlaceRecord?
  @Persisted var embeddedList: List<QueryPlaceRecord>
  @Persisted var place: QueryPlace
  @Persisted var optPlace: QueryPlace?
  @Persisted var places: List<QueryPlace>
  @Persisted var placeMap: Map<String, QueryPlace>
  @Persisted var box: QueryBox
  @Persisted var bag: QueryBag

  static let classes: [ObjectBase.Type] = [
    QueryThing.self, QueryPlaceRecord.self, QueryBoxRecord.self, QueryBagRecord.self,
  ]
}

extension Query where T == Bool {
  /// The condition of a typed query, as text and arguments.
  static func text(_ condition: (Query<QueryThing>) -> Query<Bool>) -> (String, [Any]) {
    condition(Query<QueryThing>._constructForTesting())._constructPredicate()
  }
}
