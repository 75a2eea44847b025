extension IndexReader {
  private static let blocksToCount = 16

  /// Roughly the number of pairs in a range: exact for a few thousands, beyond that a guess from how their keys
  /// are spread. Takes microseconds, whatever the range.
  package func estimatedCount(in range: IndexRange) -> Int {
    var total = 0
    IndexReader.forEachKind(of: range, true) { region in
      total += estimatedCount(region)
      return true
    } bytes: { region in
      total += estimatedCount(region)
      return true
    }
    return total
  }

  private func estimatedCount<Pair: IndexPair>(_ region: Region<Pair>) -> Int {
    let arena = KeyArena()
    var count = 0
    var blockCount = 0
    var first: Pair?
    var last: Pair?
    let isComplete = forEachBlock(region, true) { block, range in
      count += block.total(range)
      blockCount += 1
      if first == nil { first = block.pair(range.lowerBound, arena) }
      if blockCount < IndexReader.blocksToCount { return true }
      last = block.pair(range.upperBound - 1, arena)
      return false
    }
    guard !isComplete, let first, let last, let end = lastPair(of: region, arena) else { return count }
    let progress = last.progress(from: first, to: end)
    // When nothing can be said from the keys, such as when all are equal, there is at least as much again.
    return progress > 0 ? Int(min(Double(count) / progress, 1e15)) : count * 2
  }

  private func lastPair<Pair: IndexPair>(of region: Region<Pair>, _ arena: KeyArena) -> Pair? {
    var last: Pair?
    _ = forEachBlock(region, false) { block, range in
      last = block.pair(range.upperBound - 1, arena)
      return false
    }
    return last
  }
}
