import TestSupport
import Testing

@testable import RealmSwift
@testable import RealmTool

/// Numbers and dates that are written to bytes are those that Swift's texts have.
struct PlainCellTests {
  private func text(_ body: (inout [UInt8]) -> Void) -> String {
    var bytes = Array("x".utf8)
    body(&bytes)
    return String(decoding: bytes.dropFirst(), as: UTF8.self)
  }

  @Test func integersAreTheirDescriptions() {
    var generator = SeededGenerator(printing: 71)
    var numbers: [Int64] = [0, -1, .min, .max, 10, -10]
    for _ in 0..<2_000 {
      numbers.append(
        Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0..<64, using: &generator))
    }
    for number in numbers { #expect(text { NumberText.append(number, to: &$0) } == "\(number)") }
  }

  @Test func doublesAreTheirDescriptions() {
    var generator = SeededGenerator(printing: 72)
    var numbers: [Double] = [
      0, -0.0, 1, -1, 0.1, 0.001, 0.0001, 0.1 + 0.2, 1e9, 1e9 - 0.1, 999_999_999.9999, 1e16, 1e-5,
      .leastNonzeroMagnitude,
      .greatestFiniteMagnitude, 12.34, 100, 0.0010000000000000002,
    ]
    for _ in 0..<5_000 {
      let power = [1.0, 10, 100, 1000, 1e4, 1e5, 1e7].randomElement(using: &generator)!
      numbers.append(Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &generator)) / power)
      let bits = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &generator))
      if bits.isFinite { numbers.append(bits) }
      numbers.append(numbers.last!.nextUp)
    }
    for number in numbers where number.isFinite {
      #expect(text { NumberText.append(number, to: &$0) } == "\(number)")
    }
  }

  @Test func datesAreReadAsTheyWereWritten() {
    var generator = SeededGenerator(printing: 73)
    for _ in 0..<3_000 {
      let scale = [1.0, 1e3, 1e6].randomElement(using: &generator)!
      let seconds =
        Double(Int64.random(in: -100_000_000_000_000...100_000_000_000_000, using: &generator)) / scale
      let written = text { DateText.append(seconds, to: &$0) }
      #expect(DateText.seconds(written) == seconds, "\(written)")
    }
    for (seconds, expected) in [
      (0.0, "2001-01-01T00:00:00Z"), (-0.5, "2000-12-31T23:59:59.500Z"),
      (0.000001, "2001-01-01T00:00:00.000001Z"),
      (-978_307_200, "1970-01-01T00:00:00Z"), (1e12, "+033689-09-27T01:46:40Z"), (1e13, "@10000000000000.0"),
      (-1e11, "-001168-02-16T14:13:20Z"),
    ] { #expect(text { DateText.append(seconds, to: &$0) } == expected) }
  }
}
