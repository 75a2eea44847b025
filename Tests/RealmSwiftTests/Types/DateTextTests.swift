import Foundation
import TestSupport
import Testing

@testable import RealmSwift

struct DateTextTests {
  @Test func knownDates() {
    for (seconds, text) in [
      (0, "2001-01-01T00:00:00Z"), (-978_307_200, "1970-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.500Z"),
      (-0.25, "2000-12-31T23:59:59.750Z"), (737_942_400.123456, "2024-05-21T00:00:00.123456Z"),
      (-63_113_904_000, "0001-01-01T00:00:00Z"), (-63_145_612_800, "-000001-12-31T00:00:00Z"),
      (252_423_993_600, "+010000-01-01T00:00:00Z"), (.infinity, "@inf"), (1e15, "@1000000000000000.0"),
    ] as [(Double, String)] {
      #expect(DateText.text(seconds) == text)
      #expect(DateText.seconds(text) == seconds)
    }
    for (text, seconds) in [
      ("2001-01-01", 0), ("2001-01-01 00:01", 60), ("2001-01-01T01:00:00+01:00", 0),
      ("2001-01-01T00:00:00-0130", 5400),
    ] as [(String, Double)] {
      #expect(DateText.seconds(text) == seconds, "\(text)")
    }
    for text in [
      "", "2001", "2001-13-01", "2001-02-30", "2001-01-01T", "2001-01-01T25:00:00", "2001-01-01T00:00:00x",
      "01-01-2001",
    ] {
      #expect(DateText.seconds(text) == nil, "\(text)")
    }
  }

  /// What no 15 decimals say is written as the number that it is.
  @Test func smallFractions() {
    for seconds in [1e-17, -1e-17, 0.1 + 1e-17, .leastNonzeroMagnitude, 1.0 / 3 / 1024, -0.1 / 3] {
      #expect(DateText.seconds(DateText.text(seconds)) == seconds, "\(seconds)")
    }
    #expect(DateText.text(1e-17) == "@1e-17")
  }

  /// As Foundation writes them, and back to the same number.
  @Test func randomDates() {
    var generator = SeededGenerator(seed: 7)
    let formatter = ISO8601DateFormatter()
    for _ in 0..<5000 {
      // Before 1583 Foundation counts by another calendar than ISO 8601.
      let whole = Double(Int.random(in: -13_000_000_000...200_000_000_000, using: &generator))
      #expect(DateText.text(whole) == formatter.string(from: Date(timeIntervalSinceReferenceDate: whole)))
      let date = whole / 40 + Double.random(in: 0..<1, using: &generator)
      #expect(DateText.seconds(DateText.text(date)) == date)
    }
  }
}
