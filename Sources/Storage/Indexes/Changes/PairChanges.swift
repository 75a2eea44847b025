/// Added and removed pairs with keys of one kind. No pair is in both.
final class PairChanges<Pair: IndexPair> {
  let added = SortedPairs<Pair>()
  let removed = SortedPairs<Pair>()

  init() {}

  var isEmpty: Bool { added.isEmpty && removed.isEmpty }

  @inline(__always) func insert(_ pair: Pair) {
    if !removed.isEmpty && removed.remove(pair) { return }
    added.insert(pair)
  }

  @inline(__always) func remove(_ pair: Pair) {
    if added.remove(pair) { return }
    removed.insert(pair)
  }

  /// The smallest added row with the key of the pair, whose row is 0.
  func firstAddedRow(_ pair: Pair) -> Int? {
    let position = added.lowerBound(pair)
    guard position != added.end else { return nil }
    let found = added[position]
    return found.with(row: 0) == pair ? Int(found.row) : nil
  }

  /// Whether pairs with the key of the pair, whose row is 0, are removed.
  func removes(keyOf pair: Pair) -> Bool { PairChanges.contains(keyOf: pair, removed) }

  /// Whether pairs with the key of the pair, whose row is 0, are added or removed.
  func touches(keyOf pair: Pair) -> Bool {
    PairChanges.contains(keyOf: pair, added) || PairChanges.contains(keyOf: pair, removed)
  }

  private static func contains(keyOf pair: Pair, _ pairs: SortedPairs<Pair>) -> Bool {
    if pairs.isEmpty { return false }
    let position = pairs.lowerBound(pair)
    return position != pairs.end && pairs[position].with(row: 0) == pair
  }

  // MARK: Scanning

  /// Calls the body with the region's pairs in order, the changes taken into account, until it returns false.
  /// Returns what the body returned last, or true. Bytes of pairs are valid within the body only.
  func scan(
    _ region: IndexReader.Region<Pair>, _ base: IndexReader?, ascending: Bool, _ body: (Pair) -> Bool
  ) -> Bool {
    var additions = Walk(added, region, ascending)
    let goesOn = scanStored(region, base, ascending) { pair in
      while let addition = additions.pair, ascending ? addition < pair : pair < addition {
        if !body(addition) { return false }
        additions.step()
      }
      return body(pair)
    }
    if !goesOn { return false }
    while let addition = additions.pair {
      if !body(addition) { return false }
      additions.step()
    }
    return true
  }

  /// Calls the body with the rows of the stored pairs that are not removed, likewise.
  func scanRemaining(
    _ region: IndexReader.Region<Pair>, _ base: IndexReader?, ascending: Bool, _ body: (UInt64) -> Bool
  ) -> Bool {
    scanStored(region, base, ascending) { body($0.row) }
  }

  private func scanStored(
    _ region: IndexReader.Region<Pair>, _ base: IndexReader?, _ ascending: Bool, _ body: (Pair) -> Bool
  ) -> Bool {
    guard let base else { return true }
    var removals = Walk(removed, region, ascending)
    let arena = KeyArena()
    return base.scan(region, ascending) { block, index in
      arena.removeAll()
      let pair = block.pair(index, arena)
      while let removal = removals.pair, ascending ? removal < pair : pair < removal { removals.step() }
      if removals.pair == pair {
        removals.step()
        return true
      }
      return body(pair)
    }
  }

  /// Goes through those of the pairs that are in a region.
  private struct Walk {
    private let pairs: SortedPairs<Pair>
    private let region: IndexReader.Region<Pair>
    private let ascending: Bool
    private var position: SortedPairs<Pair>.Position
    /// The current pair; nil after the last.
    private(set) var pair: Pair?

    init(_ pairs: SortedPairs<Pair>, _ region: IndexReader.Region<Pair>, _ ascending: Bool) {
      self.pairs = pairs
      self.region = region
      self.ascending = ascending
      if ascending {
        position = region.lower.map { pairs.lowerBound($0) } ?? pairs.start
        read()
      } else {
        position = region.upper.map { pairs.lowerBound($0) } ?? pairs.end
        step()
      }
    }

    mutating func step() {
      if ascending {
        pairs.advance(&position)
        read()
      } else if pairs.retreat(&position), !isBeforeRegion(pairs[position]) {
        pair = pairs[position]
      } else {
        pair = nil
      }
    }

    private mutating func read() {
      pair = position == pairs.end || isAfterRegion(pairs[position]) ? nil : pairs[position]
    }

    private func isBeforeRegion(_ pair: Pair) -> Bool { region.lower.map { pair < $0 } ?? false }
    private func isAfterRegion(_ pair: Pair) -> Bool { region.upper.map { !(pair < $0) } ?? false }
  }
}
