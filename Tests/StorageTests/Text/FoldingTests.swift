import Foundation
import Storage
import TestSupport
import Testing

/// What `[c]` and `[d]` make equal, in many languages.
@Suite struct FoldingTests {
  private static func fold(_ text: String, _ options: String) -> String {
    let folding = StringFolding(
      ignoresCase: options.contains("c"), ignoresDiacritics: options.contains("d"))!
    var text = text
    return text.withUTF8 { String(decoding: folding.fold(UnsafeRawBufferPointer($0))!, as: UTF8.self) }
  }

  /// Scalar by scalar, since strings that are canonically equivalent are equal in Swift.
  private static func areEqual(_ a: String, _ b: String, _ options: String) -> Bool {
    Array(fold(a, options).utf8) == Array(fold(b, options).utf8)
  }

  @Test(arguments: [
    // Latin and German.
    ("Wolf", "wOLF", true, false, true), ("straße", "STRASSE", true, false, true),
    ("STRAẞE", "strasse", true, false, true), ("é", "É", true, false, true), ("é", "e", false, true, true),
    ("é", "e\u{301}", false, true, true), ("É", "e", false, false, true), ("ﬁn", "FIN", true, false, true),
    ("ſ", "S", true, false, true), ("K", "\u{212A}", true, true, true), ("ǅ", "ǆ", true, false, true),
    ("ǅ", "Ǳ", false, false, false), ("ø", "o", false, false, false), ("Ł", "l", false, false, false),
    ("đ", "Đ", true, false, true), ("Ệ", "e", false, false, true),
    ("e\u{323}\u{302}", "ệ", false, true, true),
    ("e\u{302}\u{323}", "ệ", false, true, true), ("ŉ", "ʼN", true, false, true),
    ("œ", "oe", false, false, false),
    // Turkish, without its language.
    ("I", "i", true, false, true), ("ı", "I", false, false, false), ("ı", "i", false, false, false),
    ("İ", "i", false, false, true), ("İ", "i\u{307}", true, false, true), ("İ", "I", false, true, true),
    ("ç", "c", false, true, true), ("Ş", "s", false, false, true), ("ğ", "G", false, false, true),
    // Greek.
    ("Σίσυφος", "ΣΊΣΥΦΟΣ", true, false, true), ("ς", "σ", true, false, true),
    ("Ελλάς", "ΕΛΛΑΣ", false, false, true), ("ᾳ", "ΑΙ", true, false, false),
    ("ᾳ", "α", false, true, true), ("ΐ", "Ϊ\u{301}", false, false, true), ("ΰ", "υ", false, true, true),
    ("Ω", "\u{2126}", true, true, true), ("Ω", "\u{2126}", true, true, true), ("ϐ", "Β", true, false, true),
    ("ἄνθρωπος", "ΑΝΘΡΩΠΟΣ", false, false, true),
    // Cyrillic, Armenian, Georgian, Cherokee, Deseret.
    ("Привет", "ПРИВЕТ", true, false, true), ("ё", "е", false, true, true), ("Й", "и", false, false, true),
    ("й", "и\u{306}", false, true, true), ("ѓ", "г", false, true, true), ("ꙋ", "ᲈ", true, false, true),
    ("և", "ԵՒ", true, false, true), ("ა", "Ა", true, false, true), ("Ꭰ", "ꭰ", true, false, true),
    ("𐐀", "𐐨", true, false, true),
    // Hebrew, Arabic.
    ("שָׁלוֹם", "שלום", false, true, true), ("\u{FB2A}", "ש", false, true, true),
    ("مُحَمَّد", "محمد", false, true, true), ("آ", "ا", false, true, true), ("أ", "ا", false, true, true),
    // Marks that make another letter are kept.
    ("が", "か", false, false, false), ("が", "か\u{3099}", false, true, true), ("ぱ", "ば", false, false, false),
    ("ガ", "カ\u{3099}", false, true, true), ("कु", "क", false, false, false),
    ("\u{958}", "\u{915}\u{93C}", false, true, true), ("กี", "ก", false, false, false),
    ("\u{9CB}", "\u{9C7}\u{9BE}", false, true, true),
    ("한", "\u{1112}\u{1161}\u{11AB}", false, true, true), ("하", "한", false, false, false),
    ("\u{F900}", "\u{8C48}", false, true, true), ("\u{2F800}", "\u{4E3D}", false, true, true),
    // Without [d], forms are not made alike.
    ("é", "e\u{301}", false, true, true), ("ＡＢ", "ａｂ", true, false, true), ("ＡＢ", "ab", false, false, false),
  ])
  func pairs(a: String, b: String, byCase: Bool, byDiacritics: Bool, byBoth: Bool) {
    #expect(Self.areEqual(a, b, "c") == byCase, "\(a) \(b) [c]")
    #expect(Self.areEqual(a, b, "d") == byDiacritics, "\(a) \(b) [d]")
    #expect(Self.areEqual(a, b, "cd") == byBoth, "\(a) \(b) [cd]")
  }

  /// Digests of every scalar folded by itself, 16,384 to each, which Python's `casefold` and `unicodedata` gave:
  /// FNV-1a over the UTF-8 of the results, each with a zero behind it. `[d]` is NFC of NFD without the marks; `[cd]` is
  /// that, case folding, and that again.
  @Test(
    arguments: [
      (
        "c",
        [
          0xF821_C3F1_91ED_534E, 0x0EA3_3A78_9F3F_8E25, 0xD8EC_2D97_6730_124F, 0x1220_17FE_62AF_4E1E,
          0x7817_C2C1_CE5A_043E, 0x4B90_450C_C98D_53A5, 0xA1EF_39D1_3FB8_8C25, 0x8D23_D07F_7E60_A3F5,
          0x97C6_2408_6DB5_7425, 0x5807_0F96_7952_BC25, 0xF06C_E37B_B374_A825, 0x273F_01F5_3E4F_3C25,
        ]
      ),
      (
        "d",
        [
          0x44CC_80E8_764B_01E3, 0x0EA3_3A78_9F3F_8E25, 0x0EF6_5446_4622_2751, 0xD9A7_379A_201A_A715,
          0xB363_CF70_4327_B425, 0x3807_BCA8_97D6_6225, 0xA1EF_39D1_3FB8_8C25, 0xDE17_BFBA_57D0_6BEF,
          0x97C6_2408_6DB5_7425, 0x5807_0F96_7952_BC25, 0xF06C_E37B_B374_A825, 0x233D_2AAB_F4DD_9C76,
        ]
      ),
      (
        "cd",
        [
          0x9AD6_3F05_F2B5_CC5E, 0x0EA3_3A78_9F3F_8E25, 0x5AAC_BE24_3F2A_0535, 0xB2A7_724E_9A3D_4184,
          0x7817_C2C1_CE5A_043E, 0x4B90_450C_C98D_53A5, 0xA1EF_39D1_3FB8_8C25, 0x1D37_0102_E768_0ABF,
          0x97C6_2408_6DB5_7425, 0x5807_0F96_7952_BC25, 0xF06C_E37B_B374_A825, 0x233D_2AAB_F4DD_9C76,
        ]
      ),
    ] as [(String, [UInt64])])
  func everyScalar(options: String, digests: [UInt64]) {
    for (block, expected) in digests.enumerated() {
      var digest: UInt64 = 0xCBF2_9CE4_8422_2325
      for value in UInt32(block) * 0x4000..<UInt32(block + 1) * 0x4000 {
        guard let scalar = Unicode.Scalar(value) else { continue }
        for byte in Array(Self.fold(String(scalar), options).utf8) + [0] {
          digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3
        }
      }
      #expect(digest == expected, "[\(options)] from U+\(String(block * 0x4000, radix: 16))")
    }
  }

  /// Decomposed by Foundation, a text folds to the same; and folding twice changes nothing.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func formsAreAlike(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0xA0...0x24F, 0x300...0x33F, 0x370...0x3FF, 0x400...0x4FF, 0x5D0...0x5EA, 0x621...0x64F,
      0x1E00...0x1FFF, 0x3041...0x30FF, 0xAC00...0xD7A3, 0xF900...0xFAD9,
    ]
    for _ in 0..<3000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let value = UInt32.random(in: ranges.randomElement(using: &random)!, using: &random)
        text.unicodeScalars.append(Unicode.Scalar(value)!)
      }
      for options in ["d", "cd"] {
        let folded = Self.fold(text, options)
        #expect(
          Array(Self.fold(text.decomposedStringWithCanonicalMapping, options).utf8) == Array(folded.utf8),
          "\(text.unicodeScalars.map { String($0.value, radix: 16) }) [\(options)]")
        #expect(Array(Self.fold(folded, options).utf8) == Array(folded.utf8))
      }
    }
  }

  @Test(
    arguments: [
      [0x61, 0x80], [0xC0, 0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
      [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF],
    ] as [[UInt8]])
  func whatIsNoTextIsNotFolded(bytes: [UInt8]) {
    let folding = StringFolding(ignoresCase: true, ignoresDiacritics: true)!
    #expect(bytes.withUnsafeBytes { folding.fold($0) } == nil)
  }
}
