import Storage

/// What is looked for in the words of a text.
///
/// The language: parts with white space between them.
/// - `wolf`: the text has the word. What is several words by the rule of ``WordReader`` (`rock-n-roll`, `東京`) asks for
///   all of them, anywhere in the text.
/// - `"black wolf"`: these words, one directly after the other. The mark must begin the part; the closing one may be
///   missing.
/// - `NEAR(black wolf, 5)`: these words in any order, with at most so many other words between the first and the last;
///   10 when there is no number. The closing parenthesis may be missing.
/// - `wol*`: a word that begins with these letters. The asterisk must follow a letter or digit and end the part, or
///   stand before white space or the end between quotation marks or parentheses; any other is punctuation.
/// - `-wolf`, `-"black wolf"`, `-NEAR(black wolf)`, `-wol*`: not a text of which the part is true.
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

  /// How the words of a part must stand to each other.
  enum Arrangement: Sendable, Hashable {
    case anywhere
    case consecutive
    /// With so many other words between them at most.
    case near(Int)
  }

  /// One part of the search.
  struct Part: Sendable, Hashable {
    var terms: [Term]
    var arrangement: Arrangement
  }

  /// Parts of which all must be true.
  private(set) var parts: [Part] = []
  /// The words that a text must have, without repetition: those of the parts.
  package private(set) var required: [Term] = []
  /// Texts of which one of these is true are excluded.
  private(set) var excluded: [Part] = []

  package init(_ text: String) {
    var reader = SearchReader(text)
    while let (part, isExcluded, _) = reader.next() {
      if part.terms.isEmpty { continue }
      if isExcluded {
        excluded.append(part)
        continue
      }
      parts.append(part)
      for term in part.terms where !required.contains(term) { required.append(term) }
    }
  }

  /// The parts of a search as searches of their own, for an object with several texts: each required part must be true of
  /// some text, and no excluded part of any. Of a search that only excludes, some text must have none of the words.
  static func parts(of text: String) -> (required: [TextCondition], excluded: [TextCondition]) {
    var required: [TextCondition] = []
    var excluded: [TextCondition] = []
    var reader = SearchReader(text)
    while let (part, isExcluded, source) = reader.next() {
      if part.terms.isEmpty { continue }
      let condition = TextCondition(.fullText, Array(String(String.UnicodeScalarView(source)).utf8))
      if isExcluded { excluded.append(condition) } else { required.append(condition) }
    }
    return (required.isEmpty ? [TextCondition(.fullText, Array(text.utf8))] : required, excluded)
  }

  /// Whether it finds nothing, for it has no word.
  package var isEmpty: Bool { required.isEmpty && excluded.isEmpty }

  /// Parts whose words must stand together.
  var arranged: [Part] { parts.filter { $0.arrangement != .anywhere } }
}

/// Cuts a search into its parts.
private struct SearchReader {
  private static let nearby = Array("NEAR(".unicodeScalars)
  /// Between the words of `NEAR` where nothing is said; that of SQLite.
  private static let usualDistance = 10

  private var rest: ArraySlice<Unicode.Scalar>

  init(_ text: String) { rest = Array(text.unicodeScalars)[...] }

  /// The next part, and how it is written without the minus sign in front.
  mutating func next() -> (FullTextSearch.Part, isExcluded: Bool, source: ArraySlice<Unicode.Scalar>)? {
    rest = rest.drop { $0.properties.isWhitespace }
    if rest.isEmpty { return nil }
    let isExcluded = rest.first == "-"
    rest = rest.drop { $0 == "-" }
    let start = rest
    let part = part()
    return (part, isExcluded, start.dropLast(rest.count))
  }

  private mutating func part() -> FullTextSearch.Part {
    if rest.first == "\"" {
      rest.removeFirst()
      let terms = Self.terms(taking { $0 == "\"" })
      return FullTextSearch.Part(terms: terms, arrangement: terms.count > 1 ? .consecutive : .anywhere)
    }
    if rest.starts(with: Self.nearby) {
      rest.removeFirst(Self.nearby.count)
      return Self.near(taking { $0 == ")" })
    }
    let text = rest.prefix { !$0.properties.isWhitespace }
    rest = rest.dropFirst(text.count)
    return FullTextSearch.Part(terms: Self.terms(text), arrangement: .anywhere)
  }

  /// What comes before a closing mark, which is passed.
  private mutating func taking(until isEnd: (Unicode.Scalar) -> Bool) -> ArraySlice<Unicode.Scalar> {
    let text = rest.prefix { !isEnd($0) }
    rest = rest.dropFirst(text.count + 1)
    return text
  }

  private static func near(_ text: ArraySlice<Unicode.Scalar>) -> FullTextSearch.Part {
    var words = text
    var distance = usualDistance
    if let comma = text.lastIndex(of: ","),
      let number = Int(
        String(String.UnicodeScalarView(text[(comma + 1)...].filter { !$0.properties.isWhitespace }))),
      number >= 0
    {
      distance = number
      words = text[..<comma]
    }
    let terms = terms(words)
    return FullTextSearch.Part(terms: terms, arrangement: terms.count > 1 ? .near(distance) : .anywhere)
  }

  private static func terms(_ part: ArraySlice<Unicode.Scalar>) -> [FullTextSearch.Term] {
    var terms: [FullTextSearch.Term] = []
    for var text in part.split(whereSeparator: \.properties.isWhitespace) {
      let isBeginning = text.last == "*"
      if isBeginning { text.removeLast() }
      var string = String(String.UnicodeScalarView(text))
      string.withUTF8 { bytes in
        var reader = WordReader(UnsafeRawBufferPointer(bytes))
        while reader.next() {
          let isLast = reader.position == bytes.count
          terms.append(FullTextSearch.Term(word: reader.word, isBeginning: isBeginning && isLast))
        }
      }
    }
    return terms
  }
}
