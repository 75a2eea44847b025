extension Decimal128: Numeric {
  /// The type of the absolute value.
  public typealias Magnitude = Decimal128

  /// The type of the distance between two numbers.
  public typealias Stride = Decimal128

  /// Returns the sum, rounded to 34 digits. The sum of infinities of opposite sign is NaN.
  public static func + (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
    Decimal128(bits: lhs.bits + rhs.bits)
  }

  /// Returns the difference, rounded to 34 digits. The difference of equal infinities is NaN.
  public static func - (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
    Decimal128(bits: lhs.bits - rhs.bits)
  }

  /// Returns the product, rounded to 34 digits. Zero times infinity is NaN.
  public static func * (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
    Decimal128(bits: lhs.bits * rhs.bits)
  }

  /// Returns the quotient, rounded to 34 digits. A number divided by zero is infinite; zero divided by zero
  /// is NaN.
  public static func / (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
    Decimal128(bits: lhs.bits / rhs.bits)
  }

  /// Replaces the left operand by the product. The previous instance does not change.
  public static func *= (lhs: inout Decimal128, rhs: Decimal128) {
    lhs = lhs * rhs
  }

  /// Replaces the left operand by the quotient. The previous instance does not change.
  public static func /= (lhs: inout Decimal128, rhs: Decimal128) {
    lhs = lhs / rhs
  }

  /// Returns the sum. The name is that of Objective-C.
  public func decimalNumber(byAdding other: Decimal128) -> Decimal128 { self + other }

  /// Returns the difference. The name is that of Objective-C.
  public func decimalNumber(bySubtracting other: Decimal128) -> Decimal128 { self - other }

  /// Returns the product. The name is that of Objective-C.
  public func decimalNumber(byMultiplyingBy other: Decimal128) -> Decimal128 { self * other }

  /// Returns the quotient. The name is that of Objective-C.
  public func decimalNumber(byDividingBy other: Decimal128) -> Decimal128 { self / other }

  /// Returns the product. The name is another one of Objective-C.
  public func decimalNumberByMultiplying(by other: Decimal128) -> Decimal128 { self * other }

  /// Returns the quotient. The name is another one of Objective-C.
  public func decimalNumberByDividing(by other: Decimal128) -> Decimal128 { self / other }

  /// Returns the number that gives `other` when it is added to this one.
  public func distance(to other: Decimal128) -> Decimal128 {
    other - self
  }

  /// Returns the sum of this number and `n`.
  public func advanced(by n: Decimal128) -> Decimal128 {
    self + n
  }
}
