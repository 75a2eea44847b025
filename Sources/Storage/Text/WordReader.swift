/// Finds the words of a text, folded as full-text search compares them.
///
/// The rule, after Unicode 14 whatever the platform has:
/// - A word is what the word boundaries of UAX #29 enclose and that has a letter or digit: `don't`, `3.14`, `naïve`,
///   `foo_bar` and `한국어` are words; punctuation, symbols and emoji are none. Unlike in the standard, full stops and
///   colons join only digits: `example.com` is two words.
/// - Each ideograph is a word, and so is each run of katakana and each run of hiragana. Scripts that write no spaces
///   (Thai, Lao, Khmer, Burmese and others) have a word for each letter with its marks, since no dictionary is asked.
/// - Words are folded as `[cd]` is (see ``StringFolding``), typographic apostrophes are plain ones, and invisible
///   characters such as soft hyphens are left out.
/// - Only the first ``longestWord`` bytes of the folded word count, up to the last whole character in them.
package struct WordReader {
  /// The number of the rule, which files store beside their word indexes: one that was made by another rule is
  /// rebuilt. To be raised whenever the rule or its tables change.
  package static let rule: UInt8 = 1
  /// In bytes of the folded word.
  package static let longestWord = 128

  private let text: UnsafeRawBufferPointer
  /// Where the next word is looked for: behind the one that was found.
  package private(set) var position = 0
  /// Where the word begins that was found.
  package private(set) var start = 0
  private var folded = FoldedText()
  private var isCut = false

  /// - Parameter text: UTF-8; other bytes end words. It must outlive the reader.
  package init(_ text: UnsafeRawBufferPointer) { self.text = text }

  /// The folded word that `next` found.
  package var word: [UInt8] { folded.bytes }

  /// Moves to the next word; false after the last.
  package mutating func next() -> Bool {
    while let first = findStart() {
      start = position
      folded.removeAll()
      isCut = false
      if readWord(first) && !folded.bytes.isEmpty { return true }
    }
    return false
  }

  /// Calls the body with each word, as often as it occurs. The bytes are valid within the body only.
  package static func forEachWord(of text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var reader = WordReader(text)
    while reader.next() { reader.folded.bytes.withUnsafeBytes(body) }
  }

  /// The words of a string in order, with repetition.
  package static func words(of text: String) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var text = text
    text.withUTF8 { forEachWord(of: UnsafeRawBufferPointer($0)) { words.append(Array($0)) } }
    return words
  }

  private struct Symbol {
    /// nil for ASCII and for a byte that is no text.
    var scalar: Unicode.Scalar?
    var length: Int
    var wordClass: WordClass
  }

  @inline(__always) private func symbol(at position: Int) -> Symbol {
    let byte = text[position]
    if byte < 0x80 { return Symbol(scalar: nil, length: 1, wordClass: WordClass(ascii: byte)) }
    guard let (scalar, length) = text.scalar(at: position) else {
      return Symbol(scalar: nil, length: 1, wordClass: .other)
    }
    return Symbol(scalar: scalar, length: length, wordClass: WordClass(scalar))
  }

  /// Moves to where a word may begin.
  private mutating func findStart() -> Symbol? {
    while position < text.count {
      let symbol = symbol(at: position)
      if symbol.wordClass.beginsWord { return symbol }
      position &+= symbol.length
    }
    return nil
  }

  /// Reads from the first symbol of a word to its end. False when it has neither letter nor digit.
  private mutating func readWord(_ first: Symbol) -> Bool {
    var last = first.wordClass
    var hasContent = last != .connector
    take(first)
    while position < text.count {
      let symbol = symbol(at: position)
      switch symbol.wordClass {
      case .extend: take(symbol)
      case .format: position &+= symbol.length
      case .middleOfLetters, .middleOfNumbers, .apostrophe, .quotationMark:
        guard symbol.wordClass.joins(last, classAfter(position &+ symbol.length)) else { return hasContent }
        take(symbol)
      default:
        guard symbol.wordClass.continues(last) else { return hasContent }
        if symbol.wordClass != .connector { hasContent = true }
        // The long sound belongs to the kana before.
        if symbol.wordClass != .kanaLength { last = symbol.wordClass }
        take(symbol)
      }
    }
    return hasContent
  }

  /// The class of the next symbol that is not a mark.
  private func classAfter(_ start: Int) -> WordClass {
    var position = start
    while position < text.count {
      let symbol = symbol(at: position)
      if symbol.wordClass != .extend && symbol.wordClass != .format { return symbol.wordClass }
      position &+= symbol.length
    }
    return .other
  }

  /// Adds a symbol to the word, unless the word is long enough.
  @inline(__always) private mutating func take(_ symbol: Symbol) {
    if !isCut { append(symbol) }
    position &+= symbol.length
  }

  @inline(__always) private mutating func append(_ symbol: Symbol) {
    let count = folded.bytes.count
    if symbol.wordClass == .apostrophe {
      folded.append(ascii: 0x27)
    } else if let scalar = symbol.scalar {
      StringFolding.words.append(scalar, to: &folded)
    } else {
      folded.append(ascii: StringFolding.lowercasedASCII(text[position]))
    }
    if folded.bytes.count > Self.longestWord {
      folded.truncate(to: count)
      isCut = true
    }
  }
}
