import CDecimal128
import Glibc
import TestSupport
import Testing

@testable import Storage

/// The nearest `Double` of a decimal, compared with the C library's reading of the decimal's text.
@Suite struct DecimalConversionTests {
  @Test(arguments: [81, 82, 83] as [UInt64])
  func doublesAreTheNearest(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for step in 0..<20_000 {
      let decimal = Self.decimal(step: step, using: &random)
      let expected = decimal.isNaN ? .nan : strtod(decimal.text, nil)
      let found = decimal.doubleValue
      #expect(
        found.bitPattern == expected.bitPattern || found.isNaN && expected.isNaN,
        "seed \(seed), step \(step): \(decimal.text)")
    }
  }

  /// Any bits, or a number about whose size the short way decides.
  private static func decimal(step: Int, using random: inout SeededGenerator) -> BID_UINT128 {
    guard step % 4 != 0 else { return BID_UINT128(w: (random.next(), random.next())) }
    let coefficient =
      UInt64.random(in: (1 << 53) - 3...(1 << 53) + 3, using: &random)
      >> Int.random(in: 0...53, using: &random)
    let exponent = UInt64(6176 + Int.random(in: -26...26, using: &random))
    let sign: UInt64 = Bool.random(using: &random) ? 1 << 63 : 0
    let high: UInt64 = step % 8 == 1 ? 1 : 0
    return BID_UINT128(w: (coefficient, sign | exponent << 49 | high))
  }

  @Test(arguments: [
    0x7E00_0000_0000_0000, 0xFE00_0000_0000_0000, 0x7C00_0000_0000_0000, 0xFC00_0000_0000_0001,
  ])
  func doublesOfNaNAreNaN(high: UInt64) {
    #expect(BID_UINT128(w: (5, high)).doubleValue.isNaN)
  }

  @Test func infinitiesAndZerosKeepTheirSign() {
    #expect(BID_UINT128(w: (0, 0x7800_0000_0000_0000)).doubleValue == .infinity)
    #expect(BID_UINT128(w: (0, 0xF800_0000_0000_0000)).doubleValue == -.infinity)
    #expect(BID_UINT128(parsing: "-0E+5").doubleValue.sign == .minus)
    #expect(BID_UINT128(parsing: "0E-30").doubleValue.sign == .plus)
  }
}
