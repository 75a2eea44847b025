import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct Decimal128ConversionTests {
  // MARK: From other types

  @Test func valuesOfEveryNumericType() {
    let expectations: [(Any, String)] = [
      (Int(-5), "-5"), (Int8.min, "-128"), (Int16.max, "32767"), (Int32.min, "-2147483648"),
      (Int64.min, "-9223372036854775808"), (Int64.max, "9223372036854775807"),
      (UInt8.max, "255"), (UInt16.max, "65535"), (UInt32.max, "4294967295"),
      (UInt64.max, "18446744073709551615"), (UInt(7), "7"),
      (Int128.max, "+1701411834604692317316873037158841E+5"),
      (Float(3.14), "3.14"), (Float(0.1), "1E-1"), (Float.greatestFiniteMagnitude, "3.4028235E38"),
      (Double(3.14159), "3.14159"), (0.1, "1E-1"), (-2.0, "-2"), (1e16, "1E16"), (1e300, "1E300"),
      (Double.leastNonzeroMagnitude, "5E-324"), (Double.greatestFiniteMagnitude, "1.7976931348623157E308"),
      (-0.0, "-0"), (Double.infinity, "Inf"), (-Double.infinity, "-Inf"), (Double.nan, "NaN"),
      (-Double.nan, "NaN"), (Double.signalingNaN, "NaN"), (CGFloat(2.5), "2.5"),
      (true, "1"), (false, "0"),
      (Decimal(string: "12.3456")!, "12.3456"), (Decimal.nan, "NaN"),
      (NSDecimalNumber(string: "-0.001"), "-1E-3"), (NSDecimalNumber.notANumber, "NaN"),
      (NSNumber(value: 17), "17"), (NSNumber(value: 2.75), "2.75"), (NSNumber(value: Float(0.3)), "3E-1"),
      (NSNumber(value: UInt64.max), "18446744073709551615"), (NSNumber(value: true), "1"),
      ("-17.5", "-17.5"), (NSString(string: "17.5"), "17.5"), ("no number", "NaN"), ("", "NaN"),
      (NSNull(), "NaN"), (Int?.none as Any, "NaN"), (Int?.some(3) as Any, "3"), (AnyHashable(4), "4"),
      (Decimal128(9), "9"),
    ]
    for (value, expected) in expectations {
      #expect(Decimal128(value: value).stringValue == expected, "\(value) of type \(type(of: value))")
    }
    #expect(Decimal128(value: Double.nan) == Decimal128("NaN"))
  }

  @Test func aCopyIsIndependentOfItsOriginal() {
    let original: Decimal128 = 9
    let copy = Decimal128(value: original)
    copy.negate()
    #expect(original == 9 && copy == -9)
  }

  @Test func valuesOfOtherTypesTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Decimal128(value: URL(fileURLWithPath: "/tmp"))
    }
    expectStop(result, saying: "Cannot convert value 'file:///tmp/' of type 'URL' to decimal128")
    await #expect(processExitsWith: .failure) { _ = Decimal128(value: [1, 2]) }
    await #expect(processExitsWith: .failure) { _ = Decimal128(value: Data()) }
    await #expect(processExitsWith: .failure) { _ = Decimal128(value: Optional(Date()) as Any) }
  }

  @Test func numbersFromNSNumber() {
    #expect(Decimal128(number: 0).stringValue == "0")
    #expect(Decimal128(number: NSNumber(value: Int64.min)).stringValue == "-9223372036854775808")
    #expect(Decimal128(number: NSNumber(value: UInt64.max)).stringValue == "18446744073709551615")
    #expect(Decimal128(number: NSNumber(value: 3.14159)) == 3.14159)
    #expect(Decimal128(number: NSNumber(value: 3.14159)).stringValue == "3.14159")
    #expect(Decimal128(number: NSNumber(value: Float(1.1))).stringValue == "1.1")
    #expect(Decimal128(number: NSNumber(value: 123456.0)).stringValue == "123456")
    #expect(
      Decimal128(number: NSDecimalNumber(string: "12345678901234567890.5")).stringValue
        == "+123456789012345678905E-1")
  }

  @Test func exactIntegers() {
    #expect(Decimal128(exactly: 5)?.stringValue == "5")
    #expect(Decimal128(exactly: Int8.min)?.stringValue == "-128")
    #expect(Decimal128(exactly: UInt64.max)?.stringValue == "18446744073709551615")
    let digits34: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999
    #expect(Decimal128(exactly: digits34)?.stringValue == "+9999999999999999999999999999999999E+0")
    #expect(Decimal128(exactly: digits34 + 1) == "1E34")
    #expect(Decimal128(exactly: digits34 + 2) == nil)
    #expect(Decimal128(exactly: Int128.min) == nil)
    #expect(Decimal128(exactly: -Int128(digits34))?.stringValue == "-9999999999999999999999999999999999E+0")
  }

  @Test func doublesBecomeTheirShortestDecimalAndComeBack() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5000 {
      let double = Double(bitPattern: generator.next())
      if double.isNaN { continue }
      let number = Decimal128(floatLiteral: double)
      #expect(number.doubleValue == double, "seed \(seed)")
      #expect(number == Decimal128(stringLiteral: "\(double)"), "seed \(seed)")
      #expect(
        number.bits.isInfinite || number.bits.coefficient < 100_000_000_000_000_000, "17 digits at most")
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
      if float.isNaN { continue }
      #expect(Float(Decimal128(value: float).stringValue.lowercased()) == float, "seed \(seed)")
    }
  }

  @Test func integersComeBack() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let integer = Int64(bitPattern: generator.next()) >> Int64.random(in: 0...63, using: &generator)
      #expect(Decimal128(value: integer).stringValue == String(integer), "seed \(seed)")
      #expect(Decimal128(integerLiteral: integer).decimalValue == Decimal(integer), "seed \(seed)")
      #expect(Decimal128(value: integer).doubleValue == Double(integer), "seed \(seed)")
    }
  }

  // MARK: To other types

  @Test(arguments: [
    ("0", 0), ("1.5", 1.5), ("-1.50", -1.5), ("0.1", 0.1), ("1E308", 1e308), ("1E309", .infinity),
    ("-1E309", -.infinity), ("1E-400", 0), ("5E-324", .leastNonzeroMagnitude), ("Inf", .infinity),
    ("-Inf", -.infinity),
    // Halfway between two doubles: to even.
    ("9007199254740993", 9_007_199_254_740_992), ("9007199254740995", 9_007_199_254_740_996),
    ("9007199254740993.000000000000000001", 9_007_199_254_740_994),
  ])
  func doubleValues(text: String, expected: Double) throws {
    #expect(try Decimal128(string: text).doubleValue == expected)
  }

  @Test func theDoubleOfNaNIsNaNAndZeroKeepsItsSign() {
    #expect(Decimal128("NaN").doubleValue.isNaN)
    #expect(Decimal128("-0").doubleValue.sign == .minus)
  }

  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("0E-6176", "0"), ("0E6111", "0"), ("1", "1"), ("-1.50", "-1.5"),
    ("1234567890123456789012345678901234", "1234567890123456789012345678901234"),
    ("-0.1234567890123456789012345678901234", "-0.1234567890123456789012345678901234"),
    ("18446744073709551616", "18446744073709551616"), ("1E34", "10000000000000000000000000000000000"),
    ("1.5E-10", "0.00000000015"),
  ])
  func decimalValues(text: String, expected: String) throws {
    #expect(try Decimal128(string: text).decimalValue.description == expected)
  }

  @Test func decimalValuesBeyondTheRangeOfDecimal() {
    #expect(Decimal128("NaN").decimalValue.isNaN)
    #expect(Decimal128("Inf").decimalValue.isNaN)
    #expect(Decimal128("-Inf").decimalValue.isNaN)
    #expect(Decimal128.max.decimalValue.isNaN)
    #expect(Decimal128("1E127").decimalValue == Decimal(sign: .plus, exponent: 127, significand: 1))
    #expect(
      Decimal128("3E160").decimalValue == Decimal(sign: .plus, exponent: 127, significand: 3) * pow(10, 33))
    #expect(Decimal128("1E166").decimalValue.isNaN)
    let smallest = Decimal(sign: .plus, exponent: -128, significand: 1)
    #expect(Decimal128("1E-128").decimalValue == smallest)
    #expect(Decimal128("15E-129").decimalValue == smallest * 2)
    #expect(Decimal128("25E-129").decimalValue == smallest * 2)
    #expect(Decimal128("-25.1E-129").decimalValue == -smallest * 3)
    #expect(Decimal128("5E-129").decimalValue == 0)
    #expect(Decimal128("6E-129").decimalValue == smallest)
    #expect(Decimal128("9999999999999999999999999999999999E-162").decimalValue == smallest)
    #expect(Decimal128("9999999999999999999999999999999999E-163").decimalValue == 0)
    #expect(Decimal128("9999999999999999999999999999999999E-164").decimalValue == 0)
    #expect(Decimal128("1E-6176").decimalValue == 0)
  }

  @Test func decimalsComeBack() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      let coefficient = UInt128.random(in: 0...BID128.largestCoefficient, using: &generator)
      let shift = UInt128.random(in: 0...112, using: &generator)
      let number = Decimal128(
        bits: BID128(
          isNegative: Bool.random(using: &generator), exponent: Int.random(in: -128...93, using: &generator),
          coefficient: coefficient >> shift))
      #expect(Decimal128(value: number.decimalValue) == number, "seed \(seed): \(number)")
      #expect(Decimal128(number: NSDecimalNumber(decimal: number.decimalValue)) == number, "seed \(seed)")
    }
  }

  // MARK: Codable

  @Test func encodesAString() throws {
    let numbers: [Decimal128] = [1.5, "1E-3", "NaN", "-Inf", "1234567890123456789012345678901234"]
    let data = try JSONEncoder().encode(numbers)
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"["1.5","1E-3","NaN","-Inf","+1234567890123456789012345678901234E+0"]"#)
    #expect(try JSONDecoder().decode([Decimal128].self, from: data) == numbers)
  }

  @Test(arguments: [
    (#""1.50""#, "1.5"), (#""no number""#, "NaN"), ("5", "5"),
    ("-9223372036854775808", "-9223372036854775808"),
    ("1.25", "1.25"), ("0.1", "1E-1"), ("1e300", "1E300"), ("18446744073709551616", "1.8446744073709552E19"),
  ])
  func decodesStringsAndNumbers(json: String, expected: String) throws {
    let decoded = try JSONDecoder().decode([Decimal128].self, from: Data("[\(json)]".utf8))
    #expect(decoded.map(\.stringValue) == [expected])
  }

  @Test(arguments: ["null", "true", "{}", "[]"])
  func decodesNothingElse(json: String) throws {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([String: Decimal128].self, from: Data("{\"price\": \(json)}".utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("expected dataCorrupted, got \(String(describing: error))")
      return
    }
    #expect(context.debugDescription == "Cannot convert value to Decimal128")
    #expect(context.codingPath.map(\.stringValue) == ["price"])
  }

  @Test func propertyListsRoundTrip() throws {
    let numbers: [Decimal128] = [0, -1.5, "1E6000"]
    let data = try PropertyListEncoder().encode(numbers)
    #expect(try PropertyListDecoder().decode([Decimal128].self, from: data) == numbers)
  }
}
