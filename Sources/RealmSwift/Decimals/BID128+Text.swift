extension BID128 {
  /// Reads a decimal number: an optional sign, digits with at most one point among them, and optionally an
  /// exponent ("E" or "e", an optional sign, digits). "inf" and "infinity" are understood in any case, and
  /// blanks or tabs before the number are skipped. The number is rounded to 34 digits; all other text,
  /// "nan" among it, is NaN.
  init(text: String) {
    var isExact = true
    self.init(text: text, isExact: &isExact)
  }

  /// Reads a decimal number and tells whether it had to be rounded.
  init(text: String, isExact: inout Bool) {
    var text = text
    // The library takes a few texts for numbers that are none ("." and whatever follows a zero byte) and
    // makes NaNs of either sign, which would not equal one another.
    guard text.withUTF8(BID128.isNumber) else {
      self = .nan
      return
    }
    self = text.withCString { BID128(number: $0, isExact: &isExact) }
  }

  /// The number as people write it; see `Decimal128.stringValue`.
  var text: String {
    if isNaN { return "NaN" }
    let sign = isNegative ? "-" : ""
    if isInfinite { return sign + "Inf" }
    guard let coefficient = UInt64(exactly: coefficient) else { return scientificText }

    let digits = String(coefficient)
    let exponent = exponent
    // How many digits go behind the point. A positive exponent grows with each, so all but one go.
    let fractionLength = exponent == 0 ? 0 : min(digits.count - 1, exponent < 0 ? -exponent : .max)
    var fraction = digits.suffix(fractionLength)
    while fraction.last == "0" { fraction.removeLast() }

    var text = sign + digits.dropLast(fractionLength)
    if !fraction.isEmpty { text += "." + fraction }
    if exponent + fractionLength != 0 { text += "E\(exponent + fractionLength)" }
    return text
  }

  private static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = text[...]
    while rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "\t") { rest.removeFirst() }
    skipSign(&rest)
    let lowercased = rest.lazy.map { $0 | 0x20 }
    if lowercased.elementsEqual("inf".utf8) || lowercased.elementsEqual("infinity".utf8) { return true }
    var digits = skipDigits(&rest)
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      digits += skipDigits(&rest)
    }
    guard digits > 0 else { return false }
    if rest.isEmpty { return true }
    guard rest.removeFirst() | 0x20 == UInt8(ascii: "e") else { return false }
    skipSign(&rest)
    return skipDigits(&rest) > 0 && rest.isEmpty
  }

  private static func skipSign(_ text: inout Slice<UnsafeBufferPointer<UInt8>>) {
    if text.first == UInt8(ascii: "+") || text.first == UInt8(ascii: "-") { text.removeFirst() }
  }

  private static func skipDigits(_ text: inout Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    let count = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    text.removeFirst(count)
    return count
  }
}
