/// The sixteen bytes of an IEEE 754-2008 decimal128 number in the binary integer encoding: a sign, an
/// exponent of ten and an integer coefficient of up to 34 decimal digits.
///
/// This is the value that ``Decimal128`` boxes. It is plain data, so columns can hold, compare and sort it
/// without an object per number.
///
/// Layout, from the most significant bit: sign (1), exponent + 6176 (14), coefficient (113). The patterns
/// that begin with 11 after the sign stand for infinity (11110), for NaN (11111) or for coefficients of more
/// than 34 digits, which the standard reads as zero.
struct BID128: Sendable {
  var high: UInt64
  var low: UInt64
}

// MARK: - Fields

extension BID128 {
  static let largestCoefficient: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999
  static let exponents = -6176...6111

  static let zero = BID128(isNegative: false, exponent: 0, coefficient: 0)
  static let infinity = BID128(high: 0x7800 << 48, low: 0)
  static let nan = BID128(high: 0x7C00 << 48, low: 0)
  static let largestFinite = BID128(
    isNegative: false, exponent: exponents.upperBound, coefficient: largestCoefficient)

  /// Encodes a number; exponent and coefficient must be in range.
  init(isNegative: Bool, exponent: Int, coefficient: UInt128) {
    precondition(BID128.exponents.contains(exponent) && coefficient <= BID128.largestCoefficient)
    let biased = UInt64(exponent - BID128.exponents.lowerBound)
    high = (isNegative ? 1 << 63 : 0) | biased << 49 | UInt64(coefficient >> 64)
    low = UInt64(truncatingIfNeeded: coefficient)
  }

  var isNegative: Bool { high >> 63 == 1 }
  var isNaN: Bool { (high >> 58) & 0x1F == 0b11111 }
  var isInfinite: Bool { (high >> 58) & 0x1F == 0b11110 }
  private var hasOversizedCoefficient: Bool { (high >> 61) & 0b11 == 0b11 }

  /// The exponent of a finite number.
  var exponent: Int {
    let biased = hasOversizedCoefficient ? (high >> 47) & 0x3FFF : (high >> 49) & 0x3FFF
    return Int(biased) + BID128.exponents.lowerBound
  }

  /// The coefficient of a finite number.
  var coefficient: UInt128 {
    if hasOversizedCoefficient { return 0 }
    let stored = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low)
    return stored <= BID128.largestCoefficient ? stored : 0
  }

  /// The number with the opposite sign.
  var negated: BID128 { BID128(high: high ^ 1 << 63, low: low) }

  /// The number without its sign.
  var magnitude: BID128 { BID128(high: high & ~(1 << 63), low: low) }
}

// MARK: - Raw bytes

extension BID128 {
  static let byteCount = 16

  /// Reads sixteen bytes, least significant first, at any alignment.
  init(bytes: UnsafeRawPointer) {
    low = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    high = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// Writes sixteen bytes, least significant first, at any alignment.
  func store(to bytes: UnsafeMutableRawPointer) {
    bytes.storeBytes(of: low.littleEndian, as: UInt64.self)
    bytes.storeBytes(of: high.littleEndian, toByteOffset: 8, as: UInt64.self)
  }
}

// MARK: - Order

extension BID128 {
  /// An integer that sorts as the numbers do: NaN, -∞, the negative numbers, zero, the positive numbers, +∞.
  ///
  /// Numbers of equal value have equal keys, however they are written (1, 1.0 and 1.00; 0 and -0), and
  /// different numbers have different keys. Two NaNs have equal keys if sign, kind and payload agree.
  /// The big-endian bytes of the key sort like the key.
  var orderedKey: UInt128 {
    if isNaN {
      // Below the key of -∞, whose lower 113 bits are all set.
      let kind = UInt128(high >> 63) << 111 | UInt128((high >> 57) & 1) << 110
      return kind | UInt128(high & 0x3FFF_FFFF_FFFF) << 64 | UInt128(low)
    }
    var magnitude: UInt128 = 0
    if isInfinite {
      magnitude = 0x3FFF << 113
    } else if case (let digits, let exponent) = normalized, digits != 0 {
      magnitude = UInt128(exponent) << 113 | digits
    }
    let positive = 1 << 127 | magnitude
    return isNegative && magnitude != 0 ? ~positive : positive
  }

  /// Coefficient and exponent with the coefficient scaled to 34 digits; the exponent counts from 1.
  private var normalized: (coefficient: UInt128, exponent: Int) {
    var digits = coefficient
    // Scaling takes up to 33 steps below the smallest stored exponent.
    var position = exponent - BID128.exponents.lowerBound + 34
    if digits == 0 { return (0, 0) }
    func scale(by power: Int, _ factor: UInt128, below limit: UInt128) {
      if digits < limit {
        digits *= factor
        position -= power
      }
    }
    scale(by: 17, 100_000_000_000_000_000, below: 100_000_000_000_000_000)
    scale(by: 9, 1_000_000_000, below: 10_000_000_000_000_000_000_000_000)
    scale(by: 5, 100_000, below: 100_000_000_000_000_000_000_000_000_000)
    scale(by: 3, 1_000, below: 10_000_000_000_000_000_000_000_000_000_000)
    scale(by: 2, 100, below: 100_000_000_000_000_000_000_000_000_000_000)
    scale(by: 1, 10, below: 1_000_000_000_000_000_000_000_000_000_000_000)
    return (digits, position)
  }
}
