import Storage

extension ValueType {
  /// The type's name in messages.
  var name: String {
    switch self {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .float: "float"
    case .double: "double"
    case .link: "object"
    case .mixed: "mixed"
    case .objectId: "object id"
    case .decimal128: "decimal128"
    case .uuid: "uuid"
    }
  }

  var isNumeric: Bool {
    switch self {
    case .int, .float, .double, .decimal128, .mixed: true
    default: false
    }
  }

  /// Whether `<` and BETWEEN are defined for it.
  var isOrdered: Bool { isNumeric || self == .date }
  /// Whether the operators that look into strings are defined for it.
  var isText: Bool { self == .string || self == .data || self == .mixed }
}
