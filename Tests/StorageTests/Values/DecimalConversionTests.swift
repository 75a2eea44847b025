import CDecimal128
import LibC
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
    ("9007199254740993", 9_007_199_254_740_992), ("9007199254740995", 9_007_199_254_740_996),
    ("9007199254740993.000000000000000001", 9_007_199_254_740_994),
    ("0.1000000000000000055511151231257827", 0.1), ("1.000000000000000111022302462515654", 1),
    ("1.000000000000000111022302462515655", 1.0000000000000002), ("4.94E-324", .leastNonzeroMagnitude),
    ("2.470328229206232720882843964341106E-324", 0),
    ("2.470328229206232720882843964341107E-324", .leastNonzeroMagnitude),
    ("1.797693134862315807E308", .greatestFiniteMagnitude), ("1.797693134862315808E308", .infinity),
    ("-1E6144", -.infinity), ("1E-6176", 0), ("1E22", 1e22), ("1E23", 1e23), ("123E-22", 1.23e-20),
    ("123E-23", 1.23e-21),
  ])
  func knownNumbers(text: String, expected: Double) {
    #expect(BID_UINT128(parsing: text).doubleValue == expected)
  }

  /// Coefficients of more than 34 digits, in both ways of writing them, are zero.
  @Test(arguments: [0x6000_0000_0000_0000, 0xE000_0000_0000_0001, 0x3041_FFFF_FFFF_FFFF] as [UInt64])
  func coefficientsThatAreTooLarge(high: UInt64) {
    let number = BID_UINT128(w: (.max, high)).doubleValue
    #expect(number == 0 && (number.sign == .minus) == (high >> 63 == 1))
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
