/// Numbers for people.
enum Numbers {
  /// With a comma between each three digits.
  static func separated(_ number: Int) -> String {
    var digits = Array(String(number.magnitude).utf8)
    var position = digits.count - 3
    while position > 0 {
      digits.insert(UInt8(ascii: ","), at: position)
      position -= 3
    }
    return (number < 0 ? "-" : "") + String(decoding: digits, as: UTF8.self)
  }

  /// With its noun, in the plural where that is right.
  static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(separated(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// A size with three digits and its unit.
  static func bytes(_ count: Int) -> String {
    if count < 1000 { return "\(count) bytes" }
    var value = Double(count)
    var unit = 0
    let units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"]
    while value >= 999.5 && unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
    return "\(fixed(value, decimals)) \(units[unit])"
  }

  /// With a number of decimals.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let rounded = Int((value * scale).rounded())
    if decimals == 0 { return String(rounded) }
    var digits = String(rounded.magnitude)
    while digits.count <= decimals { digits = "0" + digits }
    let split = digits.index(digits.endIndex, offsetBy: -decimals)
    return (rounded < 0 ? "-" : "") + digits[..<split] + "." + digits[split...]
  }
}
