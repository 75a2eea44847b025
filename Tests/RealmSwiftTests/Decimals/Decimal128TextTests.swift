import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct Decimal128TextTests {
  @Test(arguments: [
    // Exponent zero: plain integers.
    ("0", "0"), ("-0", "-0"), ("1", "1"), ("+1", "1"), ("-1", "-1"), ("007", "7"), ("5.", "5"),
    ("56700000000", "56700000000"), ("18446744073709551615", "18446744073709551615"),
    // Fractions.
    ("11.11111", "11.11111"), ("11.1111100", "11.11111"), ("-1.0", "-1"), ("1.50", "1.5"),
    ("10.0", "10"), ("100.010", "100.01"), ("1.000000", "1"), ("-3.14159", "-3.14159"),
    // Exponents: at least one digit stays before the point.
    ("15E1", "1.5E2"), ("15e+1", "1.5E2"), ("1E-3", "1E-3"), (".5", "5E-1"), ("0.1", "1E-1"), ("1E2", "1E2"),
    ("123E-5", "1.23E-3"), ("-0.00123", "-1.23E-3"), ("1000E2", "1E5"), ("100E-5", "1E-3"),
    ("120E10", "1.2E12"), ("0.000000001", "1E-9"), ("18446744073709551615E1", "1.8446744073709551615E20"),
    ("12345E-3", "12.345"), ("12345E-4", "1.2345"), ("12345E-5", "1.2345E-1"),
    // Zeros keep their exponent.
    ("0.0", "0E-1"), ("0.00", "0E-2"), ("0E5", "0E5"), ("-0E-7", "-0E-7"), ("0E99999", "0E6111"),
    // More than 64 bits: sign, coefficient and exponent as they are stored.
    ("18446744073709551616", "+18446744073709551616E+0"),
    ("1234567890123456789012E-5", "+1234567890123456789012E-5"),
    ("-12345678901234567.89012", "-1234567890123456789012E-5"),
    ("-100000000000000000000.0", "-1000000000000000000000E-1"),
    ("9999999999999999999999999999999999E6111", "+9999999999999999999999999999999999E+6111"),
    // Infinities and NaN.
    ("Inf", "Inf"), ("inf", "Inf"), ("+INF", "Inf"), ("-inf", "-Inf"), ("Infinity", "Inf"),
    ("-infinity", "-Inf"), ("1E6145", "Inf"), ("-1E6145", "-Inf"), ("1E99999999999999999999", "Inf"),
    ("NaN", "NaN"), ("nan", "NaN"), ("-nan", "NaN"), ("snan", "NaN"),
    // Blanks and tabs before the number.
    ("  1", "1"), ("\t-2", "-2"), (" inf", "Inf"),
  ])
  func textForm(text: String, expected: String) throws {
    let number = try Decimal128(string: text)
    #expect(number.stringValue == expected)
    #expect(number.description == expected)
    #expect("\(number)" == expected)
    #expect(Decimal128(stringLiteral: text).stringValue == expected)
    #expect(Decimal128(value: text).stringValue == expected)
    #expect(try Decimal128(string: expected) == number)
  }

  @Test(arguments: [
    "", " ", "+", "-", ".", "-.", "abc", "12abc", "1 ", "1 2", "\n1", "1..2", "1.5.5", "--1", "+-1", "1E",
    "1E+",
    "E5", ".E5", "1E1.5", "1E 5", "0x10", "1_000", "1,5", "１", "1\0", "1\u{0}5", "infi", "infinityx", "nanx",
    "nan1", "Inf1", "1Inf", "½", "1e5e5", "é",
  ])
  func otherTextIsNaN(text: String) throws {
    let number = try Decimal128(string: text)
    #expect(number.isNaN)
    #expect(number == Decimal128(stringLiteral: "NaN"), "all NaNs made from text are equal")
  }

  @Test(arguments: [
    // 34 digits are kept, further ones rounded half even.
    ("1234567890123456789012345678901234", "+1234567890123456789012345678901234E+0"),
    ("12345678901234567890123456789012345", "+1234567890123456789012345678901234E+1"),
    ("12345678901234567890123456789012355", "+1234567890123456789012345678901236E+1"),
    ("123456789012345678901234567890123450001", "+1234567890123456789012345678901235E+5"),
    ("12345678901234567890123456789012344.9999", "+1234567890123456789012345678901234E+1"),
    ("99999999999999999999999999999999995", "+1000000000000000000000000000000000E+2"),
    ("99999999999999999999999999999999985", "+9999999999999999999999999999999998E+1"),
    ("0.1000000000000000000000000000000000499", "+1000000000000000000000000000000000E-34"),
    // Large exponents are reached by appending zeros.
    ("1E6111", "+1E+6111"), ("1E6112", "+10E+6111"),
    ("1E6144", "+1000000000000000000000000000000000E+6111"), ("12E6144", "+Inf"), ("-1E6145", "-Inf"),
    ("9.9999999999999999999999999999999995E6144", "+Inf"),
    ("9.9999999999999999999999999999999994E6144", "+9999999999999999999999999999999999E+6111"),
    // Subnormal numbers lose digits, again half even, down to zero.
    ("1E-6176", "+1E-6176"), ("1E-6177", "+0E-6176"), ("5E-6177", "+0E-6176"), ("-5E-6177", "-0E-6176"),
    ("5.1E-6177", "+1E-6176"), ("15E-6177", "+2E-6176"), ("25E-6177", "+2E-6176"), ("25.1E-6177", "+3E-6176"),
    ("1E-99999999999", "+0E-6176"), ("1.2345E-6174", "+123E-6176"),
    ("3.49999999999999999999999999999999999999999E-6176", "+3E-6176"),
    ("2.500000000000000000000000000000000000001E-6176", "+3E-6176"),
  ])
  func rounding(text: String, expected: String) throws {
    #expect(try Decimal128(string: text).bits.scientificText == expected)
  }

  @Test func manyDigits() throws {
    let sevens = String(repeating: "7", count: 5000)
    #expect(
      try Decimal128(string: sevens).stringValue == "+7777777777777777777777777777777778E+4966")
    #expect(try Decimal128(string: "0." + sevens).stringValue == "+7777777777777777777777777777777778E-34")
    #expect(try Decimal128(string: sevens + sevens).stringValue == "Inf")
    let zeros = String(repeating: "0", count: 5000)
    #expect(try Decimal128(string: zeros + "1").stringValue == "1")
    #expect(try Decimal128(string: "0." + zeros + "1").stringValue == "1E-5001")
    #expect(try Decimal128(string: "1." + zeros + "1") == 1)
    #expect(try Decimal128(string: "1." + zeros) == 1)
  }

  @Test func everyNumberReadsBackFromItsText() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5000 {
      let bits = BID128.random(using: &generator)
      let number = Decimal128(bits: bits)
      let again = try Decimal128(string: number.stringValue)
      #expect(again == number, "seed \(seed): \(bits.scientificText)")
      #expect(again.stringValue == number.stringValue, "seed \(seed): \(bits.scientificText)")
      let scientific = BID128(text: bits.scientificText)
      #expect(scientific.high == bits.high && scientific.low == bits.low, "seed \(seed): exact bits")
    }
  }

  @Test func randomFractionsPrintAsTheyWereWritten() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let whole = UInt32.random(in: 1...UInt32.max, using: &generator)
      // No zero at the end, which would be left out.
      let fraction = UInt32.random(in: 0...99_999_999, using: &generator) * 10 + 1
      let text = "\(Bool.random(using: &generator) ? "-" : "")\(whole).\(fraction)"
      #expect(try Decimal128(string: text).stringValue == text, "seed \(seed)")
    }
  }
}

extension BID128 {
  /// A finite number of random length, any exponent, either sign.
  static func random(using generator: inout SeededGenerator) -> BID128 {
    var limit: UInt128 = 10
    for _ in 0..<Int.random(in: 0...33, using: &generator) { limit *= 10 }
    return BID128(
      isNegative: Bool.random(using: &generator),
      exponent: Int.random(in: exponents, using: &generator),
      coefficient: UInt128.random(in: 0..<limit, using: &generator))
  }
}
