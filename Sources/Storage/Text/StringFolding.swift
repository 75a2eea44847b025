/// Makes strings equal that differ only in what `[c]` and `[d]` ignore.
///
/// The rule, which knows no language and works scalar by scalar, after Unicode 14 whatever the platform has:
/// - `[c]`: each scalar is replaced by its full case folding (C and F of CaseFolding.txt). So ß and ẞ equal ss and SS,
///   final sigma equals sigma, and ﬁ equals fi. İ equals i with a dot above, and dotless ı is a letter of its own:
///   nothing is folded as Turkish has it.
/// - `[d]`: each scalar is decomposed canonically, diacritics are dropped, and the rest is composed again. Diacritics are
///   the nonspacing marks that letters of any alphabet can have, and those of Cyrillic, Hebrew, Arabic and Syriac,
///   such as vowel points. So é, and e with a combining accent, equal e; й equals и. Marks that make another letter
///   are kept: the vowel signs of India and South-East Asia, and the sound marks of kana, so that が is not か. Letters
///   without a decomposition, as ø, ł and đ, are not folded. Canonically equivalent strings are equal, except for the
///   order of several marks that are kept.
/// - `[cd]`: first `[d]`, then `[c]`, then `[d]` again for the marks that folding brought.
///
/// Without options strings are compared as they are: é is not equal to e with a combining accent. Order is always that
/// of code points, which is also that of the bytes in UTF-8.
package struct StringFolding: Sendable {
  package let ignoresCase: Bool
  package let ignoresDiacritics: Bool
  /// For what is not ASCII.
  private let mapping: ScalarMapping

  /// nil when nothing is to be folded.
  package init?(ignoresCase: Bool, ignoresDiacritics: Bool) {
    self.ignoresCase = ignoresCase
    self.ignoresDiacritics = ignoresDiacritics
    switch (ignoresCase, ignoresDiacritics) {
    case (true, true): mapping = .foldedBaseLetters
    case (true, false): mapping = .caseFolding
    case (false, true): mapping = .baseLetters
    case (false, false): return nil
    }
  }

  /// The folding of words in full-text search, which is `[cd]`.
  static let words = StringFolding(ignoresCase: true, ignoresDiacritics: true)!

  @inlinable @inline(__always) package static func lowercasedASCII(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  /// The folded bytes, or nil for bytes that are not UTF-8.
  package func fold(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    var folded = FoldedText()
    folded.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if byte < 0x80 {
        folded.append(ascii: ignoresCase ? Self.lowercasedASCII(byte) : byte)
        position += 1
      } else {
        guard let (scalar, length) = bytes.scalar(at: position) else { return nil }
        append(scalar, to: &folded)
        position += length
      }
    }
    return folded.bytes
  }

  /// Appends what a scalar that is not ASCII is replaced by.
  @inline(__always) func append(_ scalar: Unicode.Scalar, to folded: inout FoldedText) {
    if ignoresDiacritics {
      mapping.forEach(of: scalar) { folded.appendComposing($0) }
    } else {
      mapping.forEach(of: scalar) { folded.append($0) }
    }
  }
}

/// Folded text while it is made.
struct FoldedText {
  private(set) var bytes: [UInt8] = []
  /// The last scalar when it is not ASCII, and where its bytes begin.
  private var last: Unicode.Scalar?
  private var lastStart = 0

  mutating func reserveCapacity(_ capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    last = nil
  }

  /// Takes back what was appended since the text had this many bytes.
  mutating func truncate(to count: Int) {
    bytes.removeLast(bytes.count - count)
    last = nil
  }

  @inline(__always) mutating func append(ascii byte: UInt8) {
    bytes.append(byte)
    last = nil
  }

  /// Appends a scalar, or composes it with the one before, if these two are a pair.
  @inline(__always) mutating func appendComposing(_ scalar: Unicode.Scalar) {
    if let last, Self.canFollow(scalar), let composed = Self.composition(last, scalar) {
      bytes.removeLast(bytes.count - lastStart)
      append(composed)
    } else {
      append(scalar)
    }
  }

  mutating func append(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    if value < 0x80 {
      append(ascii: UInt8(value))
      return
    }
    last = scalar
    lastStart = bytes.count
    if value < 0x800 {
      bytes.append(UInt8(0xC0 | value >> 6))
    } else {
      if value < 0x10000 {
        bytes.append(UInt8(0xE0 | value >> 12))
      } else {
        bytes.append(UInt8(0xF0 | value >> 18))
        bytes.append(UInt8(0x80 | value >> 12 & 0x3F))
      }
      bytes.append(UInt8(0x80 | value >> 6 & 0x3F))
    }
    bytes.append(UInt8(0x80 | value & 0x3F))
  }

  /// Whether a scalar can be the second of a pair, more or less.
  @inline(__always) private static func canFollow(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    return value >= 0x93C && (value <= 0x1B35 || value &- 0x3099 < 2 || value &- 0x110BA < 0x900)
  }

  @inline(never)
  private static func composition(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    // Hangul: a leading consonant with a vowel, and a syllable of these two with a trailing consonant.
    if (0x1100...0x1112).contains(first.value) && (0x1161...0x1175).contains(second.value) {
      return Unicode.Scalar(0xAC00 + ((first.value - 0x1100) * 21 + second.value - 0x1161) * 28)
    }
    if (0xAC00...0xD7A3).contains(first.value) && (0x11A8...0x11C2).contains(second.value) {
      if (first.value - 0xAC00) % 28 != 0 { return nil }
      return Unicode.Scalar(first.value + second.value - 0x11A7)
    }
    return ScalarMapping.compositions[UInt64(first.value) << 32 | UInt64(second.value)]
  }
}

extension UnsafeRawBufferPointer {
  /// The scalar that is not ASCII at a place in UTF-8, and the number of its bytes; nil for bytes that are none.
  @inline(__always) func scalar(at position: Int) -> (Unicode.Scalar, Int)? {
    let byte = self[position]
    let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
    guard byte >= 0xC2, byte <= 0xF4, position &+ length <= count else { return nil }
    var value = UInt32(byte) & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let next = self[position &+ offset]
      guard next & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(next & 0x3F)
    }
    // Neither longer than necessary, nor a surrogate, nor too large.
    if length == 3 ? value < 0x800 : length == 4 && value < 0x10000 { return nil }
    guard let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, length)
  }
}
