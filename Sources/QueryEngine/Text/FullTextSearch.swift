import Storage

/// What is looked for in the words of a text.
///
/// The language: parts with white space between them.
/// - `wolf`: the text has the word. What is several words by the rule of ``WordReader`` (`rock-n-roll`, `東京`) asks for
///   all of them, anywhere in the text.
/// - `"black wolf"`: all words between the quotation marks, anywhere and in any order. The mark must begin the part; the
///   closing one may be missing.
/// - `wol*`: a word that begins with these letters. The asterisk must follow a letter or digit and end the part, or
///   stand before white space between quotation marks; any other is punctuation.
/// - `-wolf`, `-"black wolf"`, `-wol*`: not a text that has the word, or all of the words.
/// All parts must hold. Case and diacritics are ignored, and so are parts without a letter or digit. A search without
/// any word finds nothing; one of exclusions only finds every text that has none of them.
/// Null is never found.
package struct FullTextSearch: Sendable, Hashable {
  package struct Term: Sendable, Hashable {
    /// The folded word.
    package var word: [UInt8]
    /// Whether words that begin with it will do.
    package var isBeginning: Bool
  }

  /// Without repetition.
  package private(set) var required: [Term] = []
  /// Texts that have all terms of one of these are excluded.
  package private(set) var excluded: [[Term]] = []

  package init(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.first {
      if scalar.properties.isWhitespace {
        rest.removeFirst()
        continue
      }
      let isExcluded = scalar == "-"
      rest = rest.drop { $0 == "-" }
      let isQuoted = rest.first == "\""
      if isQuoted { rest.removeFirst() }
      let part = rest.prefix { isQuoted ? $0 != "\"" : !$0.properties.isWhitespace }
      rest = rest.dropFirst(part.count + (isQuoted ? 1 : 0))
      let terms = Self.terms(part)
      if !isExcluded {
        for term in terms where !required.contains(term) { required.append(term) }
      } else if !terms.isEmpty {
        excluded.append(terms)
      }
    }
  }

  private static func terms(_ part: ArraySlice<Unicode.Scalar>) -> [Term] {
    var terms: [Term] = []
    for var text in part.split(whereSeparator: \.properties.isWhitespace) {
      let isBeginning = text.last == "*"
      if isBeginning { text.removeLast() }
      var string = String(String.UnicodeScalarView(text))
      string.withUTF8 { bytes in
        var reader = WordReader(UnsafeRawBufferPointer(bytes))
        while reader.next() {
          let isLast = reader.position == bytes.count
          terms.append(Term(word: reader.word, isBeginning: isBeginning && isLast))
        }
      }
    }
    return terms
  }

  // MARK: Searching a text

  /// Whether a text satisfies the search. This is the definition that the search in an index must agree with.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if required.isEmpty && excluded.isEmpty { return false }
    let terms = required + excluded.joined()
    var isFound = [Bool](repeating: false, count: terms.count)
    WordReader.forEachWord(of: text) { word in
      for (number, term) in terms.enumerated() where !isFound[number] {
        isFound[number] = term.word.withUnsafeBytes { wanted in
          term.isBeginning
            ? word.count >= wanted.count
              && UnsafeRawBufferPointer(rebasing: word[..<wanted.count]).equals(wanted) : word.equals(wanted)
        }
      }
    }
    if isFound.prefix(required.count).contains(false) { return false }
    var start = required.count
    for group in excluded {
      if !isFound[start..<start + group.count].contains(false) { return false }
      start += group.count
    }
    return true
  }
}
