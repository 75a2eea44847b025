extension Decimal128: Numeric {
  /// The type of the absolute value.
  public typealias Magnitude = Decimal128

  /// The type of the distance between two numbers.
  public typealias Stride = Decimal128

  /// The sum, rounded to 34 digits. The sum of infinities of opposite sign is NaN.
  public static func + (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
    Decimal128(bits: lhs.bits + rhs.bits)
  }

  /// The difference, rounded to 34 digits. The difference of equal infinities is NaN.
  public static func - (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
    Decimal128(bits: lhs.bits - rhs.bits)
  }

  /// The product, rounded to 34 digits. Zero times infinity is NaN.
  public static func * (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
    Decimal128(bits: lhs.bits * rhs.bits)
  }

  /// The quotient, rounded to 34 digits. A number divided by zero is infinite; zero divided by zero is NaN.
  public static func / (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
    Decimal128(bits: lhs.bits / rhs.bits)
  }

  /// Replaces the left number by the product. The instance that it was remains unchanged.
  public static func *= (lhs: inout Decimal128, rhs: Decimal128) {
    lhs = lhs * rhs
  }

  /// Replaces the left number by the quotient. The instance that it was remains unchanged.
  public static func /= (lhs: inout Decimal128, rhs: Decimal128) {
    lhs = lhs / rhs
  }

  /// The sum, under the name that Objective-C gives it.
  public func decimalNumber(byAdding other: Decimal128) -> Decimal128 { self + other }

  /// The difference, under the name that Objective-C gives it.
  public func decimalNumber(bySubtracting other: Decimal128) -> Decimal128 { self - other }

  /// The product, under the name that Objective-C gives it.
  public func decimalNumber(byMultiplyingBy other: Decimal128) -> Decimal128 { self * other }

  /// The quotient, under the name that Objective-C gives it.
  public func decimalNumber(byDividingBy other: Decimal128) -> Decimal128 { self / other }

  /// The product, under another name that Objective-C gives it.
  public func decimalNumberByMultiplying(by other: Decimal128) -> Decimal128 { self * other }

  /// The quotient, under another name that Objective-C gives it.
  public func decimalNumberByDividing(by other: Decimal128) -> Decimal128 { self / other }

  /// The number that, added to this one, gives `other`.
  public func distance(to other: Decimal128) -> Decimal128 {
    other - self
  }

  /// The sum of this number and `n`.
  public func advanced(by n: Decimal128) -> Decimal128 {
    self + n
  }
}
