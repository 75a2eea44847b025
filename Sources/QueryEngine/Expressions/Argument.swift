package import Storage

/// A value that takes the place of `%@`, `%K` or a numeric placeholder in a format string.
package enum Argument: Sendable, Hashable {
  case value(Value)
  /// A number that is read as the type of the other side of the comparison.
  case number(NumberLiteral)
  case list([Argument])
  case keyPath(String)
  /// A row of a table of the database that is queried.
  case object(table: Int, row: Int)
  /// An object that is unmanaged or was deleted.
  case detachedObject
  /// A part of the Earth's surface, for IN.
  case region(GeographicRegion)
  /// What an embedded object must have in each property to be equal to a custom value.
  case members(names: [String], values: [Argument])
  /// Anything that no column can hold; using it is an error that names it.
  case unsupported(description: String, type: String)

  /// The argument as a constant of an expression.
  package var operand: Operand {
    switch self {
    case .value(let value): .value(value)
    case .number(let literal): .number(literal)
    case .list(let elements): .list(elements.map(\.operand))
    case .keyPath(let path): .value(.string(path))
    case .object(let table, let row): .value(.link(table: table, row: row))
    case .detachedObject: .detachedObject
    case .region(let region): .region(region)
    case .members(let names, let values): .members(names: names, values: values.map(\.operand))
    case .unsupported(let description, let type): .unsupported(description: description, type: type)
    }
  }
}
