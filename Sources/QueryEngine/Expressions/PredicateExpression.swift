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
  package var comparison: ComparisonOperator
  package var right: Operand
  package var options: StringOptions
  package var modifier: ElementModifier?

  package init(
    _ left: Operand, _ comparison: ComparisonOperator, _ right: Operand, options: StringOptions = [],
    modifier: ElementModifier? = nil
  ) {
    self.left = left
    self.comparison = comparison
    self.right = right
    self.options = options
    self.modifier = modifier
  }
}

/// One side of a comparison.
package indirect enum Operand: Sendable, Hashable {
  case keyPath(PropertyPath)
  case value(Value)
  /// Several constants, for IN and BETWEEN.
  case list([Operand])
  /// An object that is not in the database: unmanaged or deleted. It equals no stored object.
  case detachedObject
  /// A part of the Earth's surface: objects IN it are embedded ones that hold a point there.
  case region(GeographicRegion)
  /// What an object must have in each property to be equal to a constant, which is itself no object.
  case members(names: [String], values: [Operand])
  /// A constant of a type that can not be stored, named for the error message.
  case unsupported(description: String, type: String)
  /// SUBQUERY(collection, $variable, predicate).@count
  case subqueryCount(collection: PropertyPath, predicate: PredicateExpression)
}

/// The operators of a comparison. The raw values are their canonical spelling.
package enum ComparisonOperator: String, Sendable, Hashable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case between = "BETWEEN"
  case isIn = "IN"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  case like = "LIKE"
  case matches = "MATCHES"
  /// A search for words, in the language of ``FullTextSearch``.
  case fullText = "TEXT"

  /// The operator that means the same with the sides exchanged; nil for those that have none.
  package var exchanged: ComparisonOperator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .between, .isIn, .beginsWith, .endsWith, .contains, .like, .matches, .fullText: nil
    }
  }

  /// Whether the operator asks which of two values comes first.
  package var isOrdering: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }

  /// Whether the operator looks into a string.
  package var isSubstring: Bool {
    switch self {
    case .beginsWith, .endsWith, .contains, .like, .matches, .fullText: true
    default: false
    }
  }
}

/// ANY, NONE or ALL in front of a comparison.
package enum ElementModifier: String, Sendable, Hashable {
  case any = "ANY"
  case none = "NONE"
  case all = "ALL"
}

/// How strings are compared; the raw values are those of the public option set.
package struct StringOptions: OptionSet, Sendable, Hashable {
  package let rawValue: Int8
  package init(rawValue: Int8) { self.rawValue = rawValue }

  package static let caseInsensitive = StringOptions(rawValue: 1)
  package static let diacriticInsensitive = StringOptions(rawValue: 2)

  /// The modifier as it is written after an operator, with its brackets.
  package var text: String {
    switch self {
    case []: ""
    case .caseInsensitive: "[c]"
    case .diacriticInsensitive: "[d]"
    default: "[cd]"
    }
  }
}
