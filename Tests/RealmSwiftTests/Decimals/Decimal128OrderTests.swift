import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct Decimal128OrderTests {
  /// Groups of equal numbers in ascending order.
  static let ascending: [[Decimal128]] = [
    ["NaN", "no number"],
    ["-Inf"],
    [.min],
    ["-1E6111", "-10E6110", "-1000000000000000000000000000000000E6078"],
    ["-2"],
    ["-1.000000000000000000000000000000001"],
    [-1, "-1.0", "-10E-1", "-1.000000000000000000000000000000000"],
    ["-0.9999999999999999999999999999999999"],
    ["-1E-6175", "-10E-6176"],
    ["-1E-6176"],
    [0, "-0", "0.00", "0E6111", "-0E-6176"],
    ["1E-6176"],
    ["1E-6175", "10E-6176"],
    ["1E-6143"],
    [0.1, "0.10", "0.1000000000000000000000000000000000"],
    ["0.9999999999999999999999999999999999"],
    [1, 1.0, "1.00", "0.1E1", "1000E-3"],
    ["1.000000000000000000000000000000001"],
    [2],
    [9, "9.0"],
    [10, "1E1", "10.0"],
    ["9999999999999999999999999999999999"],
    ["1E34", "10E33", "1000000000000000000000000000000000E1"],
    [.max],
    ["Inf"],
  ]

  @Test func numbersOfDifferentValueAreOrdered() {
    for (i, lower) in Self.ascending.enumerated() {
      for (j, upper) in Self.ascending.enumerated() {
        for lhs in lower {
          for rhs in upper {
            #expect((lhs == rhs) == (i == j), "\(lhs) == \(rhs)")
            #expect((lhs != rhs) == (i != j), "\(lhs) != \(rhs)")
            #expect((lhs < rhs) == (i < j), "\(lhs) < \(rhs)")
            #expect((lhs <= rhs) == (i <= j), "\(lhs) <= \(rhs)")
            #expect((lhs > rhs) == (i > j), "\(lhs) > \(rhs)")
            #expect((lhs >= rhs) == (i >= j), "\(lhs) >= \(rhs)")
            #expect((lhs.orderedKey() == rhs.orderedKey()) == (i == j), "keys of \(lhs) and \(rhs)")
            #expect((lhs.orderedKey() < rhs.orderedKey()) == (i < j), "keys of \(lhs) and \(rhs)")
          }
        }
      }
    }
  }

  @Test func equalNumbersHashEqually() {
    for group in Self.ascending {
      #expect(Set(group).count == 1)
      #expect(Set(group.map(\.hashValue)).count == 1)
    }
    #expect(Set(Self.ascending.joined()).count == Self.ascending.count)
  }

  @Test func sortingPutsNaNFirst() {
    let numbers: [Decimal128] = [3, "NaN", -1, "Inf", 2.5, "-Inf"]
    #expect(numbers.sorted().map(\.stringValue) == ["NaN", "-Inf", "-1", "2.5", "3", "Inf"])
    #expect(numbers.max()?.stringValue == "Inf")
  }

  @Test func differentNaNsDiffer() {
    let quiet = BID128.nan
    let others = [
      BID128(high: 0xFC00 << 48, low: 0), BID128(high: 0x7E00 << 48, low: 0),
      BID128(high: 0x7C00 << 48, low: 1), BID128(high: 0x7C00 << 48 | 1, low: 0),
      BID128(high: 0xFE00 << 48 | 0x3FFF_FFFF_FFFF, low: .max),
    ]
    let all = ([quiet] + others).map { Decimal128(bits: $0) }
    for (i, lhs) in all.enumerated() {
      for (j, rhs) in all.enumerated() {
        #expect((lhs == rhs) == (i == j))
        #expect((lhs < rhs || rhs < lhs) == (i != j), "the order is total")
        #expect((lhs.orderedKey() < rhs.orderedKey()) == (lhs < rhs))
      }
      #expect(lhs < "-Inf")
      #expect(lhs.orderedKey() < Decimal128("-Inf").orderedKey())
      #expect(Decimal128(bits: lhs.bits).hashValue == lhs.hashValue)
    }
  }

  @Test func keysOrderRandomNumbersAsTheComparisonDoes() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5000 {
      let a = BID128.random(using: &generator)
      var b = BID128.random(using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: b = a.negated
      case 1: b = a * (Bool.random(using: &generator) ? BID128(text: "1.000") : BID128(text: "1.001"))
      case 2: b = a + BID128(isNegative: false, exponent: a.exponent, coefficient: 1)
      default: break
      }
      let (first, second) = (a.orderedKey, b.orderedKey)
      #expect((first < second) == (a < b), "seed \(seed): \(a.scientificText) < \(b.scientificText)")
      #expect((first == second) == (a == b), "seed \(seed): \(a.scientificText) == \(b.scientificText)")
      if a == b { #expect(a.hashValue == b.hashValue, "seed \(seed): \(a.scientificText)") }
    }
  }

  @Test func numbersWithTheSameValueShareKeyAndHash() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let shift = UInt64.random(in: 0...63, using: &generator)
      var coefficient = UInt128(UInt64.random(in: 0...UInt64.max, using: &generator) >> shift)
      let exponent = Int.random(in: -6000...6000, using: &generator)
      let number = Decimal128(bits: BID128(isNegative: false, exponent: exponent, coefficient: coefficient))
      for appended in 1...14 {
        coefficient *= 10
        let longer = Decimal128(
          bits: BID128(isNegative: false, exponent: exponent - appended, coefficient: coefficient))
        #expect(longer == number, "seed \(seed): \(number)")
        #expect(longer.orderedKey() == number.orderedKey(), "seed \(seed): \(number)")
        #expect(longer.hashValue == number.hashValue, "seed \(seed): \(number)")
      }
    }
  }

  @Test func comparesUnderTheNamesOfObjectiveC() {
    let (one, two, again): (Decimal128, Decimal128, Decimal128) = (1, 2, "1.0")
    #expect(one.isLessThan(two) && !two.isLessThan(one) && !one.isLessThan(again))
    #expect(one.isLessThanOrEqual(to: again) && one.isLessThanOrEqual(to: two))
    #expect(!two.isLessThanOrEqual(to: one))
    #expect(two.isGreaterThan(one) && !one.isGreaterThan(two) && !one.isGreaterThan(again))
    #expect(one.isGreaterThanOrEqual(to: again) && two.isGreaterThanOrEqual(to: one))
    #expect(!one.isGreaterThanOrEqual(to: two))
  }

  @Test func comparesWithOtherNumbersByValue() {
    let number: Decimal128 = 1.5
    #expect(number.isEqual(Decimal128("1.50")))
    #expect(number.isEqual(NSNumber(value: 1.5)))
    #expect(number.isEqual(NSNumber(value: Float(1.5))))
    #expect(number.isEqual(NSDecimalNumber(string: "1.5")))
    #expect(number.isEqual(1.5))
    #expect(Decimal128(2).isEqual(2))
    #expect(Decimal128(2).isEqual(NSNumber(value: 2)))
    #expect(!number.isEqual(NSNumber(value: 1)))
    #expect(!number.isEqual(2))
    #expect(!number.isEqual("1.5"))
    #expect(!number.isEqual(nil))
    #expect(!number.isEqual(Date()))
    #expect(!Decimal128("NaN").isEqual(NSNull()))
  }
}
