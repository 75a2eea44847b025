import Foundation
import Testing

@testable import RealmSwift

@Suite struct Decimal128Tests {
  @Test func theDefaultIsZero() {
    #expect(Decimal128() == 0)
    #expect(Decimal128().stringValue == "0")
    #expect(Decimal128.zero.stringValue == "0")
  }

  @Test func limits() {
    #expect(Decimal128.max.stringValue == "+9999999999999999999999999999999999E+6111")
    #expect(Decimal128.min.stringValue == "-9999999999999999999999999999999999E+6111")
    #expect(Decimal128.max == "9.999999999999999999999999999999999E6144")
    #expect(Decimal128.min == "-9.999999999999999999999999999999999E6144")
    #expect(Decimal128.max < "Inf" && Decimal128.min > "-Inf")
  }

  @Test func changingALimitInPlaceDoesNotChangeItForOthers() {
    Decimal128.max.negate()
    Decimal128.zero.negate()
    #expect(Decimal128.max > 0)
    #expect(Decimal128.zero.stringValue == "0")
  }

  @Test func onlyNaNIsNaN() {
    let signaling = Decimal128(bits: BID128(high: 0x7E00 << 48, low: 0))
    for number in [Decimal128("NaN"), Decimal128("not a number"), signaling] {
      #expect(number.isNaN && number.isSignaling && number.isSignalingNaN)
    }
    for number: Decimal128 in [0, -1, "Inf", "-Inf", .max, .min, "1E-6176"] {
      #expect(!number.isNaN && !number.isSignaling && !number.isSignalingNaN)
    }
  }

  @Test(arguments: [
    ("0", "-0", "0"), ("1", "-1", "1"), ("-1", "1", "1"), ("-1.50", "1.5", "1.5"), ("1E-7", "-1E-7", "1E-7"),
    ("-15E1", "1.5E2", "1.5E2"), ("Inf", "-Inf", "Inf"), ("-Inf", "Inf", "Inf"), ("NaN", "NaN", "NaN"),
    (
      "-1234567890123456789012345678901234", "+1234567890123456789012345678901234E+0",
      "+1234567890123456789012345678901234E+0"
    ),
    ("1E-6176", "-1E-6176", "1E-6176"),
  ])
  func negationAndMagnitude(text: String, negated: String, magnitude: String) throws {
    let number = try Decimal128(string: text)
    #expect(number.magnitude.stringValue == magnitude)
    #expect(number.stringValue == (try Decimal128(string: text)).stringValue, "magnitude changes nothing")
    let alias = number
    number.negate()
    #expect(number.stringValue == negated)
    #expect(alias === number && alias.stringValue == negated, "the instance itself changes")
    number.negate()
    #expect(number == (try Decimal128(string: text)))
  }

  @Test func magnitudeIsANewInstance() {
    let number: Decimal128 = 5
    let magnitude = number.magnitude
    number.negate()
    #expect(magnitude == 5)
  }

  // MARK: Literals

  @Test func literals() {
    let integer: Decimal128 = 42
    let negative: Decimal128 = -42
    let float: Decimal128 = 3.14159
    let string: Decimal128 = "1234567890.1234567890123456789"
    #expect(integer.stringValue == "42")
    #expect(negative.stringValue == "-42")
    #expect(float.stringValue == "3.14159")
    #expect(string.bits.scientificText == "+12345678901234567890123456789E-19")
    #expect(Decimal128(integerLiteral: .min).stringValue == "-9223372036854775808")
    #expect(Decimal128(integerLiteral: .max).stringValue == "9223372036854775807")
    #expect((-0.1 as Decimal128).stringValue == "-1E-1")
  }

  // MARK: Raw bytes

  @Test(arguments: [
    ("0", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x30]),
    ("1", [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x30]),
    ("-1", [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0xB0]),
    ("0.001234", [0xD2, 0x04, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x34, 0x30]),
    ("123456789012", [0x14, 0x1A, 0x99, 0xBE, 0x1C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x30]),
    (
      "0.1234567890123456789012345678901234",
      [0xF2, 0xAF, 0x96, 0x7E, 0xD0, 0x5C, 0x82, 0xDE, 0x32, 0x97, 0xFF, 0x6F, 0xDE, 0x3C, 0xFC, 0x2F]
    ),
    ("Inf", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x78]),
    ("-Inf", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF8]),
    ("NaN", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x7C]),
  ])
  func bytesAreThoseOfTheStandard(text: String, expected: [UInt8]) throws {
    let number = try Decimal128(string: text)
    for offset in 0..<8 {
      var buffer = [UInt8](repeating: 0xEE, count: 32)
      buffer.withUnsafeMutableBytes { number.store(to: $0.baseAddress! + offset) }
      #expect(Array(buffer[offset..<offset + 16]) == expected)
      #expect(Set(buffer[..<offset] + buffer[(offset + 16)...]) == [0xEE], "only sixteen bytes are written")
      let again = buffer.withUnsafeBytes { Decimal128(bytes: $0.baseAddress! + offset) }
      #expect(again.bits.high == number.bits.high && again.bits.low == number.bits.low)
    }
  }

  @Test func encodingsOutsideTheStandardsDigitsAreZero() {
    let tooManyDigits = BID128(high: 0x3041_ED09_BEAD_87C0, low: 0x378D_8E64_0000_0000)
    let oversized = BID128(high: 0x6C10 << 48, low: 5)
    for bits in [tooManyDigits, oversized] {
      let number = Decimal128(bits: bits)
      #expect(!number.isNaN && number == 0)
      #expect(number.orderedKey() == Decimal128().orderedKey())
      #expect(number.hashValue == Decimal128().hashValue)
      #expect(number.stringValue == "0")
      #expect(number.decimalValue == 0)
    }
  }
}
