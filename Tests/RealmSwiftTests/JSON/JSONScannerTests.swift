import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct JSONScannerTests {
  private func number(_ text: String) throws -> (integer: Int64?, double: Double?) {
    try Array(text.utf8).withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes, at: 0, isComplete: true)
      let number = try scanner.number()
      #expect(scanner.position == bytes.count && number.text == text)
      return (number.integer, number.double)
    }
  }

  private func expectSame(_ text: String, _ seed: String = "") throws {
    let found = try number(text)
    let wanted = Double(text)!
    #expect(found.double?.bitPattern == (wanted.isFinite ? wanted.bitPattern : nil), "\(text) \(seed)")
    #expect(found.integer == Int64(text), "\(text) \(seed)")
  }

  @Test func numbersAtTheEdges() throws {
    for text in [
      "0", "-0", "-0.0", "1", "-1", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
      "-9223372036854775809", "18446744073709551615", "18446744073709551616", "9007199254740992",
      "9007199254740993", "9007199254740993.0", "1e22", "1e23", "123456789012345678901234567890", "1e308",
      "1e309",
      "-1e400", "5e-324", "2e-324", "1E+5", "1e-22", "1e-23", "0.1", "0.30000000000000004", "8.41", "3.0e0",
      "1e99999999999999999999", "0e99999999999999999999", "0.000000000000000000000000000000000000000001",
      "2.2250738585072011e-308", "0.00000000000000000000000000000000000000000000001e47",
    ] { try expectSame(text) }
  }

  @Test func thePointMayBeFarAway() throws {
    let zeros = String(repeating: "0", count: 999_999)
    try expectSame("0.\(zeros)1e1000000")
    try expectSame("1\(zeros)e-999999")
    try expectSame("0.\(zeros)e10000000")
    #expect(try number("0.\(zeros)1e10000000").double == nil)
    #expect(try number("1e-99999999999999999999999999").double == 0)
  }

  @Test func randomNumbers() throws {
    var generator = SeededGenerator(seed: 22)
    func digits(_ range: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: range, using: &generator)).map { _ in
          "0123456789".randomElement(using: &generator)!
        })
    }
    for step in 0..<40_000 {
      var text = Bool.random(using: &generator) ? "-" : ""
      let whole = digits(1...(step % 3 == 0 ? 25 : 9))
      text += String(Int(whole.prefix(1))!) == "0" ? "0" : whole
      if Bool.random(using: &generator) { text += "." + digits(1...(step % 5 == 0 ? 25 : 6)) }
      if Int.random(in: 0..<3, using: &generator) == 0 {
        text += ["e", "E", "e-", "e+"].randomElement(using: &generator)! + digits(1...3)
      }
      try expectSame(text, "seed 22, step \(step)")
    }
    for step in 0..<20_000 {
      let number = Double(bitPattern: UInt64.random(in: .min ... .max, using: &generator))
      if number.isFinite { try expectSame("\(number)", "seed 22, step \(step)") }
    }
  }

  @Test func textsInPieces() throws {
    let text = #""a\u00e9\ud83d\ude00\n\/é日😀 ""#
    let bytes = Array(text.utf8)
    for cut in 0..<bytes.count {
      bytes[..<cut].withUnsafeBytes { piece in
        var scanner = JSONScanner(UnsafeRawBufferPointer(piece), at: 0, isComplete: false)
        #expect(throws: JSONScanner.NeedsMore.self) { try scanner.text() }
      }
    }
    let whole = try bytes.withUnsafeBytes { bytes -> String in
      var scanner = JSONScanner(bytes, at: 0, isComplete: true)
      return try scanner.string()
    }
    #expect(whole == "aé😀\n/é日😀 ")
  }
}
