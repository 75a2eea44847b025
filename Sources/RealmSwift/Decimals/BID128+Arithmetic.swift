import CDecimal128
import Storage

// The operations that Intel's library does. Results round to the nearest number, ties to the even
// coefficient; what does not fit becomes an infinity, what is undefined becomes NaN.
extension BID128 {
  private init(_ value: BID_UINT128) {
    self.init(high: value.w.1, low: value.w.0)
  }

  private var libraryValue: BID_UINT128 { BID_UINT128(w: (low, high)) }

  static func + (lhs: BID128, rhs: BID128) -> BID128 {
    var flags: UInt32 = 0
    return BID128(bid128_add(lhs.libraryValue, rhs.libraryValue, BID_ROUNDING_TO_NEAREST, &flags))
  }

  static func - (lhs: BID128, rhs: BID128) -> BID128 {
    var flags: UInt32 = 0
    return BID128(bid128_sub(lhs.libraryValue, rhs.libraryValue, BID_ROUNDING_TO_NEAREST, &flags))
  }

  static func * (lhs: BID128, rhs: BID128) -> BID128 {
    var flags: UInt32 = 0
    return BID128(bid128_mul(lhs.libraryValue, rhs.libraryValue, BID_ROUNDING_TO_NEAREST, &flags))
  }

  static func / (lhs: BID128, rhs: BID128) -> BID128 {
    var flags: UInt32 = 0
    return BID128(bid128_div(lhs.libraryValue, rhs.libraryValue, BID_ROUNDING_TO_NEAREST, &flags))
  }

  /// Whether both are the same number; never true for a NaN.
  func isNumericallyEqual(to other: BID128) -> Bool {
    var flags: UInt32 = 0
    return bid128_quiet_equal(libraryValue, other.libraryValue, &flags) != 0
  }

  /// Whether this number is smaller; never true for a NaN.
  func isNumericallyLess(than other: BID128) -> Bool {
    var flags: UInt32 = 0
    return bid128_quiet_less(libraryValue, other.libraryValue, &flags) != 0
  }

  init(_ value: Int64) {
    self.init(bid128_from_int64(value))
  }

  init(_ value: UInt64) {
    self.init(bid128_from_uint64(value))
  }

  /// The nearest `Double`, ties to even.
  var doubleValue: Double { libraryValue.doubleValue }

  /// Reads a number that `BID128.isNumber` accepts, rounded to 34 digits.
  ///
  /// - Parameter text: Ends with a zero byte.
  init(number text: UnsafePointer<CChar>, isExact: inout Bool) {
    var flags: UInt32 = 0
    let value = bid128_from_string(UnsafeMutablePointer(mutating: text), BID_ROUNDING_TO_NEAREST, &flags)
    isExact = flags & BID_INEXACT_EXCEPTION == 0
    self.init(value)
  }

  /// Sign, coefficient and exponent as they are stored: "+1234E-2", "-0E+0", "+Inf".
  var scientificText: String { libraryValue.text }
}
