/// Finds out whether doubles can be stored as integers divided by a power of ten, and writes them so.
struct ScaledEncoder {
  let encoding: ChunkEncoding
  /// The integers of the smallest and the largest number that count.
  let smallest: Int64
  let largest: Int64
  let divisor: Double

  /// The divisors, the smallest first.
  static let powers: [Double] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
  /// Of the integers. So that of all in a chunk the sum has 64 bits, and rounding finds each.
  static let limit = 0x1p51 - 1
  /// What is added to it has no digits behind the point any more, and its low bits are an integer.
  private static let rounding = 0x1.8p52

  /// Nil when they cannot be stored so.
  ///
  /// - Parameters:
  ///   - range: Of the numbers that count, none of which is a NaN; nil when none counts.
  ///   - counts: Whether a number matters.
  @inline(__always)
  init?(_ values: UnsafeRawPointer, count: Int, range: ClosedRange<Double>?, counts: (Int) -> Bool) {
    guard let range else {
      (encoding, smallest, largest, divisor) = (.scaled0, 0, 0, 1)
      return
    }
    guard let divisor = Self.divisor(values, count, counts),
      abs(range.lowerBound * divisor) <= Self.limit, abs(range.upperBound * divisor) <= Self.limit
    else { return nil }
    self.divisor = divisor
    smallest = Int64((range.lowerBound * divisor).rounded())
    largest = Int64((range.upperBound * divisor).rounded())
    switch largest - smallest {
    case 0: encoding = .scaled0
    case 1...0xFF: encoding = .scaled1
    case 0x100...0xFFFF: encoding = .scaled2
    case 0x1_0000...0xFFFF_FFFF: encoding = .scaled4
    default: return nil
    }
  }

  /// The smallest power of ten that makes an integer of each number, which divided by it gives the number again, to the bit.
  ///
  /// What it does for one number the larger ones do as well.
  @inline(__always)
  private static func divisor(_ values: UnsafeRawPointer, _ count: Int, _ counts: (Int) -> Bool) -> Double? {
    var power = 0
    var divisor = powers[0]
    for index in 0..<count {
      if !counts(index) { continue }
      let number = values.loadUnaligned(fromByteOffset: index &* 8, as: Double.self)
      while ((number * divisor + rounding - rounding) / divisor).bitPattern != number.bitPattern {
        power += 1
        if power == powers.count { return nil }
        divisor = powers[power]
      }
    }
    return divisor
  }

  /// How many bytes so many numbers take.
  func size(_ count: Int) -> Int { count * encoding.codeWidth }

  /// Writes the differences to the smallest integer.
  @inline(__always)
  func write(
    _ values: UnsafeRawPointer, count: Int, counts: (Int) -> Bool, to codes: UnsafeMutableRawPointer
  ) {
    switch encoding {
    case .scaled1: write(values, count, counts, codes, UInt8.self)
    case .scaled2: write(values, count, counts, codes, UInt16.self)
    case .scaled4: write(values, count, counts, codes, UInt32.self)
    default: break
    }
  }

  @inline(__always)
  private func write<Code: FixedWidthInteger>(
    _ values: UnsafeRawPointer, _ count: Int, _ counts: (Int) -> Bool, _ codes: UnsafeMutableRawPointer,
    _: Code.Type
  ) {
    let base = Int64(bitPattern: Self.rounding.bitPattern) &+ smallest
    for index in 0..<count {
      let number = values.loadUnaligned(fromByteOffset: index &* 8, as: Double.self)
      let integer = Int64(bitPattern: (number * divisor + Self.rounding).bitPattern)
      codes.storeBytes(
        of: counts(index) ? Code(truncatingIfNeeded: integer &- base) : 0,
        toByteOffset: index &* MemoryLayout<Code>.size, as: Code.self)
    }
  }
}
