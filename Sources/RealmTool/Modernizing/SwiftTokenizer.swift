/// Takes Swift source apart into tokens, without knowing its grammar.
///
/// A slash begins a regular expression where an operand is expected and another slash follows on the line; else it is an operator.
struct SwiftTokenizer {
  private let bytes: [UInt8]
  private var position = 0
  private var tokens: [SwiftToken] = []
  /// Whether an operand may follow, as at the beginning, behind an operator and behind an opening bracket.
  private var expectsOperand = true

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func tokens(of bytes: [UInt8]) -> [SwiftToken] {
    var tokenizer = SwiftTokenizer(bytes)
    while tokenizer.position < bytes.count { tokenizer.readToken() }
    return tokenizer.tokens
  }

  /// The byte so many places ahead, as a character of Latin 1; NUL behind the end.
  private func byte(_ offset: Int = 0) -> Unicode.Scalar { character(position + offset) }

  private func character(_ place: Int) -> Unicode.Scalar {
    Unicode.Scalar(place < bytes.count ? bytes[place] : 0)
  }

  private func isNext(_ text: StaticString) -> Bool {
    (0..<text.utf8CodeUnitCount).allSatisfy { byte($0).value == text.utf8Start[$0] }
  }

  private mutating func readToken() {
    let start = position
    let kind = readKind()
    // Whatever a byte means, the next token begins behind it.
    if position == start { position += 1 }
    position = min(position, bytes.count)
    tokens.append(SwiftToken(kind: kind, range: start..<position))
    switch kind {
    case .space, .comment: break
    case .word:
      expectsOperand = Self.operandKeywords.contains { bytes[start..<position].elementsEqual($0.utf8) }
    case .number, .literal: expectsOperand = false
    case .symbol: expectsOperand = true
    case .punctuation: expectsOperand = ![")", "]", "}"].contains(character(start))
    }
  }

  private static let operandKeywords = [
    "return", "case", "in", "if", "guard", "while", "switch", "where", "try",
  ]

  private mutating func readKind() -> SwiftToken.Kind {
    let first = byte()
    switch first {
    case _ where Self.isSpace(first):
      while Self.isSpace(byte()) { position += 1 }
      return .space
    case "/" where byte(1) == "/":
      while position < bytes.count, byte() != "\n", byte() != "\r" { position += 1 }
      return .comment
    case "/" where byte(1) == "*":
      skipBlockComment()
      return .comment
    case "/" where expectsOperand && regexEnd() != nil:
      position = regexEnd()!
      return .literal
    case "\"":
      skipString(pounds: 0)
      return .literal
    case "#": return readPound()
    case "`":
      position += 1
      while position < bytes.count, byte() != "`", byte() != "\n" { position += 1 }
      position += 1
      return .word
    case "0"..."9":
      while Self.isWord(byte()) || (byte() == "." && ("0"..."9").contains(byte(1))) {
        position += 1
      }
      return .number
    case "(", ")", "[", "]", "{", "}", ",", ";", ":", "@":
      position += 1
      return .punctuation
    default:
      if Self.isWord(first) {
        while Self.isWord(byte()) { position += 1 }
        return .word
      }
      while Self.isSymbol(byte()), !isNext("//"), !isNext("/*") { position += 1 }
      return .symbol
    }
  }

  private static func isSpace(_ byte: Unicode.Scalar) -> Bool {
    [" ", "\t", "\n", "\r", "\u{0B}", "\u{0C}"].contains(byte)
  }

  /// Letters, digits and all that is not ASCII.
  private static func isWord(_ byte: Unicode.Scalar) -> Bool {
    switch byte {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$", "\u{80}"...: true
    default: false
    }
  }

  private static func isSymbol(_ byte: Unicode.Scalar) -> Bool {
    "/=-+!*%<>&|^~?.\\'".unicodeScalars.contains(byte)
  }

  /// Raw strings and extended regular expressions; else the sign alone, as before `if` and `keyPath`.
  private mutating func readPound() -> SwiftToken.Kind {
    var pounds = 0
    while byte(pounds) == "#" { pounds += 1 }
    if byte(pounds) == "\"" {
      position += pounds
      skipString(pounds: pounds)
      return .literal
    }
    if byte(pounds) == "/", let end = extendedRegexEnd(pounds: pounds) {
      position = end
      return .literal
    }
    position += 1
    return .punctuation
  }

  /// Where a regular expression ends that begins here with number signs; nil when it never does.
  private func extendedRegexEnd(pounds: Int) -> Int? {
    let closing = [UInt8(ascii: "/")] + Array(repeating: UInt8(ascii: "#"), count: pounds)
    var place = position + pounds + 1
    while place + closing.count <= bytes.count {
      if bytes[place..<place + closing.count].elementsEqual(closing) { return place + closing.count }
      place += character(place) == "\\" ? 2 : 1
    }
    return nil
  }

  /// Where a regular expression ends that begins here; nil when it is an operator.
  private func regexEnd() -> Int? {
    if Self.isSpace(byte(1)) || ["/", "*", ")", "\0"].contains(byte(1)) { return nil }
    var place = position + 1
    while place < bytes.count, character(place) != "\n", character(place) != "\r" {
      if character(place) == "/" { return place + 1 }
      place += character(place) == "\\" ? 2 : 1
    }
    return nil
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if isNext("/*") {
        depth += 1
        position += 2
      } else if isNext("*/") {
        depth -= 1
        position += 2
      } else {
        position += 1
      }
    } while depth > 0 && position < bytes.count
  }

  /// Skips a string from its quotation mark on; one line without its end stops at the end of the line.
  private mutating func skipString(pounds: Int) {
    let isLong = byte(1) == "\"" && byte(2) == "\""
    position += isLong ? 3 : 1
    func hasPounds(at offset: Int) -> Bool { (0..<pounds).allSatisfy { byte(offset + $0) == "#" } }
    while position < bytes.count {
      if byte() == "\\" && hasPounds(at: 1) {
        if byte(1 + pounds) == "(" {
          position += 2 + pounds
          skipInterpolation()
        } else {
          position += 2 + pounds
        }
      } else if isLong ? isNext("\"\"\"") && hasPounds(at: 3) : byte() == "\"" && hasPounds(at: 1) {
        position += (isLong ? 3 : 1) + pounds
        return
      } else if !isLong && (byte() == "\n" || byte() == "\r") {
        return
      } else {
        position += 1
      }
    }
  }

  /// Skips to behind the bracket that ends an interpolation.
  private mutating func skipInterpolation() {
    var depth = 1
    let isOperand = expectsOperand
    expectsOperand = true
    while depth > 0, position < bytes.count {
      let start = position
      let kind = readKind()
      if position == start { position += 1 }
      guard kind == .punctuation else { continue }
      if character(start) == "(" { depth += 1 }
      if character(start) == ")" { depth -= 1 }
    }
    expectsOperand = isOperand
  }
}
