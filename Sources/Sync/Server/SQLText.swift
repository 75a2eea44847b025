/// Names and values as they are written in SQL. Each kind of text is quoted by one function, so that no name of a class
/// and no value can end the text that it is in.
package enum SQLText {
  /// The greatest length of a name, in bytes. The server cuts longer ones without an error.
  package static let nameLimit = 63

  /// Returns a name between double quotes.
  package static func identifier(_ name: String) -> String { "\"" + doubling("\"", in: name) + "\"" }

  /// Returns a string literal. It is read alike with and without `standard_conforming_strings`.
  package static func literal(_ text: String) -> String {
    let quoted = "'" + doubling("'", in: text) + "'"
    return text.utf8.contains(UInt8(ascii: "\\")) ? "E" + doubling("\\", in: quoted) : quoted
  }

  /// Returns the body of a function between dollar signs, with a tag that the body does not contain.
  package static func body(_ text: String) -> String {
    var tag = "$realm$"
    var number = 0
    while contains(tag, in: text) {
      number += 1
      tag = "$realm\(number)$"
    }
    return "\(tag)\(text)\(tag)"
  }

  /// Byte by byte: `Character` would join a quote with a combining character behind it.
  private static func doubling(_ quote: Unicode.Scalar, in text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == quote { result.append(scalar) }
      result.append(scalar)
    }
    return String(result)
  }

  private static func contains(_ part: String, in text: String) -> Bool {
    let (part, text) = (Array(part.utf8), Array(text.utf8))
    guard text.count >= part.count else { return false }
    return (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)].elementsEqual(part) }
  }
}
