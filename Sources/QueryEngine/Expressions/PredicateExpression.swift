package import Storage

/// A condition as it was written: property names and argument values, nothing looked up yet.
///
/// The format-string parser and the typed `where` queries both produce it; `resolve` turns it into a
/// `Predicate`, which knows the columns.
package indirect enum PredicateExpression: Sendable, Hashable {
  case constant(Bool)
  case and([PredicateExpression])
  case or([PredicateExpression])
  case not(PredicateExpression)
  case comparison(ComparisonExpression)
}

/// `left operator right`, with the modifiers that were written around it.
package struct ComparisonExpression: Sendable, Hashable {
  package var left: Operand
  package let comparison: ComparisonOperator
  package var right: Operand
  package let options: StringOptions
  package let modifier: ElementModifier?
  /// The parsed search of `TEXT`; nil for other operators, and when the right side is no string.
  let search: PreparedSearch?

  package init(
    _ left: Operand, _ comparison: ComparisonOperator, _ right: Operand, options: StringOptions = [],
    modifier: ElementModifier? = nil
  ) {
    self.left = left
    self.comparison = comparison
    self.right = right
    self.options = options
    self.modifier = modifier
    search = comparison == .fullText ? PreparedSearch(right) : nil
  }
}

/// One side of a comparison.
package indirect enum Operand: Sendable, Hashable {
  case keyPath(PropertyPath)
  case value(Value)
  /// A number that is read as the type of the other side.
  case number(NumberLiteral)
  /// Several constants, for IN and BETWEEN.
  case list([Operand])
  /// An object that is not in the database: unmanaged or deleted. It equals no stored object.
  case detachedObject
  /// A part of the Earth's surface: objects IN it are embedded ones that hold a point there.
  case region(GeographicRegion)
  /// What an object must have in each property to be equal to a constant, which is itself no object.
  case members(names: [String], values: [Operand])
  /// A constant of a type that cannot be stored, named for the error message.
  case unsupported(description: String, type: String)
  /// SUBQUERY(collection, $variable, predicate).@count
  case subqueryCount(collection: PropertyPath, predicate: PredicateExpression)
}
