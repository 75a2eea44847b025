package import Storage

/// A test of one value against constants, which have the type of the values already.
package indirect enum ValueCondition: Sendable, Hashable {
  case compare(RelationalOperator, Value)
  /// Both bounds included.
  case between(Value, Value)
  case isIn(ConstantSet)
  /// Equal to one of the values when strings are folded, by the options of the set.
  case isInFolded(ConstantSet)
  case text(TextCondition)
  case negated(ValueCondition)
}

extension ValueCondition {
  /// Whether a value satisfies the condition. This is the definition that the column-wise evaluation
  /// must agree with.
  package func matches(_ value: Value, type: ValueType) -> Bool {
    switch self {
    case .compare(let comparison, let constant):
      return ValueComparison.compare(value, comparison, constant, type: type)
    case .between(let lower, let upper):
      return ValueComparison.compare(value, .greaterOrEqual, lower, type: type)
        && ValueComparison.compare(value, .lessOrEqual, upper, type: type)
    case .isIn(let constants), .isInFolded(let constants):
      return constants.contains(value, type: type)
    case .text(let condition):
      return condition.matches(value)
    case .negated(let condition):
      return !condition.matches(value, type: type)
    }
  }

  /// The answer for null.
  package func matchesNull(type: ValueType) -> Bool { matches(.null, type: type) }
}
