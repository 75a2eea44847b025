/// Where the blocks of one kind are, for finding one faster than the file's tree does.
///
/// Invariant: as for the blocks that it points to, its life ends with that of the read transaction.
final class BlockDirectory<Pair: IndexPair> {
  private let count: Int
  private let firsts: UnsafeMutablePointer<Pair>
  private let blocks: UnsafeMutablePointer<UnsafeRawBufferPointer>
  /// Outlives the directory: both belong to one reader.
  private let cursor: Unmanaged<BlockCursor>
  private let arena = KeyArena()

  /// Reads where the blocks are; nil when there are more than the limit.
  init?(_ cursor: BlockCursor, _ kind: IndexKeyKind, limit: Int) throws(EntryError) {
    var pairs: [Pair] = []
    var addresses: [UnsafeRawBufferPointer] = []
    self.cursor = .passUnretained(cursor)
    var hasBlock = try cursor.moveToFirst(kind)
    while hasBlock {
      if pairs.count == limit { return nil }
      let (content, pair) = cursor.first(Pair.self, arena)
      pairs.append(pair)
      addresses.append(content)
      hasBlock = try cursor.moveToNext(kind)
    }
    count = pairs.count
    firsts = .allocate(capacity: count)
    firsts.initialize(from: pairs, count: count)
    blocks = .allocate(capacity: count)
    blocks.initialize(from: addresses, count: count)
  }

  deinit {
    firsts.deallocate()
    blocks.deallocate()
  }

  /// The last block whose first pair is not after the given one, and the first pair of the block after that.
  @inline(__always) func find(_ pair: Pair) -> (block: Pair.Block?, next: Pair?) {
    var low = 0
    var length = count
    while length > 0 {
      let half = length &>> 1
      let isAfter = pair < firsts[low &+ half]
      low = isAfter ? low : low &+ half &+ 1
      length = isAfter ? half : length &- half &- 1
    }
    return result(low)
  }

  /// The same for the number of blocks that do not begin after the pair.
  @inline(__always) private func result(_ number: Int) -> (block: Pair.Block?, next: Pair?) {
    let block =
      number == 0 ? nil : cursor._withUnsafeGuaranteedRef { $0.block(Pair.self, blocks[number &- 1]) }
    return (block, number == count ? nil : firsts[number])
  }
}

extension BlockDirectory<IntegerPair> {
  /// Returns what `find` does, by interpolation: most keys are consecutive numbers, whose place follows from the first and the last.
  @inline(__always) func findEvenlySpread(_ pair: IntegerPair) -> (block: IntegerBlock?, next: IntegerPair?) {
    if count > 1 {
      let guess = Int(pair.progress(from: firsts[0], to: firsts[count &- 1]) * Double(count &- 1))
      if firsts[guess] <= pair, guess &+ 1 == count || pair < firsts[guess &+ 1] { return result(guess &+ 1) }
    }
    return find(pair)
  }
}

/// Counts searches, and decides when a directory of the blocks would have paid.
struct DirectoryPolicy {
  private var searches = 0
  private var nextAttempt = 256

  /// Counts a search. Returns the most blocks that a directory is to be made for now, or nil for none.
  @inline(__always) mutating func countSearch() -> Int? {
    searches &+= 1
    if searches < nextAttempt { return nil }
    nextAttempt *= 4
    // Entering a block takes about a tenth of the time of a search, so that even a failed attempt does little
    // harm.
    return searches * 8
  }
}
