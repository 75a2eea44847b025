public import Foundation

extension Decimal128 {
  /// Creates a number from a value of any numeric type, a string or another `Decimal128`.
  ///
  /// Integers are exact up to 34 digits. A binary floating-point number becomes the shortest decimal number
  /// that represents it: the `Double` 0.1 becomes 0.1. Strings are read as ``init(string:)`` does; `NSNull`
  /// and nil become NaN. Stops the program for a value of any other type.
  public convenience init(value: Any) {
    guard let bits = BID128(converting: value) else {
      trap("Cannot convert value '\(value)' of type '\(type(of: value))' to decimal128")
    }
    self.init(bits: bits)
  }

  /// Creates a number from an `NSNumber`.
  ///
  /// Integers are exact. A floating-point number becomes the shortest decimal number that represents it:
  /// 3.14159 becomes 3.14159.
  public convenience init(number: NSNumber) {
    self.init(bits: BID128(number))
  }

  /// Creates a number from its text form, rounded to 34 digits.
  ///
  /// Accepts text such as "-12", "12.50", ".5", "1.25E-3", "Inf" and "NaN", with leading spaces or tabs. All
  /// other text becomes NaN; nothing is thrown.
  public convenience init(string: String) throws {
    self.init(bits: BID128(text: string))
  }

  /// Creates a number from an integer, or returns nil if it has more than 34 significant digits.
  public convenience init?<Source: BinaryInteger>(exactly source: Source) {
    var isExact = true
    self.init(bits: BID128(integer: source, isExact: &isExact))
    if !isExact { return nil }
  }

  /// The nearest `Double`; numbers beyond its range become infinite or zero.
  public var doubleValue: Double { bits.doubleValue }

  /// The number as a Foundation `Decimal`, which represents all 34 digits.
  ///
  /// `Decimal` ranges only from 1E-128 to about 3.4E165: smaller numbers are rounded to zero or to fewer
  /// digits; larger numbers, infinities and NaN become `Decimal.nan`.
  public var decimalValue: Decimal { bits.decimalValue }
}

// MARK: - Literals

extension Decimal128: ExpressibleByIntegerLiteral {
  /// Creates a number from an integer literal.
  public convenience init(integerLiteral value: Int64) {
    self.init(bits: BID128(value))
  }
}

extension Decimal128: ExpressibleByFloatLiteral {
  /// Creates a number from a floating-point literal.
  ///
  /// The compiler reads such a literal as a `Double`, so digits after about the 16th are lost. Write longer
  /// numbers as strings.
  public convenience init(floatLiteral value: Double) {
    self.init(bits: BID128(binary: value))
  }
}

extension Decimal128: ExpressibleByStringLiteral {
  /// Creates a number from a string literal, as ``init(string:)`` does.
  public convenience init(stringLiteral value: String) {
    self.init(bits: BID128(text: value))
  }
}

// MARK: - Text

extension Decimal128: CustomStringConvertible {
  /// The number as text that ``init(string:)`` reads back as an equal number.
  ///
  /// A number without an exponent is a plain integer ("56700000000"). Otherwise the decimal point is followed
  /// by as many digits as the exponent requires, at least one, and then by "E" and the remaining exponent:
  /// "11.11111", "1.5E2", "1E-3". Trailing zeros of the fraction are omitted. Infinities are "Inf" and
  /// "-Inf", NaN is "NaN". Coefficients of more than 64 bits are written in full with a sign and an exponent:
  /// "+1234567890123456789012E-5".
  public var stringValue: String { bits.text }

  /// The number as text, equal to ``stringValue``.
  public var description: String { stringValue }
}
