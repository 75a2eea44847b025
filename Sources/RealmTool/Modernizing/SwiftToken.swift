/// A piece of Swift source: all tokens of a file in a row are the file.
struct SwiftToken: Hashable, Sendable {
  enum Kind: Sendable {
    /// Spaces, tabs and line ends.
    case space
    case comment
    /// A name or keyword, also one in backticks.
    case word
    case number
    /// A string or regular expression with its delimiters and interpolations.
    case literal
    /// One of `( ) [ ] { } , ; : @ #`.
    case punctuation
    /// A run of operator characters, `.` and `?` included.
    case symbol
  }

  let kind: Kind
  /// The token's bytes in the file.
  let range: Range<Int>
}

/// The bytes of a Swift file with its tokens and the pairs of its brackets.
struct SwiftSource: Sendable {
  let bytes: [UInt8]
  let tokens: [SwiftToken]
  /// For the position of each opening bracket among the tokens that of its closing one.
  let closings: [Int: Int]

  /// Returns nil when the brackets do not match.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    tokens = SwiftTokenizer.tokens(of: bytes)
    var closings: [Int: Int] = [:]
    var open: [(position: Int, closing: Unicode.Scalar)] = []
    let closing: [Unicode.Scalar: Unicode.Scalar] = ["(": ")", "[": "]", "{": "}"]
    for (position, token) in tokens.enumerated() where token.kind == .punctuation {
      let character = Unicode.Scalar(bytes[token.range.lowerBound])
      if let expected = closing[character] {
        open.append((position, expected))
      } else if closing.values.contains(character) {
        guard let last = open.popLast(), last.closing == character else { return nil }
        closings[last.position] = position
      }
    }
    if !open.isEmpty { return nil }
    self.closings = closings
  }

  func text(_ position: Int) -> String { text(tokens[position].range) }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Whether a token is the given word or punctuation; false behind the last token.
  func isToken(_ position: Int, _ text: String) -> Bool {
    guard position < tokens.count else { return false }
    return tokens[position].kind != .literal && bytes[tokens[position].range].elementsEqual(text.utf8)
  }

  func isSignificant(_ position: Int) -> Bool {
    tokens[position].kind != .space && tokens[position].kind != .comment
  }

  /// Returns the first position from `position` on, and before `end`, that is neither space nor comment; else `end`.
  func significant(from position: Int, to end: Int) -> Int {
    var position = position
    while position < end, !isSignificant(position) { position += 1 }
    return position
  }

  /// Returns the last position before `position` that is neither space nor comment, nil when there is none.
  func significant(before position: Int) -> Int? {
    var position = position - 1
    while position >= 0, !isSignificant(position) { position -= 1 }
    return position < 0 ? nil : position
  }

  /// Returns the position behind a token, or behind the closing bracket of an opening one.
  func skipping(_ position: Int) -> Int { (closings[position] ?? position) + 1 }

  /// Returns the number of a byte's line, beginning with 1.
  func line(of byte: Int) -> Int { 1 + bytes[..<byte].count { $0 == UInt8(ascii: "\n") } }
}
