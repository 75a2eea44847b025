import LibC

/// Merges sorted changes into the blocks of one index and kind, block by block.
///
/// Blocks that run full are split in halves, unless pairs are appended or added in bulk: then blocks are filled.
/// What is left of a block that shrinks to less than a quarter is merged into the next block.
struct IndexMerge<Pair: IndexPair> {
  private let kind: IndexKeyKind
  private let cursor: BlockCursor
  private let transaction: EntryTransaction
  private let tree: EntryTree
  private let added: SortedPairs<Pair>
  private let removed: SortedPairs<Pair>
  private var addedPosition: SortedPairs<Pair>.Position
  private var removedPosition: SortedPairs<Pair>.Position

  /// The keys of the blocks that are being replaced.
  private var oldKeys: [[UInt8]] = []
  private var oldPairs: [Pair] = []
  /// How often each of the old pairs is there; empty when all are there once.
  private var oldCounts: [UInt32] = []
  /// What takes their place: different pairs.
  private var output: [Pair] = []
  /// How often each pair of the output is there; empty when all are there once.
  private var counts: [UInt32] = []
  /// Whether `output` is to be packed into full blocks.
  private var fillsBlocks = false
  private let arena = KeyArena()
  private let blockKey: BlockKeyBuffer

  init(
    _ changes: PairChanges<Pair>, _ kind: IndexKeyKind, _ cursor: BlockCursor,
    _ transaction: EntryTransaction,
    _ tree: EntryTree
  ) {
    self.kind = kind
    self.cursor = cursor
    blockKey = BlockKeyBuffer()
    self.transaction = transaction
    self.tree = tree
    added = changes.added
    removed = changes.removed
    addedPosition = changes.added.start
    removedPosition = changes.removed.start
  }

  private var nextAdded: Pair? { addedPosition == added.end ? nil : added[addedPosition] }
  private var nextRemoved: Pair? { removedPosition == removed.end ? nil : removed[removedPosition] }
  private var nextChange: Pair? { Self.first(nextAdded, nextRemoved) }

  @inline(__always) private static func first(_ addition: Pair?, _ removal: Pair?) -> Pair? {
    guard let addition, let removal else { return addition ?? removal }
    return min(addition, removal)
  }

  mutating func run() throws(EntryError) {
    while let change = nextChange {
      oldKeys.removeAll(keepingCapacity: true)
      output.removeAll(keepingCapacity: true)
      counts.removeAll(keepingCapacity: true)
      arena.removeAll()
      fillsBlocks = false
      var hasBlock = try cursor.moveToLast(notAfter: change, kind)
      if !hasBlock { hasBlock = try cursor.moveToFirst(kind) }
      var wasFlushed = false
      repeat {
        oldPairs.removeAll(keepingCapacity: true)
        oldCounts.removeAll(keepingCapacity: true)
        var bound: Pair?
        if hasBlock {
          oldKeys.append(cursor.keyBytes)
          let block = cursor.block(Pair.self)
          block.append(to: &oldPairs, arena)
          if block.copies.packing != .constant {
            oldCounts.append(contentsOf: oldPairs.indices.map { UInt32(block.copies[$0]) })
          }
          hasBlock = try cursor.moveToNext(kind)
          bound = hasBlock ? cursor.block(Pair.self).pair(0, arena) : nil
        }
        wasFlushed = try mergeBlock(before: bound)
      } while hasBlock && !wasFlushed && isUnderfull
      try writeOutput()
    }
  }

  private var isUnderfull: Bool {
    if output.count >= IndexFormat.blockCapacity / 4 { return false }
    if output.isEmpty { return false }
    return withOutput {
      let layout = Pair.Block.layout($0)
      return layout.count == $0.count && layout.size < IndexFormat.blockSize / 4
    }
  }

  // MARK: Merging

  /// Moves the old pairs, and the changes before the bound, to the output. Returns whether part of that has been
  /// written already.
  private mutating func mergeBlock(before bound: Pair?) throws(EntryError) -> Bool {
    var addition = nextAdded
    var removal = nextRemoved
    var index = 0
    let oldPairs = oldPairs
    while index < oldPairs.count {
      let kept = countOfPairs(from: index, before: addition, removal)
      if kept > 0 {
        oldPairs.withUnsafeBufferPointer {
          output.append(contentsOf: UnsafeBufferPointer(rebasing: $0[index..<index + kept]))
        }
        index += kept
        continue
      }
      let pair = oldPairs[index]
      while let next = addition, next < pair {
        append(next, 1)
        added.advance(&addedPosition)
        addition = nextAdded
      }
      while let next = removal, next < pair {
        removed.advance(&removedPosition)
        removal = nextRemoved
      }
      var count = oldCounts.isEmpty ? 1 : oldCounts[index]
      while removal == pair {
        if count > 0 { count -= 1 }
        removed.advance(&removedPosition)
        removal = nextRemoved
      }
      if count > 0 { append(pair, count) }
      index += 1
    }
    while let next = removal, bound.map({ next < $0 }) ?? true {
      removed.advance(&removedPosition)
      removal = nextRemoved
    }
    if addition != nil && bound == nil { fillsBlocks = true }
    var wasFlushed = false
    while let next = addition, bound.map({ next < $0 }) ?? true {
      appendAdditions(before: bound)
      addition = nextAdded
      if output.count >= 32 * IndexFormat.blockCapacity {
        fillsBlocks = true
        try flush()
        wasFlushed = true
      }
    }
    if output.count > 4 * IndexFormat.blockCapacity { fillsBlocks = true }
    return wasFlushed
  }

  /// How many of the old pairs from an index on are before the next changes, and can be taken as they are.
  @inline(__always)
  private func countOfPairs(from index: Int, before addition: Pair?, _ removal: Pair?) -> Int {
    if !oldCounts.isEmpty || !counts.isEmpty || output.last == oldPairs[index] { return 0 }
    guard let change = Self.first(addition, removal) else { return oldPairs.count - index }
    return oldPairs.withUnsafeBufferPointer { pairs in
      var end = index
      while end < pairs.count, pairs[end] < change { end &+= 1 }
      return end &- index
    }
  }

  /// Adds at least one of the additions, which is before the bound, and those that lie behind it in memory.
  @inline(__always) private mutating func appendAdditions(before bound: Pair?) {
    let pairs = added.pairs(from: addedPosition)
    append(pairs[0], 1)
    var end = 1
    if counts.isEmpty {
      while end < pairs.count, pairs[end] != pairs[end - 1], bound.map({ pairs[end] < $0 }) ?? true {
        end &+= 1
      }
      output.append(contentsOf: pairs[1..<end])
    }
    added.advance(&addedPosition, by: end)
  }

  /// Adds a pair, which is not before those that are there, to the output.
  @inline(__always) private mutating func append(_ pair: Pair, _ count: UInt32) {
    if let last = output.last, last == pair {
      if counts.isEmpty { counts = Array(repeating: 1, count: output.count) }
      counts[output.count - 1] += count
      return
    }
    if count > 1 && counts.isEmpty { counts = Array(repeating: 1, count: output.count) }
    output.append(pair)
    // Counts that were made for no pairs at all begin with this one.
    if count > 1 || !counts.isEmpty { counts.append(count) }
  }

  private func withOutput<Result>(_ body: (CountedPairs<Pair>) -> Result) -> Result {
    output.withUnsafeBufferPointer { pairs in
      counts.withUnsafeBufferPointer { counts in
        body(CountedPairs(pairs: pairs, counts: counts.isEmpty ? nil : counts))
      }
    }
  }

  // MARK: Writing

  /// Writes full blocks from the beginning of the output, and leaves a rest.
  private mutating func flush() throws(EntryError) {
    var plan = layOut()
    // The rest is large enough to be split well.
    while let last = plan.last, output.count - last.start < 2 * IndexFormat.blockCapacity {
      plan.removeLast()
    }
    guard let last = plan.last else { return }
    try write(plan)
    let end = last.start + last.layout.count
    output.removeFirst(end)
    if !counts.isEmpty { counts.removeFirst(end) }
  }

  private mutating func writeOutput() throws(EntryError) {
    if output.isEmpty {
      for key in oldKeys { try transaction.delete(tree, key, key.count) }
    } else {
      try write(layOut())
    }
  }

  private struct PlannedBlock {
    var start: Int
    var layout: Pair.Block.Layout
  }

  /// Divides the output into blocks.
  private func layOut() -> [PlannedBlock] {
    var plan: [PlannedBlock] = []
    withOutput { pairs in
      if fillsBlocks {
        var start = 0
        while start < pairs.count {
          let layout = Pair.Block.layout(pairs[start..<pairs.count])
          plan.append(PlannedBlock(start: start, layout: layout))
          start += layout.count
        }
      } else {
        layOut(pairs, 0..<pairs.count, &plan)
      }
    }
    return plan
  }

  /// Halves a range until each part fits a block.
  private func layOut(
    _ pairs: CountedPairs<Pair>, _ range: Range<Int>, _ plan: inout [PlannedBlock]
  ) {
    let layout = Pair.Block.layout(pairs[range])
    if layout.count == range.count {
      plan.append(PlannedBlock(start: range.lowerBound, layout: layout))
    } else {
      let middle = range.lowerBound + range.count / 2
      layOut(pairs, range.lowerBound..<middle, &plan)
      layOut(pairs, middle..<range.upperBound, &plan)
    }
  }

  /// Replaces the old blocks by those planned.
  private mutating func write(_ plan: [PlannedBlock]) throws(EntryError) {
    // An old block that the first new one overwrites need not be deleted.
    let first = output[plan[0].start]
    let firstSize = first.isCut ? 0 : blockKey.write(first, cursor.index, kind, ordinal: 0)
    for key in oldKeys where firstSize == 0 || !blockKey.equals(key, firstSize) {
      try transaction.delete(tree, key, key.count)
    }
    oldKeys.removeAll(keepingCapacity: true)
    var place = 0
    while place < plan.count {
      let pair = output[plan[place].start]
      if pair.isCut {
        var end = place + 1
        while end < plan.count, blockKey.haveSameCut(pair, output[plan[end].start]) { end += 1 }
        var ordinals = try OrdinalGap(around: pair, kind, cursor, transaction, tree, count: end - place)
        while place < end {
          try write(plan[place], ordinal: ordinals.next())
          place += 1
        }
      } else {
        try write(plan[place], ordinal: 0)
        place += 1
      }
    }
  }

  private func write(_ block: PlannedBlock, ordinal: UInt64) throws(EntryError) {
    let keySize = blockKey.write(output[block.start], cursor.index, kind, ordinal: ordinal)
    try transaction.store(tree, blockKey.bytes, keySize, size: block.layout.size) { target in
      withOutput { Pair.Block.write($0[block.start..<$0.count], block.layout, to: target) }
    }
  }
}

/// Memory for the key of a block.
final class BlockKeyBuffer {
  let bytes = UnsafeMutableRawPointer.allocate(byteCount: IndexFormat.longestBlockKey, alignment: 8)

  deinit { bytes.deallocate() }

  /// Writes the key of a block that begins with the pair, and returns its size.
  func write<Pair: IndexPair>(_ pair: Pair, _ index: UInt32, _ kind: IndexKeyKind, ordinal: UInt64) -> Int {
    bytes.storeBytes(of: index.bigEndian, as: UInt32.self)
    bytes.storeBytes(of: kind.rawValue, toByteOffset: 4, as: UInt8.self)
    return IndexFormat.regionSize
      + pair.writeBlockKey(to: bytes + IndexFormat.regionSize, ordinal: ordinal)
  }

  func equals(_ key: [UInt8], _ size: Int) -> Bool {
    key.count == size && memcmp(key, bytes, size) == 0
  }

  /// Whether two keys, of which the first is cut, are the same after the cut.
  func haveSameCut<Pair: IndexPair>(_ a: Pair, _ b: Pair) -> Bool {
    guard b.isCut else { return false }
    let size = write(a, 0, .bytes, ordinal: 0)
    let copy = Array(UnsafeRawBufferPointer(start: bytes, count: size))
    return equals(copy, write(b, 0, .bytes, ordinal: 0))
  }
}
