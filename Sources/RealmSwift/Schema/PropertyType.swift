import Storage

/// The type of the values of a property.
public enum PropertyType: Int, Sendable, Hashable {
  /// An integer of any width.
  case int = 0
  /// A Boolean.
  case bool = 1
  /// A string.
  case string = 2
  /// Binary data.
  case data = 3
  /// A date.
  case date = 4
  /// A number of 32 bits.
  case float = 5
  /// A number of 64 bits.
  case double = 6
  /// A link to an object, or an embedded object.
  case object = 7
  /// The objects that link to the object.
  case linkingObjects = 8
  /// A value of any type.
  case any = 9
  /// An `ObjectId`.
  case objectId = 10
  /// A `Decimal128`.
  case decimal128 = 11
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// A `UUID`.
  case UUID = 12

  /// The type's name in messages and descriptions.
  var name: String {
    switch self {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .float: "float"
    case .double: "double"
    case .object: "object"
    case .linkingObjects: "linking objects"
    case .any: "mixed"
    case .objectId: "object id"
    case .decimal128: "decimal128"
    case .UUID: "uuid"
    }
  }

  /// The type in a column; nil for linking objects, which have none.
  var valueType: ValueType? { ValueType(rawValue: UInt8(rawValue)) }

  init(_ type: ValueType) { self = PropertyType(rawValue: Int(type.rawValue))! }
}
