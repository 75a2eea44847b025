import RealmSwift

/// Decimals as text: in plain digits where they fit, and otherwise with an exponent.
enum DecimalText {
  /// Maximum number of digits on each side of the point, as many as a decimal has.
  private static let digitLimit = 34

  static func text(_ number: Decimal128) -> String {
    if number.isNaN { return "NaN" }
    let text = number.stringValue
    let isNegative = text.hasPrefix("-")
    let magnitude = text.drop { $0 == "-" || $0 == "+" }
    let parts = magnitude.split(separator: "E", maxSplits: 1)
    guard let coefficient = parts.first, coefficient.first?.isNumber == true,
      var exponent = parts.count == 1 ? 0 : Int(parts[1])
    else { return text }
    let sides = coefficient.split(separator: ".", maxSplits: 1)
    let fraction = sides.count == 1 ? "" : sides[1]
    exponent -= fraction.utf8.count
    var digits = Substring((sides[0] + fraction).drop { $0 == "0" })
    while digits.last == "0" {
      digits.removeLast()
      exponent += 1
    }
    let sign = isNegative ? "-" : ""
    if digits.isEmpty { return sign + "0" }
    return sign + (plain(digits, exponent) ?? scientific(digits, exponent))
  }

  /// Digits times a power of ten; nil when there are too many on a side of the point.
  private static func plain(_ digits: Substring, _ exponent: Int) -> String? {
    let wholeCount = digits.utf8.count + exponent
    guard wholeCount <= digitLimit, -exponent <= digitLimit else { return nil }
    if exponent >= 0 { return digits + String(repeating: "0", count: exponent) }
    if wholeCount > 0 { return "\(digits.prefix(wholeCount)).\(digits.dropFirst(wholeCount))" }
    return "0." + String(repeating: "0", count: -wholeCount) + digits
  }

  private static func scientific(_ digits: Substring, _ exponent: Int) -> String {
    let fraction = digits.dropFirst()
    let point = fraction.isEmpty ? "" : ".\(fraction)"
    return "\(digits.prefix(1))\(point)E\(exponent + fraction.utf8.count)"
  }
}
