import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

struct DecimalTextTests {
  @Test(arguments: [
    ("89470000000000001234", "89470000000000001234"), ("-89470000000000001234", "-89470000000000001234"),
    ("0.5", "0.5"), ("1.50", "1.5"), ("-0.00012", "-0.00012"), ("1E20", "100000000000000000000"),
    ("1234567890123456789012.345678", "1234567890123456789012.345678"), ("0", "0"), ("0.000", "0"),
    ("9999999999999999999999999999999999", "9999999999999999999999999999999999"),
    ("1E33", "1000000000000000000000000000000000"), ("1E34", "1E34"), ("12E40", "1.2E41"),
    ("1E-34", "0.0000000000000000000000000000000001"), ("12.5E-40", "1.25E-39"), ("1E6111", "1E6111"),
    ("NaN", "NaN"), ("Inf", "Inf"), ("-Inf", "-Inf"),
  ]) func decimalsAreWrittenInPlainDigitsWhereTheyFit(number: String, text: String) throws {
    #expect(DecimalText.text(try Decimal128(string: number)) == text)
  }

  @Test func everyTextIsReadAsTheSameNumber() throws {
    var generator = SeededGenerator(printing: TestLength.seeds([4_411], short: 1)[0])
    for _ in 0..<2000 {
      let digits = (0..<Int.random(in: 1...34, using: &generator)).map { _ in
        String(Int.random(in: 0...9, using: &generator))
      }.joined()
      let exponent = Int.random(in: -60...60, using: &generator)
      let number = try Decimal128(string: "\(Bool.random(using: &generator) ? "-" : "")\(digits)E\(exponent)")
      let text = DecimalText.text(number)
      #expect(try Decimal128(string: text) == number, "\(digits)E\(exponent): \(text)")
      guard case .decimal128(let stored)? = ValueText.value(text, of: .decimal128) else {
        Issue.record("\(text) is no decimal")
        continue
      }
      #expect(Decimal128(stored: stored) == number, "\(text)")
    }
  }
}
