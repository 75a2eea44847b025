/// The different words of a text, in the order of their bytes.
struct WordList {
  private var bytes: [UInt8] = []
  private var ranges: [Range<Int>] = []

  /// - Parameter text: UTF-8.
  init(_ text: UnsafeRawBufferPointer) {
    WordReader.forEachWord(of: text) { word in
      ranges.append(bytes.count..<bytes.count + word.count)
      bytes.append(contentsOf: word)
    }
    sort()
  }

  /// No words.
  init() {}

  private mutating func sort() {
    bytes.withUnsafeBytes { all in
      func pair(_ range: Range<Int>) -> BytesPair {
        BytesPair(UnsafeRawBufferPointer(rebasing: all[range]), row: 0)
      }
      ranges.sort { pair($0) < pair($1) }
      var kept = 0
      for position in ranges.indices
      where position == 0 || pair(ranges[position]) != pair(ranges[kept - 1]) {
        ranges[kept] = ranges[position]
        kept += 1
      }
      ranges.removeLast(ranges.count - kept)
    }
  }

  /// Calls the bodies with the words that only this or only the other list has.
  func forEachDifference(
    from other: WordList, here: (UnsafeRawBufferPointer) -> Void, there: (UnsafeRawBufferPointer) -> Void
  ) {
    bytes.withUnsafeBytes { mine in
      other.bytes.withUnsafeBytes { others in
        var (position, otherPosition) = (0, 0)
        while position < ranges.count || otherPosition < other.ranges.count {
          let word =
            position < ranges.count ? UnsafeRawBufferPointer(rebasing: mine[ranges[position]]) : nil
          let otherWord =
            otherPosition < other.ranges.count
            ? UnsafeRawBufferPointer(rebasing: others[other.ranges[otherPosition]]) : nil
          let order =
            word == nil
            ? 1 : otherWord == nil ? -1 : BytesPair(word!, row: 0).compareKey(BytesPair(otherWord!, row: 0))
          if order <= 0 { position += 1 }
          if order >= 0 { otherPosition += 1 }
          if order < 0 { here(word!) }
          if order > 0 { there(otherWord!) }
        }
      }
    }
  }
}
