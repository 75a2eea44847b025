/// A long piece of a LIKE pattern with question marks between its letters, which is looked for at all places of a text at
/// once: each place of the pattern is a bit that says whether the text so far ends in the pattern so far.
struct WideLikePiece {
  private let wordCount: Int
  private let length: Int
  /// For each byte of the pattern the places where it fits; those of question marks fit every scalar.
  private var places: [UInt8: [UInt64]] = [:]
  private var questionMarks: [UInt64]

  init(_ pattern: UnsafeRawBufferPointer) {
    length = pattern.count
    wordCount = (pattern.count + 63) / 64
    questionMarks = [UInt64](repeating: 0, count: wordCount)
    let one = UInt8(ascii: "?")
    for (place, byte) in pattern.enumerated() where byte == one {
      questionMarks[place / 64] |= 1 << UInt64(place % 64)
    }
    for (place, byte) in pattern.enumerated() where byte != one {
      // A question mark begins with no byte in the middle of a scalar.
      let others = byte & 0xC0 == 0x80 ? [UInt64](repeating: 0, count: wordCount) : questionMarks
      places[byte, default: others][place / 64] |= 1 << UInt64(place % 64)
    }
  }

  /// Where the piece ends at its first place from a position on.
  func endOfFirst(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var ended = [UInt64](repeating: 0, count: wordCount)
    let nowhere = [UInt64](repeating: 0, count: wordCount)
    let (lastWord, lastBit) = ((length - 1) / 64, UInt64((length - 1) % 64))
    for position in start..<Swift.max(start, text.count) {
      let byte = text[position]
      let isInside = byte & 0xC0 == 0x80
      let fitting = places[byte] ?? (isInside ? nowhere : questionMarks)
      var carry: UInt64 = 1
      for word in 0..<wordCount {
        let before = ended[word]
        // Inside a scalar a question mark goes on.
        let staying = isInside ? before & questionMarks[word] : 0
        ended[word] = (before << 1 | carry) & fitting[word] | staying
        carry = before >> 63
      }
      if ended[lastWord] >> lastBit & 1 == 1 { return position + 1 }
    }
    return nil
  }
}
