import Storage
import TestSupport
import Testing

/// Where words begin and end, and how they are folded.
@Suite struct WordReaderTests {
  private static func words(_ text: String) -> [String] {
    WordReader.words(of: text).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    arguments: [
      ("", []), (" ", []), ("…!?", []), ("😀👍🏽🇩🇪", []), ("___", []), ("'", []),
      (
        "The quick (\"brown\") fox can't jump 32.3 feet, right?",
        ["the", "quick", "brown", "fox", "can't", "jump", "32.3", "feet", "right"]
      ),
      ("don’t 'quoted' dogs'", ["don't", "quoted", "dogs"]), ("rock-n-roll", ["rock", "n", "roll"]),
      ("example.com:80/a_b?c=1", ["example", "com", "80", "a_b", "c", "1"]), ("U.S.A.", ["u", "s", "a"]),
      ("1,000.50 1. 2, 3,a", ["1,000.50", "1", "2", "3", "a"]), ("1'000", ["1'000"]),
      ("x2 2x _x_ 4th", ["x2", "2x", "_x_", "4th"]), ("C++ C#", ["c", "c"]),
      ("l·l col·legi", ["l·l", "col·legi"]),
      ("Straße ÉCOLE naïve", ["strasse", "ecole", "naive"]), ("e\u{301}cole", ["ecole"]),
      ("soft\u{AD}hyphen zero\u{200D}width \u{FEFF}bom", ["softhyphen", "zerowidth", "bom"]),
      ("Ὀδυσσεύς ΟΔΥΣΣΕΥΣ", ["οδυσσευσ", "οδυσσευσ"]), ("Ёлка ЁЛКА", ["елка", "елка"]),
      ("İstanbul ISPARTA ısparta", ["istanbul", "isparta", "ısparta"]),
      ("東京タワー", ["東", "京", "タワー"]), ("らーめんを食べる", ["らーめんを", "食", "べる"]),
      ("ﾀﾜｰ カ\u{3099}ス", ["ﾀﾜｰ", "ガス"]), ("한국어 \u{1112}\u{1161}\u{11AB}", ["한국어", "한"]),
      ("时间2024年", ["时", "间", "2024", "年"]), ("ภาษา", ["ภ", "า", "ษ", "า"]), ("ที่นี่", ["ที่", "นี่"]),
      ("हिन्दी में", ["हिन्दी", "में"]), ("שָׁלוֹם צה\"ל \"שלום\"", ["שלום", "צה\"ל", "שלום"]),
      ("السَّلامُ عليكم", ["السلام", "عليكم"]), ("٣٫١٤ ١٢٣", ["٣٫١٤", "١٢٣"]), ("𠀀𝟘", ["𠀀", "𝟘"]),
      ("a\u{300}\u{301}\u{302}'b", ["a'b"]), ("\u{301}a", ["a"]), ("a\u{0}b\nc\td", ["a", "b", "c", "d"]),
      ("naïve-Café…déjà_vu", ["naive", "cafe", "deja_vu"]), ("½ x² №5", ["x", "5"]), ("カ_ひ", ["カ_", "ひ"]),
    ] as [(String, [String])])
  func wordsOf(text: String, words: [String]) {
    let found = Self.words(text)
    #expect(found.map { Array($0.utf8) } == words.map { Array($0.utf8) }, "\(found)")
  }

  @Test func longWordsAreCutAtACharacter() {
    #expect(Self.words(String(repeating: "a", count: 128)) == [String(repeating: "a", count: 128)])
    #expect(
      Self.words(String(repeating: "A", count: 5000) + " b") == [String(repeating: "a", count: 128), "b"])
    #expect(Self.words("x" + String(repeating: "я", count: 100)) == ["x" + String(repeating: "я", count: 63)])
    // What folds to several letters is not divided.
    #expect(Self.words(String(repeating: "x", count: 127) + "ßy") == [String(repeating: "x", count: 127)])
    for length in 100..<200 {
      let word = String(repeating: "кот", count: length)
      #expect(Self.words(word)[0].hasPrefix(Self.words(String(word.prefix(60)))[0]))
      #expect(Self.words(word) == Self.words(word + "кот"))
    }
  }

  /// Bytes that are no text end words and are passed over.
  @Test func otherBytes() {
    let bytes: [UInt8] = [0x61, 0xFF, 0x62, 0xC3, 0x63, 0xE2, 0x82]
    var words: [[UInt8]] = []
    bytes.withUnsafeBytes { WordReader.forEachWord(of: $0) { words.append(Array($0)) } }
    #expect(words == [[0x61], [0x62], [0x63]])
  }

  /// A text's words are those of its parts at spaces, however they are written; and a word is the only one of itself.
  @Test(arguments: [1, 2] as [UInt64])
  func randomTexts(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let letters = Array("aBé'.-_ßςİ東かカー한ก\u{301}\u{AD}\"שה12,:".unicodeScalars)
    for _ in 0..<4000 {
      let parts = (0..<3).map { _ in
        var part = ""
        for _ in 0..<Int.random(in: 0..<7, using: &random) {
          part.unicodeScalars.append(letters.randomElement(using: &random)!)
        }
        return part
      }
      // A mark behind a space belongs to the space.
      let joined = Self.words(parts.joined(separator: " "))
      #expect(joined == parts.flatMap { Self.words($0) }, "\(parts)")
      for word in joined { #expect(Self.words(word) == [word], "\(parts)") }
      #expect(
        Self.words(parts[0].uppercased()) == Self.words(parts[0]) || parts[0].contains("İ"), "\(parts[0])")
    }
  }
}
