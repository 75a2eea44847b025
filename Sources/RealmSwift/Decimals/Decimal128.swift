import Foundation

/// A decimal number of up to 34 significant digits: the decimal128 format of IEEE 754-2008.
///
/// ```swift
/// let price: Decimal128 = "19.99"
/// print(price < "20", price * 3)  // true 59.97
/// ```
///
/// Unlike `Double` it represents decimal fractions such as 0.1 exactly, which makes it suitable for money.
/// The exponent ranges from -6176 to 6111, so that numbers range from 1E-6176 to about 1E6145. Results that
/// need more digits are rounded to the nearest number, ties to the even last digit. Larger results become one
/// of two infinities; NaN stands for a value that is not a number.
///
/// A `Decimal128` is an instance of a class. All operators return a new instance. Only ``negate()`` changes
/// the instance, which every reference to it sees: do not call it on an instance that another thread uses.
public final class Decimal128: @unchecked Sendable {
  private(set) var bits: BID128

  init(bits: BID128) {
    self.bits = bits
  }

  /// Creates the number zero.
  public convenience init() {
    self.init(bits: .zero)
  }

  /// The smallest finite number, -9.999999999999999999999999999999999E6144.
  public static var min: Decimal128 { Decimal128(bits: BID128.largestFinite.negated) }

  /// The largest finite number, 9.999999999999999999999999999999999E6144.
  public static var max: Decimal128 { Decimal128(bits: .largestFinite) }

  /// Whether this is not a number.
  public var isNaN: Bool { bits.isNaN }

  /// Whether the number is NaN. Signaling and quiet NaNs are not distinguished.
  public var isSignaling: Bool { isNaN }

  /// Whether the number is NaN. Signaling and quiet NaNs are not distinguished.
  public var isSignalingNaN: Bool { isNaN }

  /// The absolute value.
  public var magnitude: Decimal128 { Decimal128(bits: isNaN ? bits : bits.magnitude) }

  /// Changes the sign of this instance. NaN does not change.
  public func negate() {
    if !isNaN { bits = bits.negated }
  }
}

// MARK: - Raw bytes

extension Decimal128 {
  /// The number of bytes that ``init(bytes:)`` reads and ``store(to:)`` writes.
  static let byteCount = BID128.byteCount

  /// Reads the sixteen bytes of the binary integer encoding, least significant first, at any alignment.
  convenience init(bytes: UnsafeRawPointer) {
    self.init(bits: BID128(bytes: bytes))
  }

  /// Writes the sixteen bytes of the binary integer encoding, least significant first, at any alignment.
  ///
  /// Equal numbers may have different bytes (1 and 1.0), and the order of the bytes is not that of the
  /// numbers; use ``orderedKey()`` for sorting and grouping.
  func store(to bytes: UnsafeMutableRawPointer) {
    bits.store(to: bytes)
  }

  /// An integer that sorts as the numbers do, NaN first: `a < b` if and only if the key of `a` is smaller,
  /// `a == b` if and only if the keys are equal.
  func orderedKey() -> UInt128 { bits.orderedKey }
}

// MARK: - Comparison

extension Decimal128: Comparable, Hashable {
  /// Returns whether both have the same numeric value, such as 1 and 1.0. A NaN equals only a NaN with the
  /// same bits; every NaN that ``init(string:)`` creates has the same bits.
  public static func == (lhs: Decimal128, rhs: Decimal128) -> Bool { lhs.bits == rhs.bits }

  /// Returns whether the left number is smaller. NaN is smaller than every number.
  public static func < (lhs: Decimal128, rhs: Decimal128) -> Bool { lhs.bits < rhs.bits }

  /// Returns whether this number is smaller than another. The name is that of Objective-C.
  public func isLessThan(_ other: Decimal128) -> Bool { self < other }
  /// Returns whether this number is smaller than another or equal to it.
  public func isLessThanOrEqual(to other: Decimal128) -> Bool { self <= other }
  /// Returns whether this number is larger than another.
  public func isGreaterThan(_ other: Decimal128) -> Bool { self > other }
  /// Returns whether this number is larger than another or equal to it.
  public func isGreaterThanOrEqual(to other: Decimal128) -> Bool { self >= other }

  /// Hashes the number's ``doubleValue``, which equal numbers share.
  public func hash(into hasher: inout Hasher) {
    bits.hash(into: &hasher)
  }

  /// Returns whether a value is a `Decimal128` or a number of another type (`NSNumber`, `Int`, `Double`, …)
  /// with the same numeric value. False for values of all other types.
  public func isEqual(_ object: Any?) -> Bool {
    guard let object, let other = BID128(anyNumber: object) else { return false }
    return bits == other
  }
}
