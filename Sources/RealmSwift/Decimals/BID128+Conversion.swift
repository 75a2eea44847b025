import Foundation

extension BID128 {
  /// Converts a value of any numeric type, a string, null or nil; nil for values of other types.
  init?(converting value: Any) {
    if let bits = BID128(anyNumber: value) {
      self = bits
    } else if let text = value as? String {
      self.init(text: text)
    } else if value is NSNull {
      self = .nan
    } else if case let optional as any OptionalValue = value, optional.isNil {
      self = .nan
    } else {
      return nil
    }
  }

  /// Converts a value of any numeric type; nil for values of other types.
  init?(anyNumber value: Any) {
    // Swift's own types come before the class NSNumber, to which a cast might bridge them.
    switch value {
    case let value as Decimal128: self = value.bits
    case let value as any BinaryInteger: self.init(value)
    case let value as any BinaryFloatingPoint: self.init(value)
    case let value as NSNumber: self.init(value)
    case let value as Decimal: self.init(value)
    case let value as Bool: self.init(value ? 1 : 0 as Int64)
    default: return nil
    }
  }

  /// Converts an integer of any type, rounded to 34 digits.
  init(_ value: some BinaryInteger) {
    var isExact = true
    self.init(integer: value, isExact: &isExact)
  }

  /// Converts an integer of any type and tells whether it had to be rounded.
  init(integer value: some BinaryInteger, isExact: inout Bool) {
    isExact = true
    if let value = Int64(exactly: value) {
      self.init(value)
    } else if let value = UInt64(exactly: value) {
      self.init(value)
    } else {
      self.init(text: String(value), isExact: &isExact)
    }
  }

  /// Converts a binary floating-point number to the shortest decimal that stands for it.
  init(_ value: some BinaryFloatingPoint) {
    switch value {
    case let value as Float: self.init(binary: value)
    case let value as Double: self.init(binary: value)
    case let value as any BinaryFloatingPoint & LosslessStringConvertible: self.init(binary: value)
    default: self.init(binary: Double(value))
    }
  }

  /// Converts a binary floating-point number whose description is its shortest decimal.
  init(binary value: some BinaryFloatingPoint & LosslessStringConvertible) {
    let text = value.description
    // The description of a whole number ends in a zero that is no digit of the shortest decimal.
    self.init(text: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }

  /// Converts an `NSNumber`: integers exactly, floating-point numbers to their shortest decimal.
  init(_ value: NSNumber) {
    if let decimal = value as? NSDecimalNumber {
      self.init(decimal.decimalValue)
      return
    }
    switch UInt8(bitPattern: value.objCType.pointee) {
    case UInt8(ascii: "f"): self.init(binary: value.floatValue)
    case UInt8(ascii: "d"): self.init(binary: value.doubleValue)
    case UInt8(ascii: "Q"): self.init(value.uint64Value)
    default: self.init(value.int64Value)
    }
  }

  /// Converts a Foundation `Decimal`, whose up to 39 digits are rounded to 34.
  init(_ value: Decimal) {
    self.init(text: value.description)
  }

  /// The nearest Foundation `Decimal`; NaN if there is none.
  var decimalValue: Decimal {
    if isNaN || isInfinite { return .nan }
    var digits = coefficient
    var exponent = exponent
    if digits == 0 { return 0 }
    while exponent > 127 {
      let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
      if overflow { return .nan }
      digits = product
      exponent -= 1
    }
    if exponent < -128 {
      // More than 34 digits to remove leave nothing.
      if exponent < -128 - 35 { return 0 }
      var divisor: UInt128 = 1
      for _ in exponent..<(-128) { divisor *= 10 }
      let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: divisor)
      let half = divisor / 2
      digits = remainder > half || (remainder == half && quotient % 2 == 1) ? quotient + 1 : quotient
      exponent = -128
    }
    if digits == 0 { return 0 }
    let upper = Decimal(UInt64(digits >> 64)) * Decimal(sign: .plus, exponent: 0, significand: twoToThe64)
    let significand = upper + Decimal(UInt64(truncatingIfNeeded: digits))
    let magnitude = Decimal(sign: .plus, exponent: exponent, significand: significand)
    return isNegative ? -magnitude : magnitude
  }
}

private let twoToThe64 = Decimal(UInt64.max) + 1

private protocol OptionalValue {
  var isNil: Bool { get }
}

extension Optional: OptionalValue {
  fileprivate var isNil: Bool { self == nil }
}
