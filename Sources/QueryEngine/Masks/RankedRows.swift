package import Storage

/// Ascending rows of a table, found by their position: a bit for each row of the table, and for each 64 of them how many
/// come before.
///
/// They are counted, and those of a whole table looked up, only as far as they are asked for. Until `complete` was called they
/// belong to the thread of the table's snapshot.
package final class RankedRows {
  /// The bits that are known: `maskWordCount` words for each chunk.
  @exclusivity(unchecked) private var words: [UInt64]
  /// For each of the first words, how many rows come before it.
  @exclusivity(unchecked) private var ranks: [Int] = []
  /// The words that have the rows at positions 0, 64, 128 …
  @exclusivity(unchecked) private var landmarks: [Int] = []
  /// How many rows the ranked words have.
  @exclusivity(unchecked) private var rankedCount = 0
  private let setCount: Int
  /// Whose rows these are when they are all that are there, and what it was like when it was last followed.
  private let table: Table?
  private var vanishStamp = 0
  private var rowLimit = 0

  /// The rows of a set.
  package init(_ set: RowSet, rowLimit: Int) {
    table = nil
    setCount = set.count
    words = set.words(rowLimit: rowLimit)
  }

  /// The rows of a table that are there.
  package init(of table: Table) {
    self.table = table
    setCount = 0
    words = []
    vanishStamp = table.state.pointee.vanishStamp
    rowLimit = table.rowLimit
  }

  /// Takes in the rows that a table got since they were looked up. False when rows may have disappeared from it, or these are
  /// not all of its rows: another snapshot has a table of its own.
  package func follows(_ current: Table) -> Bool {
    guard let table, table.state == current.state, current.state.pointee.vanishStamp == vanishStamp else {
      return false
    }
    // A chunk that was not full has new rows.
    let unchanged = rowLimit / chunkCapacity * maskWordCount
    rowLimit = table.rowLimit
    if unchanged < words.count { words.removeSubrange(unchanged...) }
    if unchanged < ranks.count {
      rankedCount = ranks[unchanged]
      ranks.removeSubrange(unchanged...)
      landmarks.removeSubrange(((rankedCount + 63) / 64)...)
    }
    return true
  }

  /// The number of rows. Complexity: O(1).
  package var count: Int { table?.state.pointee.liveCount ?? setCount }

  /// The rows as a set.
  package var set: RowSet {
    lookUpWords()
    return RowSet(words: words)
  }

  /// A walk over the rows as they are now.
  package func makeWalk() -> RowWalk {
    lookUpWords()
    return RowWalk(words)
  }

  /// The row at a position; nil when there are not so many, for which they need not be counted.
  ///
  /// Complexity: about O(1) when so many have been counted before.
  package func row(ifAt position: Int) -> Int? {
    if position >= rankedCount { rank(beyond: position) }
    guard position < rankedCount else { return nil }
    let landmark = position >> 6
    let last = landmark + 1 < landmarks.count ? landmarks[landmark + 1] : ranks.count - 1
    let word = (landmarks[landmark] + 1..<last + 1).partitioningIndex { ranks[$0] > position } - 1
    return word &* 64 &+ Self.place(of: position &- ranks[word], in: words[word])
  }

  /// The position of a row; nil when it is none of these.
  package func position(of row: Int) -> Int? {
    guard row >= 0, row >> 6 < wordCount else { return nil }
    let (word, bit) = (row >> 6, 1 << UInt64(truncatingIfNeeded: row & 63) as UInt64)
    while word >= ranks.count { rankNextChunk() }
    guard words[word] & bit != 0 else { return nil }
    return ranks[word] &+ (words[word] & (bit &- 1)).nonzeroBitCount
  }

  /// Looks all rows up and counts them. After it nothing changes any more, and any thread may ask.
  package func complete() { rank(beyond: .max) }

  /// How many words there will be.
  private var wordCount: Int { table.map { $0.chunkCount * maskWordCount } ?? words.count }

  private func rank(beyond position: Int) {
    while position >= rankedCount, ranks.count < wordCount { rankNextChunk() }
    guard let table, ranks.count == wordCount, rankedCount != count else { return }
    // Where damage is noted, objects may have been counted before it was found.
    table.snapshot.report(
      damagedTable: table.number, column: -1, "which objects are there",
      "they are \(rankedCount) instead of \(count)")
  }

  private func rankNextChunk() {
    if ranks.count == words.count { lookUpNextChunk() }
    for word in ranks.count..<ranks.count + maskWordCount {
      ranks.append(rankedCount)
      rankedCount &+= words[word].nonzeroBitCount
      // A word has at most one of the positions that are marked.
      if landmarks.count &* 64 < rankedCount { landmarks.append(word) }
    }
  }

  private func lookUpWords() {
    words.reserveCapacity(wordCount)
    while words.count < wordCount { lookUpNextChunk() }
  }

  private func lookUpNextChunk() {
    guard let table else { return }
    let number = words.count / maskWordCount
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: maskWordCount) { buffer in
      ChunkMask(buffer.baseAddress!).loadPresence(table, chunk: number)
      words.append(contentsOf: buffer)
    }
  }

  /// Where in a word the set bit is before which so many others are.
  private static func place(of number: Int, in word: UInt64) -> Int {
    var (number, word, place, width) = (number, word, 0, 32)
    while width >= 8 {
      let before = (word & ((1 &<< UInt64(width)) &- 1)).nonzeroBitCount
      if number >= before {
        number &-= before
        word &>>= UInt64(width)
        place &+= width
      }
      width >>= 1
    }
    for _ in 0..<number { word &= word &- 1 }
    return place &+ word.trailingZeroBitCount
  }
}
