import Storage

/// The type of a property's values.
public enum PropertyType: Int, Sendable, Hashable {
  case int = 0
  case bool = 1
  case string = 2
  case data = 3
  case date = 4
  case float = 5
  case double = 6
  case object = 7
  case linkingObjects = 8
  case any = 9
  case objectId = 10
  case decimal128 = 11
  // swift-format-ignore: AlwaysUseLowerCamelCase
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
