import CDecimal128
package import Storage

/// A number of which neither an `Int64` nor a `Double` has exactly the value, as it is written in a predicate.
///
/// The type of the other side of the comparison decides how the text is read: `100000000000000000001` is the nearest
/// `Double` beside a `Double`, and exactly this number beside a decimal, a mixed value or an integer.
package struct NumberLiteral: Sendable, Hashable {
  /// Digits, with an optional sign, fraction and exponent.
  package let text: String
  /// The nearest `Double`, ties to even.
  package let double: Double

  /// - Returns: nil for a text that is not a number.
  package init?(_ text: String) {
    guard let double = Double(text) else { return nil }
    self.text = text
    self.double = double
  }

  /// Whether it has neither a fraction nor an exponent.
  var isWhole: Bool {
    text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  /// The number as a decimal, rounded to 34 digits.
  package var decimal: Value { .decimal128(Fixed16(BID_UINT128(parsing: text))) }

  /// The `Double` of which the shortest text denotes the same number; nil when there is none. An integer beyond `Int64` has
  /// none, because it is no `Double` beside an integer.
  var exactDouble: Double? {
    if isWhole { return nil }
    var flags: UInt32 = 0
    var characters = text.utf8CString.map { $0 }
    let decimal = bid128_from_string(&characters, BID_ROUNDING_TO_NEAREST, &flags)
    if flags & UInt32(BID_INEXACT_EXCEPTION) != 0 { return nil }
    var comparisonFlags: UInt32 = 0
    let isEqual = bid128_quiet_equal(decimal, BID_UINT128(parsing: double.description), &comparisonFlags)
    return isEqual != 0 ? double : nil
  }

  /// The number as a value that is compared with values of a type.
  func value(comparedWith type: ValueType) -> Value {
    switch type {
    case .int where isWhole, .decimal128, .mixed: decimal
    default: .double(double)
    }
  }

  /// The number as a value that is compared with another value, whose type is not known beforehand.
  func value(comparedWith value: Value) -> Value {
    switch value {
    case .double: .double(double)
    case .float: .float(Float(text) ?? .nan)
    default: decimal
    }
  }
}
