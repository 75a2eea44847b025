// Fits texts to a pattern of LIKE, in which `?` stands for one Unicode scalar and `*` for any number.
//
// The pattern is cut at each `*`. The pieces before the first and after the last one have their place; each other one is
// taken where it is found first. Question marks around a piece only skip scalars, so that no piece is looked for with
// them.
extension UnsafeRawBufferPointer {
  private static let one = UInt8(ascii: "?")
  private static let any = UInt8(ascii: "*")

  /// Whether the whole text fits a pattern.
  func isLike(_ pattern: UnsafeRawBufferPointer) -> Bool {
    guard let firstStar = pattern.firstIndex(of: Self.any) else {
      return end(ofPiece: pattern[...], at: 0) == count
    }
    let lastStar = pattern.lastIndex(of: Self.any)!
    guard var position = end(ofPiece: pattern[..<firstStar], at: 0) else { return false }
    var start = firstStar
    while start < lastStar {
      let piece = pattern[(start + 1)...].prefix { $0 != Self.any }
      start = piece.endIndex
      guard let found = end(ofFirst: piece, from: position) else { return false }
      position = found
    }
    // What is left must be just as long as the last piece.
    let last = pattern[(lastStar + 1)...]
    guard let from = startOfLast(scalarsOrBytesOf: last, notBefore: position) else { return false }
    return end(ofPiece: last, at: from) == count
  }

  /// Where a piece ends that stands at a place; nil when it does not.
  private func end(ofPiece piece: Slice<UnsafeRawBufferPointer>, at start: Int) -> Int? {
    var position = start
    for symbol in piece {
      if position >= count { return nil }
      if symbol == Self.one {
        position = nextScalar(position)
      } else if symbol == self[position] {
        position += 1
      } else {
        return nil
      }
    }
    return position
  }

  /// Where a piece ends at its first place from a position on.
  private func end(ofFirst piece: Slice<UnsafeRawBufferPointer>, from start: Int) -> Int? {
    // Any scalars before the letters and after them are as good as others.
    guard let firstLetter = piece.firstIndex(where: { $0 != Self.one }),
      let lastLetter = piece.lastIndex(where: { $0 != Self.one })
    else { return skip(piece.count, from: start) }
    guard let position = skip(firstLetter - piece.startIndex, from: start) else { return nil }
    let letters = UnsafeRawBufferPointer(rebasing: piece[firstLetter...lastLetter])
    guard let end = end(ofFirstLetters: letters, from: position) else { return nil }
    return skip(piece.endIndex - 1 - lastLetter, from: end)
  }

  private func end(ofFirstLetters letters: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard letters.contains(Self.one) else {
      return firstOccurrence(of: letters, from: start).map { $0 + letters.count }
    }
    if letters.count > 64 { return WideLikePiece(letters).endOfFirst(in: self, from: start) }
    return (start..<Swift.max(start, count)).lazy.compactMap { end(ofPiece: letters[...], at: $0) }.first
  }

  /// Where the last piece must begin to end with the text.
  private func startOfLast(
    scalarsOrBytesOf piece: Slice<UnsafeRawBufferPointer>, notBefore limit: Int
  ) -> Int? {
    var position = count
    for symbol in piece.reversed() {
      if position <= limit { return nil }
      position -= 1
      if symbol == Self.one {
        while position > limit && self[position] & 0xC0 == 0x80 { position -= 1 }
      } else if symbol != self[position] {
        return nil
      }
    }
    return position
  }

  private func skip(_ scalars: Int, from start: Int) -> Int? {
    var position = start
    for _ in 0..<scalars {
      if position >= count { return nil }
      position = nextScalar(position)
    }
    return position
  }

  private func nextScalar(_ position: Int) -> Int {
    var next = position + 1
    while next < count && self[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }
}
