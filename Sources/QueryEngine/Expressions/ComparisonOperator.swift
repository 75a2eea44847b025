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
