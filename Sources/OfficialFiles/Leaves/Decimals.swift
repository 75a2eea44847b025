/// A decimal of 128 bits: IEEE 754-2008 with a binary coefficient.
struct DecimalBits {
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Nil for the one that means null.
  init?(nullable high: UInt64, _ low: UInt64) {
    if high == 0x7C00_0000_0000_0000 && low == 0xAA { return nil }
    self.init(high: high, low: low)
  }
}

/// Decimals in cells of 0, 4, 8 or 16 bytes: IEEE 754-2008 with a binary coefficient.
struct Decimals {
  let count: Int
  private let node: Node

  init(_ node: Node) throws {
    try node.checkIsByteLeaf("leaf of decimals")
    guard node.count == 0 || [0, 4, 8, 16].contains(node.width) else {
      throw node.damage("a leaf of decimals of \(node.width) bytes")
    }
    self.node = node
    count = node.count
  }

  var isFree: Bool { node.width == 0 }

  /// Nil for null.
  func value(at index: Int) -> DecimalBits? {
    precondition(index >= 0 && index < count)
    switch node.width {
    case 4:
      let bits = UInt32(littleEndian: node.payload.load(fromByteOffset: index * 4, as: UInt32.self))
      return bits == 0x7C00_00AA ? nil : NarrowDecimal.widened(UInt64(bits), .four)
    case 8:
      let bits = UInt64(littleEndian: node.payload.load(fromByteOffset: index * 8, as: UInt64.self))
      return bits == 0x7C00_0000_0000_00AA ? nil : NarrowDecimal.widened(bits, .eight)
    case 16:
      func word(_ offset: Int) -> UInt64 {
        UInt64(littleEndian: node.payload.load(fromByteOffset: index * 16 + offset, as: UInt64.self))
      }
      return DecimalBits(nullable: word(8), word(0))
    // One value for all.
    default: return node.hasContext ? DecimalBits(high: NarrowDecimal.zeroExponent, low: 0) : nil
    }
  }
}

/// A decimal of 32 or 64 bits.
struct NarrowDecimal {
  struct Width {
    let bits: Int
    let exponentBits: Int
    let bias: Int
    /// The first coefficient that is too large to count.
    let limit: UInt64

    static let four = Width(bits: 32, exponentBits: 8, bias: 101, limit: 10_000_000)
    static let eight = Width(bits: 64, exponentBits: 10, bias: 398, limit: 10_000_000_000_000_000)
  }

  private static let wideBias = 6_176
  /// The high word of 0 · 10⁰ in 128 bits.
  static let zeroExponent = UInt64(wideBias) << 49

  /// Returns a decimal of fewer bits as one of 128 bits.
  static func widened(_ bits: UInt64, _ width: Width) -> DecimalBits {
    let coefficientBits = width.bits - 1 - width.exponentBits
    let sign = bits >> UInt64(width.bits - 1)
    let exponentMask: UInt64 = 1 << UInt64(width.exponentBits) - 1
    var exponent = bits >> UInt64(coefficientBits) & exponentMask
    var coefficient = bits & (1 << UInt64(coefficientBits) - 1)
    if bits >> UInt64(width.bits - 3) & 3 == 3 {
      // Infinity or not a number: only the leading bits count.
      if bits >> UInt64(width.bits - 5) & 3 == 3 {
        return DecimalBits(high: (bits >> UInt64(width.bits - 8)) << 56, low: 0)
      }
      exponent = bits >> UInt64(coefficientBits - 2) & exponentMask
      coefficient = 1 << UInt64(coefficientBits) | bits & (1 << UInt64(coefficientBits - 2) - 1)
    }
    if coefficient >= width.limit { coefficient = 0 }
    let wideExponent = UInt64(Int(exponent) - width.bias + wideBias)
    return DecimalBits(high: sign << 63 | wideExponent << 49, low: coefficient)
  }
}
