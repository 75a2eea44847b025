import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct Decimal128ArithmeticTests {
  @Test(arguments: decimal128Vectors)
  func agreesWithAnotherImplementation(vector: String) throws {
    let words = vector.split(separator: " ").map(String.init)
    try #require(words.count == 5)
    let lhs = try Decimal128(string: words[0])
    let rhs = try Decimal128(string: words[2])
    let result =
      switch words[1] {
      case "+": lhs + rhs
      case "-": lhs - rhs
      case "*": lhs * rhs
      default: lhs / rhs
      }
    #expect(result.bits.scientificText == words[4])
  }

  @Test func operators() {
    let a: Decimal128 = 1.1
    let b: Decimal128 = 2.2
    #expect((a + b).stringValue == "3.3")
    #expect((b - a).stringValue == "1.1")
    #expect((a * b).stringValue == "2.42")
    #expect((b / a).stringValue == "2")
    #expect(b.distance(to: a) == -1.1)
    #expect(a.advanced(by: b) == 3.3)
    #expect(a.advanced(by: a.distance(to: b)) == b)
    let stride: Decimal128.Stride = 1
    let magnitude: Decimal128.Magnitude = stride
    #expect(magnitude == 1)
  }

  @Test func compoundAssignmentLeavesTheOldInstanceAlone() {
    var number: Decimal128 = 10
    let old = number
    number += 5
    #expect(number == 15)
    number -= 1
    #expect(number == 14)
    number *= 2
    #expect(number == 28)
    #expect(old == 10)
  }

  @Test func worksAsANumericType() {
    func total<T: Numeric>(_ numbers: [T]) -> T { numbers.reduce(.zero, +) }
    #expect(total(["0.1", "0.2", "0.3"] as [Decimal128]) == 0.6)
  }

  @Test func divisionByZeroDoesNotTrap() {
    let zero: Decimal128 = 0
    #expect((1 / zero).stringValue == "Inf")
    #expect((-1 / zero).stringValue == "-Inf")
    #expect((zero / zero).isNaN)
    #expect(zero / zero == Decimal128("NaN"))
  }

  @Test func overflowBecomesInfinite() {
    #expect((Decimal128.max * 2).stringValue == "Inf")
    #expect((Decimal128.min * 2).stringValue == "-Inf")
    #expect(Decimal128.max + 1 == .max)
    #expect((Decimal128.max + Decimal128.max).stringValue == "Inf")
  }

  @Test func subnormalNumbersAreGradual() {
    let smallest: Decimal128 = "1E-6176"
    #expect(smallest / 2 == 0)
    #expect((smallest * 1.5).bits.scientificText == "+2E-6176")
    #expect((smallest * 2.5).bits.scientificText == "+2E-6176")
    #expect((smallest + smallest).bits.scientificText == "+2E-6176")
    #expect("1E-6143" - smallest != ("1E-6143" as Decimal128))
  }

  // MARK: Random operands

  @Test func sumsAndProductsAgreeWithFoundation() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    // 16 digits each, exponents no more than 16 apart: all results are exact in both types.
    func operand() -> (Decimal128, Decimal) {
      let coefficient = Int64.random(in: -9_999_999_999_999_999...9_999_999_999_999_999, using: &generator)
      let exponent = Int.random(in: -8...8, using: &generator)
      let foundation = Decimal(
        sign: coefficient < 0 ? .minus : .plus, exponent: exponent,
        significand: Decimal(coefficient.magnitude))
      return (Decimal128(stringLiteral: "\(coefficient)E\(exponent)"), foundation)
    }
    for _ in 0..<3000 {
      let (a, x) = operand()
      let (b, y) = operand()
      #expect(a.decimalValue == x, "seed \(seed): \(a)")
      #expect((a + b).decimalValue == x + y, "seed \(seed): \(a) + \(b)")
      #expect((a - b).decimalValue == x - y, "seed \(seed): \(a) - \(b)")
      #expect((a * b).decimalValue == x * y, "seed \(seed): \(a) * \(b)")
      #expect((a < b) == (x < y), "seed \(seed): \(a) < \(b)")
      #expect((a == b) == (x == y), "seed \(seed): \(a) == \(b)")
    }
  }

  @Test func quotientsAgreeWithLongDivision() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      // Lengths vary, so that many quotients end before the 34th digit and many do not.
      let dividend = UInt64.random(
        in: 1...(UInt64.max >> UInt64.random(in: 0...63, using: &generator)), using: &generator)
      let divisor = UInt64.random(
        in: 1...(UInt64.max >> UInt64.random(in: 0...63, using: &generator)), using: &generator)
      let quotient = Decimal128(value: dividend) / Decimal128(value: divisor)
      #expect(
        quotient == Decimal128(bits: longDivision(dividend, by: divisor)),
        "seed \(seed): \(dividend) / \(divisor)")
    }
  }

  /// The quotient to 34 digits, ties to even, one digit at a time.
  private func longDivision(_ dividend: UInt64, by divisor: UInt64) -> BID128 {
    var (digits, remainder) = UInt128(dividend).quotientAndRemainder(dividingBy: UInt128(divisor))
    var exponent = 0
    while remainder != 0 && digits <= BID128.largestCoefficient / 10 {
      let (digit, rest) = (remainder * 10).quotientAndRemainder(dividingBy: UInt128(divisor))
      if digits * 10 + digit > BID128.largestCoefficient { break }
      digits = digits * 10 + digit
      remainder = rest
      exponent -= 1
    }
    if remainder * 2 > divisor || (remainder * 2 == divisor && digits % 2 == 1) { digits += 1 }
    return BID128(isNegative: false, exponent: exponent, coefficient: digits)
  }

  @Test func roundingOfWideSumsIsHalfEven() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    // Two operands of 34 digits whose sum has 35: the last digit is rounded away.
    for _ in 0..<3000 {
      let range = (BID128.largestCoefficient / 2 + 1)...BID128.largestCoefficient
      let a = UInt128.random(in: range, using: &generator)
      let b = UInt128.random(in: range, using: &generator)
      let (tens, last) = (a + b).quotientAndRemainder(dividingBy: 10)
      let expected = last > 5 || (last == 5 && tens % 2 == 1) ? tens + 1 : tens
      let sum =
        BID128(isNegative: false, exponent: 3, coefficient: a)
        + BID128(isNegative: false, exponent: 3, coefficient: b)
      #expect(sum.coefficient == expected && sum.exponent == 4, "seed \(seed): \(a) + \(b)")
    }
  }

  @Test func arithmeticUnderTheNamesOfObjectiveC() {
    let (left, right): (Decimal128, Decimal128) = (7.5, 2)
    #expect(left.decimalNumber(byAdding: right) == 9.5)
    #expect(left.decimalNumber(bySubtracting: right) == 5.5)
    #expect(left.decimalNumber(byMultiplyingBy: right) == 15)
    #expect(left.decimalNumber(byDividingBy: right) == 3.75)
    #expect(left.decimalNumberByMultiplying(by: right) == 15)
    #expect(left.decimalNumberByDividing(by: right) == 3.75)
    var quotient = left
    quotient /= right
    #expect(quotient == 3.75 && left == 7.5)
  }
}
