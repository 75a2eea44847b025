/// Texts from files as a terminal may get them: what would move the cursor, change its colours or turn the direction of
/// writing is written as its number.
enum VisibleText {
  /// - Parameter keepsLines: Whether the ends of lines stay, as in messages of several lines.
  static func of(_ text: String, keepsLines: Bool = false) -> String {
    func isHidden(_ scalar: Unicode.Scalar) -> Bool { isControl(scalar) && !(keepsLines && scalar == "\n") }
    // The usual case: there is none.
    if !text.unicodeScalars.contains(where: isHidden) { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if !isHidden(scalar) {
        shown.unicodeScalars.append(scalar)
      } else if scalar == "\n" {
        shown += "\\n"
      } else if scalar == "\t" {
        shown += "\\t"
      } else {
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return shown
  }

  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<32, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
