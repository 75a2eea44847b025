/// A number of JSON.
package struct ScannedNumber {
  /// As it stands in the bytes.
  package let bytes: UnsafeRawBufferPointer
  /// Its digits without the point, as far as 64 bits hold them.
  fileprivate let digits: UInt64
  /// The power of ten that the digits are to be multiplied by.
  fileprivate let exponent: Int
  fileprivate let isNegative: Bool
  /// Whether all digits are in `digits`.
  fileprivate let hasAllDigits: Bool
  /// Whether it has neither decimals nor an exponent.
  package let isInteger: Bool

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Nil for numbers with decimals or an exponent, and those that 64 bits do not hold.
  package var integer: Int64? {
    guard isInteger, hasAllDigits else { return nil }
    if !isNegative { return Int64(exactly: digits) }
    return digits <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- digits) : nil
  }

  /// The nearest number; nil where that is infinite.
  package var double: Double? {
    // One operation on two exact numbers rounds once, as it should (Clinger, How to Read Floating Point Numbers Accurately).
    if hasAllDigits, digits <= 1 << 53, -22...22 ~= exponent {
      let power = Self.powers[abs(exponent)]
      let magnitude = exponent < 0 ? Double(digits) / power : Double(digits) * power
      return isNegative ? -magnitude : magnitude
    }
    guard let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// The powers of ten that doubles hold exactly.
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
    1e20, 1e21, 1e22,
  ]
}

extension JSONScanner {
  /// The number whose first character is the next byte: a digit or a minus sign.
  package mutating func number() throws -> ScannedNumber {
    let start = position
    var reader = NumberReader(bytes, at: start)
    let isNumber = reader.read()
    // More digits may come.
    if reader.position == bytes.count && !isComplete { throw NeedsMore() }
    guard isNumber, reader.position == bytes.count || !NumberReader.mayContinue(bytes[reader.position]) else {
      throw noNumber(from: start)
    }
    position = reader.position
    return ScannedNumber(
      bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<position]), digits: reader.digits,
      exponent: reader.exponent, isNegative: reader.isNegative, hasAllDigits: reader.hasAllDigits,
      isInteger: reader.isInteger)
  }

  /// What is wrong with what looks like a number.
  private func noNumber(from start: Int) -> any Error {
    var end = start
    while end < bytes.count, NumberReader.mayContinue(bytes[end]) { end += 1 }
    if end == bytes.count && !isComplete { return NeedsMore() }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    if digits.first == UInt8(ascii: "0"), let second = digits.dropFirst().first, 48...57 ~= second {
      return fault("the number \(text.shortened) begins with 0", at: start)
    }
    return fault("'\(text.shortened)' is no number", at: start)
  }
}

/// Goes through the characters of a number.
private struct NumberReader {
  private let bytes: UnsafeRawBufferPointer
  private(set) var position: Int
  private(set) var digits: UInt64 = 0
  private(set) var exponent = 0
  private(set) var isNegative = false
  private(set) var hasAllDigits = true
  private(set) var isInteger = true

  init(_ bytes: UnsafeRawBufferPointer, at position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// Whether a character can be one of a number.
  static func mayContinue(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Goes as far as the characters are those of a number. Returns whether they are a whole one.
  mutating func read() -> Bool {
    if next == UInt8(ascii: "-") {
      isNegative = true
      position += 1
    }
    if next == UInt8(ascii: "0") {
      position += 1
    } else if readDigits() == 0 {
      return false
    }
    if next == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      let count = readDigits()
      if count == 0 { return false }
      exponent = -count
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      return readExponent()
    }
    return true
  }

  /// Adds digits to those before. Returns how many there are.
  private mutating func readDigits() -> Int {
    let start = position
    while position < bytes.count {
      let digit = bytes[position] &- UInt8(ascii: "0")
      if digit > 9 { break }
      // Below, ten times as much and a digit fit.
      if digits < UInt64.max / 10 { digits = digits &* 10 &+ UInt64(digit) } else { addLastDigit(digit) }
      position += 1
    }
    return position - start
  }

  private mutating func addLastDigit(_ digit: UInt8) {
    let (tenfold, overflows) = digits.multipliedReportingOverflow(by: 10)
    let (sum, isTooMuch) = tenfold.addingReportingOverflow(UInt64(digit))
    if overflows || isTooMuch { hasAllDigits = false } else { digits = sum }
  }

  private mutating func readExponent() -> Bool {
    var sign = 1
    if next == UInt8(ascii: "-") {
      sign = -1
      position += 1
    } else if next == UInt8(ascii: "+") {
      position += 1
    }
    let start = position
    var number = 0
    while position < bytes.count {
      let digit = bytes[position] &- UInt8(ascii: "0")
      if digit > 9 { break }
      // The point may be as far away as the text is long: what 64 bits hold of the exponent is not enough then.
      if number < 1 << 59 { number = number * 10 + Int(digit) } else { hasAllDigits = false }
      position += 1
    }
    exponent += sign * number
    return position > start
  }
}
