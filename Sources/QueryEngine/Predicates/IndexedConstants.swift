import CDecimal128
import Storage

/// Many constants that values are compared with, found by their hashes.
///
/// Says what comparing with each of them would: numbers are equal across types, strings and data by their bytes, and
/// nothing else across types. An integer and a floating-point number are compared exactly; a decimal and a floating-point
/// number by the shortest text of the latter. So there are two tables of numbers.
final class IndexedConstants: Sendable {
  private let integers: Set<Int64>
  /// Floats too.
  private let doubles: Set<Double>
  private let decimals: Set<DecimalKey>
  /// The numbers that are no decimals, as decimals.
  private let othersAsDecimals: Set<DecimalKey>
  private let hasNaN: Bool
  private let hasDateNaN: Bool
  /// Folded, if strings are compared so.
  private let texts: Set<[UInt8]>
  private let folding: StringFolding?
  /// Values that only equal values of their type.
  private let others: Set<Value>
  /// Lists and dictionaries, which are compared one by one.
  private let nested: [Value]

  init(_ values: [Value], _ options: StringOptions) {
    var (integers, doubles): (Set<Int64>, Set<Double>) = ([], [])
    var (decimals, othersAsDecimals): (Set<DecimalKey>, Set<DecimalKey>) = ([], [])
    var (hasNaN, hasDateNaN) = (false, false)
    var texts: Set<[UInt8]> = []
    var others: Set<Value> = []
    var nested: [Value] = []
    let folding = StringFolding(options)
    for value in values {
      switch value {
      case .int, .float, .double, .decimal128:
        guard let key = DecimalKey(value) else {
          hasNaN = true
          continue
        }
        switch value {
        case .int(let number): integers.insert(number)
        case .float(let number): doubles.insert(Double(number))
        case .double(let number): doubles.insert(number)
        default: decimals.insert(key)
        }
        if case .decimal128 = value {} else { othersAsDecimals.insert(key) }
      case .string, .data:
        if let text = TextMatcher(.equal, value.textBytes, options: options).pattern { texts.insert(text) }
      case .date(let seconds) where seconds.isNaN: hasDateNaN = true
      case .null, .bool, .date, .objectId, .uuid, .link: others.insert(value)
      case .list, .dictionary: nested.append(value)
      }
    }
    (self.integers, self.doubles) = (integers, doubles)
    (self.decimals, self.othersAsDecimals) = (decimals, othersAsDecimals)
    (self.hasNaN, self.hasDateNaN) = (hasNaN, hasDateNaN)
    (self.texts, self.folding) = (texts, folding)
    (self.others, self.nested) = (others, nested)
  }

  func contains(_ value: Value, type: ValueType) -> Bool {
    switch value {
    case .int(let number):
      integers.contains(number) || Double(exactly: number).map(doubles.contains) == true
        || isDecimal(value)
    case .float(let number):
      number.isNaN ? hasNaN && type == .mixed : contains(Double(number)) || isDecimal(value)
    case .double(let number):
      number.isNaN ? hasNaN && type == .mixed : contains(number) || isDecimal(value)
    case .decimal128:
      DecimalKey(value).map { decimals.contains($0) || othersAsDecimals.contains($0) }
        ?? (hasNaN && type == .mixed)
    case .string, .data: containsText(value.textBytes!)
    case .date(let seconds) where seconds.isNaN: hasDateNaN && type == .mixed
    case .null, .bool, .date, .objectId, .uuid, .link: others.contains(value)
    case .list, .dictionary: nested.contains { ValueComparison.compare(value, .equal, $0, type: .mixed) }
    }
  }

  private func contains(_ number: Double) -> Bool {
    doubles.contains(number) || Int64(exactly: number).map(integers.contains) == true
  }

  /// Whether a number that is no decimal equals one of the decimals.
  private func isDecimal(_ value: Value) -> Bool {
    !decimals.isEmpty && DecimalKey(value).map(decimals.contains) == true
  }

  private func containsText(_ bytes: [UInt8]) -> Bool {
    guard let folding else { return texts.contains(bytes) }
    return bytes.withUnsafeBytes { folding.fold($0) }.map(texts.contains) == true
  }
}

/// The value of a decimal: two decimals with an equal value, such as 1 and 1.00, have one key.
private struct DecimalKey: Hashable {
  private let coefficient: UInt128
  private let exponent: Int
  private let isNegative: Bool

  /// A number as a decimal; nil for NaN, and for what is no number.
  init?(_ value: Value) {
    guard let decimal = BID_UINT128(number: value), !decimal.isNaN else { return nil }
    let high = decimal.w.1
    if high & 0x7800_0000_0000_0000 == 0x7800_0000_0000_0000 {
      self.init(coefficient: 1, exponent: .max, isNegative: high >> 63 != 0)
      return
    }
    var coefficient = UInt128(high & 0x0001_FFFF_FFFF_FFFF) << 64 | UInt128(decimal.w.0)
    // A coefficient of more digits than a decimal has counts as zero.
    let isCanonical = high >> 61 & 3 != 3 && coefficient < Self.coefficientLimit
    guard isCanonical, coefficient != 0 else {
      self.init(coefficient: 0, exponent: 0, isNegative: false)
      return
    }
    var exponent = Int(high >> 49 & 0x3FFF)
    while coefficient & 1 == 0 {
      let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: 10)
      if remainder != 0 { break }
      coefficient = quotient
      exponent += 1
    }
    self.init(coefficient: coefficient, exponent: exponent, isNegative: high >> 63 != 0)
  }

  private init(coefficient: UInt128, exponent: Int, isNegative: Bool) {
    self.coefficient = coefficient
    self.exponent = exponent
    self.isNegative = isNegative
  }

  /// 10³⁴.
  private static let coefficientLimit = UInt128(10_000_000_000_000_000) * 1_000_000_000_000_000_000
}
