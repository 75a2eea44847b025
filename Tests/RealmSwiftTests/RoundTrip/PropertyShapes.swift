import Foundation
import RealmSwift

/// A class with a property of one type in each of the shapes that the type can have.
protocol PropertyShapes: Object {
  associatedtype Value: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, SendableMetatype
  init(value: Any)
  var required: Value { get set }
  var optional: Value? { get set }
  var list: List<Value> { get set }
  var optionalList: List<Value?> { get set }
  var set: MutableSet<Value> { get set }
  var optionalSet: MutableSet<Value?> { get set }
  var map: Map<String, Value> { get set }
  var optionalMap: Map<String, Value?> { get set }

  /// Values that are worth storing, all different.
  static var samples: [Value] { get }
  /// Something that two values have in common only if nothing got lost on the way.
  static func identity(_ value: Value) -> String
}

extension PropertyShapes {
  static func identity(_ value: Value) -> String { "\(value)" }
  static func identity(_ value: Value?) -> String { value.map(identity) ?? "nil" }

  static func identities(_ values: some Sequence<Value>) -> [String] { values.map { identity($0) } }
  static func identities(_ values: some Sequence<Value?>) -> [String] { values.map { identity($0) } }
}

final class IntShapes: Object, PropertyShapes {
  @Persisted var required: Int
  @Persisted var optional: Int?
  @Persisted var list: List<Int>
  @Persisted var optionalList: List<Int?>
  @Persisted var set: MutableSet<Int>
  @Persisted var optionalSet: MutableSet<Int?>
  @Persisted var map: Map<String, Int>
  @Persisted var optionalMap: Map<String, Int?>
}

final class Int8Shapes: Object, PropertyShapes {
  @Persisted var required: Int8
  @Persisted var optional: Int8?
  @Persisted var list: List<Int8>
  @Persisted var optionalList: List<Int8?>
  @Persisted var set: MutableSet<Int8>
  @Persisted var optionalSet: MutableSet<Int8?>
  @Persisted var map: Map<String, Int8>
  @Persisted var optionalMap: Map<String, Int8?>
}

final class Int16Shapes: Object, PropertyShapes {
  @Persisted var required: Int16
  @Persisted var optional: Int16?
  @Persisted var list: List<Int16>
  @Persisted var optionalList: List<Int16?>
  @Persisted var set: MutableSet<Int16>
  @Persisted var optionalSet: MutableSet<Int16?>
  @Persisted var map: Map<String, Int16>
  @Persisted var optionalMap: Map<String, Int16?>
}

final class Int32Shapes: Object, PropertyShapes {
  @Persisted var required: Int32
  @Persisted var optional: Int32?
  @Persisted var list: List<Int32>
  @Persisted var optionalList: List<Int32?>
  @Persisted var set: MutableSet<Int32>
  @Persisted var optionalSet: MutableSet<Int32?>
  @Persisted var map: Map<String, Int32>
  @Persisted var optionalMap: Map<String, Int32?>
}

final class Int64Shapes: Object, PropertyShapes {
  @Persisted var required: Int64
  @Persisted var optional: Int64?
  @Persisted var list: List<Int64>
  @Persisted var optionalList: List<Int64?>
  @Persisted var set: MutableSet<Int64>
  @Persisted var optionalSet: MutableSet<Int64?>
  @Persisted var map: Map<String, Int64>
  @Persisted var optionalMap: Map<String, Int64?>
}

final class BoolShapes: Object, PropertyShapes {
  @Persisted var required: Bool
  @Persisted var optional: Bool?
  @Persisted var list: List<Bool>
  @Persisted var optionalList: List<Bool?>
  @Persisted var set: MutableSet<Bool>
  @Persisted var optionalSet: MutableSet<Bool?>
  @Persisted var map: Map<String, Bool>
  @Persisted var optionalMap: Map<String, Bool?>
}

final class FloatShapes: Object, PropertyShapes {
  @Persisted var required: Float
  @Persisted var optional: Float?
  @Persisted var list: List<Float>
  @Persisted var optionalList: List<Float?>
  @Persisted var set: MutableSet<Float>
  @Persisted var optionalSet: MutableSet<Float?>
  @Persisted var map: Map<String, Float>
  @Persisted var optionalMap: Map<String, Float?>
}

final class DoubleShapes: Object, PropertyShapes {
  @Persisted var required: Double
  @Persisted var optional: Double?
  @Persisted var list: List<Double>
  @Persisted var optionalList: List<Double?>
  @Persisted var set: MutableSet<Double>
  @Persisted var optionalSet: MutableSet<Double?>
  @Persisted var map: Map<String, Double>
  @Persisted var optionalMap: Map<String, Double?>
}

final class StringShapes: Object, PropertyShapes {
  @Persisted var required: String
  @Persisted var optional: String?
  @Persisted var list: List<String>
  @Persisted var optionalList: List<String?>
  @Persisted var set: MutableSet<String>
  @Persisted var optionalSet: MutableSet<String?>
  @Persisted var map: Map<String, String>
  @Persisted var optionalMap: Map<String, String?>
}

final class DataShapes: Object, PropertyShapes {
  @Persisted var required: Data
  @Persisted var optional: Data?
  @Persisted var list: List<Data>
  @Persisted var optionalList: List<Data?>
  @Persisted var set: MutableSet<Data>
  @Persisted var optionalSet: MutableSet<Data?>
  @Persisted var map: Map<String, Data>
  @Persisted var optionalMap: Map<String, Data?>
}

final class DateShapes: Object, PropertyShapes {
  @Persisted var required: Date
  @Persisted var optional: Date?
  @Persisted var list: List<Date>
  @Persisted var optionalList: List<Date?>
  @Persisted var set: MutableSet<Date>
  @Persisted var optionalSet: MutableSet<Date?>
  @Persisted var map: Map<String, Date>
  @Persisted var optionalMap: Map<String, Date?>
}

final class ObjectIdShapes: Object, PropertyShapes {
  @Persisted var required: ObjectId
  @Persisted var optional: ObjectId?
  @Persisted var list: List<ObjectId>
  @Persisted var optionalList: List<ObjectId?>
  @Persisted var set: MutableSet<ObjectId>
  @Persisted var optionalSet: MutableSet<ObjectId?>
  @Persisted var map: Map<String, ObjectId>
  @Persisted var optionalMap: Map<String, ObjectId?>
}

final class UUIDShapes: Object, PropertyShapes {
  @Persisted var required: UUID
  @Persisted var optional: UUID?
  @Persisted var list: List<UUID>
  @Persisted var optionalList: List<UUID?>
  @Persisted var set: MutableSet<UUID>
  @Persisted var optionalSet: MutableSet<UUID?>
  @Persisted var map: Map<String, UUID>
  @Persisted var optionalMap: Map<String, UUID?>
}

final class Decimal128Shapes: Object, PropertyShapes {
  @Persisted var required: Decimal128
  @Persisted var optional: Decimal128?
  @Persisted var list: List<Decimal128>
  @Persisted var optionalList: List<Decimal128?>
  @Persisted var set: MutableSet<Decimal128>
  @Persisted var optionalSet: MutableSet<Decimal128?>
  @Persisted var map: Map<String, Decimal128>
  @Persisted var optionalMap: Map<String, Decimal128?>
}

final class WeekdayShapes: Object, PropertyShapes {
  @Persisted var required: Weekday
  @Persisted var optional: Weekday?
  @Persisted var list: List<Weekday>
  @Persisted var optionalList: List<Weekday?>
  @Persisted var set: MutableSet<Weekday>
  @Persisted var optionalSet: MutableSet<Weekday?>
  @Persisted var map: Map<String, Weekday>
  @Persisted var optionalMap: Map<String, Weekday?>
}

final class SuitShapes: Object, PropertyShapes {
  @Persisted var required: Suit
  @Persisted var optional: Suit?
  @Persisted var list: List<Suit>
  @Persisted var optionalList: List<Suit?>
  @Persisted var set: MutableSet<Suit>
  @Persisted var optionalSet: MutableSet<Suit?>
  @Persisted var map: Map<String, Suit>
  @Persisted var optionalMap: Map<String, Suit?>
}

final class CelsiusShapes: Object, PropertyShapes {
  @Persisted var required: Kelvin
  @Persisted var optional: Kelvin?
  @Persisted var list: List<Kelvin>
  @Persisted var optionalList: List<Kelvin?>
  @Persisted var set: MutableSet<Kelvin>
  @Persisted var optionalSet: MutableSet<Kelvin?>
  @Persisted var map: Map<String, Kelvin>
  @Persisted var optionalMap: Map<String, Kelvin?>
}

final class CountryCodeShapes: Object, PropertyShapes {
  @Persisted var required: CountryCode
  @Persisted var optional: CountryCode?
  @Persisted var list: List<CountryCode>
  @Persisted var optionalList: List<CountryCode?>
  @Persisted var set: MutableSet<CountryCode>
  @Persisted var optionalSet: MutableSet<CountryCode?>
  @Persisted var map: Map<String, CountryCode>
  @Persisted var optionalMap: Map<String, CountryCode?>
}
