/// Words and rows that have them, in the order in which they come, until they are needed in order.
///
/// The words of a text are from all over the alphabet, and most of them have come before. To find the number of a word in a
/// table of those takes a fraction of the time that a place among all pairs does; the pairs are put in order at once.
///
/// Invariant: `numbers` and `rows` are equally long; the bytes of `words` are in the arena of the owner.
struct GatheredWords {
  private struct Word: Hashable {
    let pair: BytesPair

    static func == (a: Word, b: Word) -> Bool { a.pair.compareKey(b.pair) == 0 }

    func hash(into hasher: inout Hasher) {
      hasher.combine(bytes: UnsafeRawBufferPointer(start: pair.start, count: pair.length))
    }
  }

  private var numberOfWord: [Word: UInt32] = [:]
  /// Each once, in the order in which they came first.
  private var words: [BytesPair] = []
  /// Of each entry the number of its word.
  private var numbers: [UInt32] = []
  /// Of each entry the row.
  private var rows: [UInt64] = []

  init() {}

  var isEmpty: Bool { rows.isEmpty }

  /// Whether they are to be sorted in before more come: what comes and goes again and again does not pile up, nor does a
  /// table of words that are all different.
  var isFull: Bool { rows.count >= Self.limit || words.count >= Self.wordLimit }

  // Some 100 MB each. Smaller where tests are to get there.
  #if DEBUG
    private static let (limit, wordLimit) = (1_000, 300)
  #else
    private static let (limit, wordLimit) = (1 << 23, 1 << 20)
  #endif

  /// Adds an entry; the arena gets a copy of a new word.
  mutating func append(_ word: UnsafeRawBufferPointer, row: UInt64, _ arena: KeyArena) {
    let pair = BytesPair(word, row: 0)
    rows.append(row)
    if let number = numberOfWord[Word(pair: pair)] {
      numbers.append(number)
      return
    }
    let number = UInt32(words.count)
    let kept = BytesPair(arena.copy(pair.start, pair.length), pair.length, row: 0)
    numberOfWord[Word(pair: kept)] = number
    words.append(kept)
    numbers.append(number)
  }

  /// Calls the body with the pairs of all entries, sorted.
  func forEachPair(_ body: (BytesPair) -> Void) {
    let order = words.indices.sorted { words[$0] < words[$1] }
    // Where the rows of each word begin; behind them once they are there.
    var ends = [Int](repeating: 0, count: words.count)
    for number in numbers { ends[Int(number)] += 1 }
    var start = 0
    for word in order {
      let count = ends[word]
      ends[word] = start
      start += count
    }
    var sorted = [UInt64](repeating: 0, count: rows.count)
    for (number, row) in zip(numbers, rows) {
      sorted[ends[Int(number)]] = row
      ends[Int(number)] += 1
    }
    start = 0
    for word in order {
      let range = start..<ends[word]
      // Rows are usually written in their order.
      if zip(sorted[range], sorted[range].dropFirst()).contains(where: { $1 < $0 }) { sorted[range].sort() }
      for place in range { body(words[word].with(row: sorted[place])) }
      start = range.upperBound
    }
  }
}
