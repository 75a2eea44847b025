import Storage

/// What a property name of a class stands for.
package enum PropertyReference: Sendable, Hashable {
  case column(Int)
  /// The rows of another table whose column links to the object.
  case backlinks(table: Int, column: Int)
}

/// Finds a property by the name that the class gives it; nil when the table has none of that name.
package typealias PropertyLookup = (_ table: Int, _ name: String) -> PropertyReference?

extension Catalogue {
  /// The lookup by column names, for classes that do not rename properties and have no back links.
  package var columnLookup: PropertyLookup {
    { table, name in self.tables[table].column(named: name).map(PropertyReference.column) }
  }
}

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
