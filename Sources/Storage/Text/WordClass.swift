/// What a Unicode scalar means for where words begin and end: classes after Word_Break of UAX #29.
enum WordClass: UInt8 {
  /// Between words.
  case other
  case letter
  case hebrewLetter
  case numeric
  case katakana
  case hiragana
  /// The mark that makes kana long.
  case kanaLength
  /// A word of its own: ideographs, and letters of scripts that write words without spaces between.
  case single
  /// Underscores and the like, which join what is on both sides.
  case connector
  /// Marks, which belong to what they follow.
  case extend
  /// Invisible characters, which are left out.
  case format
  /// Joins letters.
  case middleOfLetters
  /// Joins digits.
  case middleOfNumbers
  /// Joins letters, and digits.
  case apostrophe
  /// Joins Hebrew letters.
  case quotationMark

  private init?(symbol: Character) {
    switch symbol {
    case "L": self = .letter
    case "H": self = .hebrewLetter
    case "N": self = .numeric
    case "K": self = .katakana
    case "R": self = .hiragana
    case "P": self = .kanaLength
    case "S": self = .single
    case "_": self = .connector
    case "E": self = .extend
    case "F": self = .format
    case ":": self = .middleOfLetters
    case ";": self = .middleOfNumbers
    case "'": self = .apostrophe
    case "Q": self = .quotationMark
    default: return nil
    }
  }

  @inline(__always) init(_ scalar: Unicode.Scalar) {
    self =
      scalar.value < ClassTable.limit ? ClassTable.shared[scalar] : scalar.value < 0xE0200 ? .format : .other
  }

  @inline(__always) init(ascii byte: UInt8) { self = ClassTable.shared.classes[Int(byte)] }

  /// Whether a word can begin with it.
  @inline(__always) var beginsWord: Bool {
    switch self {
    case .letter, .hebrewLetter, .numeric, .katakana, .hiragana, .kanaLength, .single, .connector: true
    case .other, .extend, .format, .middleOfLetters, .middleOfNumbers, .apostrophe, .quotationMark: false
    }
  }

  @inline(__always) var isLetter: Bool { self == .letter || self == .hebrewLetter }

  /// Whether what has the class goes on with a word that so far ends with another one.
  @inline(__always) func continues(_ last: WordClass) -> Bool {
    switch self {
    case .letter, .hebrewLetter, .numeric: last.isLetter || last == .numeric || last == .connector
    case .katakana: last == .katakana || last == .kanaLength || last == .connector
    case .hiragana: last == .hiragana
    case .kanaLength: last == .katakana || last == .hiragana || last == .kanaLength || last == .connector
    case .connector: last.isLetter || last == .numeric || last == .katakana || last == .connector
    default: false
    }
  }

  /// Whether it stands inside a word, between these two.
  @inline(__always) func joins(_ last: WordClass, _ next: WordClass) -> Bool {
    switch self {
    case .middleOfLetters: last.isLetter && next.isLetter
    case .middleOfNumbers: last == .numeric && next == .numeric
    case .apostrophe: last.isLetter && next.isLetter || last == .numeric && next == .numeric
    case .quotationMark: last == .hebrewLetter && next == .hebrewLetter
    default: false
    }
  }

  /// The classes of all scalars below a limit, in blocks of 64 of which equal ones are kept once.
  ///
  /// Invariants: `blockOfScalar` has an entry for each block below the limit, and leads to 64 classes that begin at 64
  /// times its value; the first two blocks are those of ASCII. The memory lives as long as the program.
  private struct ClassTable: Sendable {
    static let limit: UInt32 = 0x40000
    static let shared = ClassTable()
    nonisolated(unsafe) private let blockOfScalar: UnsafePointer<UInt16>
    nonisolated(unsafe) let classes: UnsafePointer<WordClass>

    @inline(__always) subscript(_ scalar: Unicode.Scalar) -> WordClass {
      classes[Int(blockOfScalar[Int(scalar.value >> 6)]) &<< 6 &+ Int(scalar.value & 63)]
    }

    private init() {
      var all = [WordClass](repeating: .other, count: Int(Self.limit))
      for token in WordClass.wordClassData.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        let range = HexadecimalRange(token.dropFirst())
        for scalar in range.first...range.last { all[Int(scalar)] = WordClass(symbol: token.first!)! }
      }
      var blocks: [UInt16] = []
      var classes: [WordClass] = []
      var known: [ArraySlice<WordClass>: UInt16] = [:]
      for start in stride(from: 0, to: all.count, by: 64) {
        let block = all[start..<start + 64]
        if start >= 128, let number = known[block] {
          blocks.append(number)
        } else {
          let number = UInt16(classes.count >> 6)
          known[block] = number
          blocks.append(number)
          classes += block
        }
      }
      blockOfScalar = ScalarMapping.immortal(blocks)
      self.classes = ScalarMapping.immortal(classes)
    }
  }
}
