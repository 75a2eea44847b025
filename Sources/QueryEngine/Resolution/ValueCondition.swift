package import Storage

/// A test of one value against constants, which have the type of the values already.
package indirect enum ValueCondition: Sendable, Hashable {
  case compare(RelationalOperator, Value)
  /// Both bounds included.
  case between(Value, Value)
  case isIn([Value])
  /// Equal to one of the values when strings are folded.
  case isInFolded([Value], StringOptions)
  case text(TextCondition)
  case negated(ValueCondition)
}

/// The operators that compare two values.
package enum RelationalOperator: Sendable, Hashable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

  init?(_ comparison: ComparisonOperator) {
    switch comparison {
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .less: self = .less
    case .lessOrEqual: self = .lessOrEqual
    case .greater: self = .greater
    case .greaterOrEqual: self = .greaterOrEqual
    default: return nil
    }
  }

  /// The answer when the left value is before (negative), equal to or after (positive) the right one.
  @inline(__always) func accepts(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

/// A test of a string's or data's bytes.
package struct TextCondition: Sendable, Hashable {
  package var operation: TextOperator
  package var options: StringOptions
  /// nil is null.
  package var pattern: [UInt8]?

  package init(_ operation: TextOperator, _ pattern: [UInt8]?, options: StringOptions = []) {
    self.operation = operation
    self.options = options
    self.pattern = pattern
  }
}

package enum TextOperator: Sendable, Hashable {
  case equal, notEqual, beginsWith, endsWith, contains, like
  /// The pattern is a ``FullTextSearch`` as it is written.
  case fullText
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
    case .isIn(let constants):
      return constants.contains { ValueComparison.compare(value, .equal, $0, type: type) }
    case .isInFolded(let constants, let options):
      return constants.contains { constant in
        guard let pattern = constant.textBytes else {
          return ValueComparison.compare(value, .equal, constant, type: type)
        }
        return TextCondition(.equal, pattern, options: options).matches(value)
      }
    case .text(let condition):
      return condition.matches(value)
    case .negated(let condition):
      return !condition.matches(value, type: type)
    }
  }

  /// The answer for null.
  package func matchesNull(type: ValueType) -> Bool { matches(.null, type: type) }
}

extension TextCondition {
  func matches(_ value: Value) -> Bool {
    switch value {
    case .string(var text):
      return text.withUTF8 { TextMatcher(self).matches(UnsafeRawBufferPointer($0)) }
    case .data(let bytes):
      return bytes.withUnsafeBytes { TextMatcher(self).matches($0) }
    default:
      return value.isNull ? matchesNull : operation == .notEqual
    }
  }

  /// The answer for null: only a comparison with null, or an inequality with something else, holds.
  var matchesNull: Bool {
    switch operation {
    case .equal: false
    case .like: pattern == nil
    case .notEqual: pattern != nil
    case .beginsWith, .endsWith, .contains, .fullText: false
    }
  }
}
