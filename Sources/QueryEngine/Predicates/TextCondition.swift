import Storage

/// A test of a string's or data's bytes.
package struct TextCondition: Sendable {
  package let operation: TextOperator
  package let options: StringOptions
  /// nil is null.
  package let pattern: [UInt8]?
  /// Prepared once, for all values.
  let matcher: TextMatcher

  package init(_ operation: TextOperator, _ pattern: [UInt8]?, options: StringOptions = []) {
    self.operation = operation
    self.options = options
    self.pattern = pattern
    matcher = TextMatcher(operation, pattern, options: options)
  }
}

extension TextCondition: Hashable {
  // What is prepared follows from the rest.
  package static func == (first: TextCondition, second: TextCondition) -> Bool {
    first.operation == second.operation && first.options == second.options && first.pattern == second.pattern
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(operation)
    hasher.combine(options)
    hasher.combine(pattern)
  }
}

package enum TextOperator: Sendable, Hashable {
  case equal, notEqual, beginsWith, endsWith, contains, like
  /// The pattern is a ``FullTextSearch`` as it is written.
  case fullText
}

extension TextOperator {
  init?(_ comparison: ComparisonOperator) {
    switch comparison {
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .beginsWith: self = .beginsWith
    case .endsWith: self = .endsWith
    case .contains: self = .contains
    case .like: self = .like
    case .fullText: self = .fullText
    default: return nil
    }
  }
}

extension TextCondition {
  func matches(_ value: Value) -> Bool {
    switch value {
    case .string(var text):
      return text.withUTF8 { matcher.matches(UnsafeRawBufferPointer($0)) }
    case .data(let bytes):
      return bytes.withUnsafeBytes { matcher.matches($0) }
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
