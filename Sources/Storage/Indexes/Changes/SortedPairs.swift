/// A sorted list of pairs in memory, with repetition.
///
/// The pairs are in runs of bounded size, so that inserting anywhere moves few of them; appending in order costs
/// next to nothing. Runs are never empty.
final class SortedPairs<Pair: IndexPair> {
  private static var runCapacity: Int { 8_192 / MemoryLayout<Pair>.stride }

  private struct Run {
    var pairs: UnsafeMutablePointer<Pair>
    var count: Int
  }

  /// Where a pair is. The end is the position after the last run.
  struct Position: Equatable {
    var run: Int
    var offset: Int
  }

  @exclusivity(unchecked) private var runs: [Run] = []
  /// The first pair of each run.
  @exclusivity(unchecked) private var firsts: [Pair] = []
  /// Where the next pair goes when it is after all others; nil when the last run is full or there is none.
  @exclusivity(unchecked) private var tail: UnsafeMutablePointer<Pair>?
  @exclusivity(unchecked) private(set) var count = 0

  init() {}

  deinit {
    for run in runs { run.pairs.deallocate() }
  }

  @inline(__always) var isEmpty: Bool { count == 0 }
  var end: Position { Position(run: runs.count, offset: 0) }
  var start: Position { Position(run: 0, offset: 0) }

  @inline(__always) subscript(position: Position) -> Pair { runs[position.run].pairs[position.offset] }

  @inline(__always) func advance(_ position: inout Position) {
    position.offset += 1
    if position.offset == runs[position.run].count { position = Position(run: position.run + 1, offset: 0) }
  }

  /// The pair at a position and those after it that lie behind it in memory, until the next change.
  @inline(__always) func pairs(from position: Position) -> UnsafeBufferPointer<Pair> {
    let run = runs[position.run]
    return UnsafeBufferPointer(start: run.pairs + position.offset, count: run.count - position.offset)
  }

  /// Steps over as many of the pairs of `pairs(from:)`.
  @inline(__always) func advance(_ position: inout Position, by count: Int) {
    position.offset += count
    if position.offset == runs[position.run].count { position = Position(run: position.run + 1, offset: 0) }
  }

  /// Steps to the pair before; false at the start.
  @inline(__always) func retreat(_ position: inout Position) -> Bool {
    if position.offset == 0 {
      if position.run == 0 { return false }
      position = Position(run: position.run - 1, offset: runs[position.run - 1].count)
    }
    position.offset -= 1
    return true
  }

  /// The first position whose pair is not before the given one.
  func lowerBound(_ pair: Pair) -> Position {
    // The last run whose first pair is before the given one has it, or it is at the start of the next.
    let next = (0..<firsts.count).partitioningIndex { !(firsts[$0] < pair) }
    if next == 0 { return start }
    let run = runs[next - 1]
    let offset = SortedPairs.lowerBound(pair, run)
    return offset == run.count ? Position(run: next, offset: 0) : Position(run: next - 1, offset: offset)
  }

  @inline(__always) private static func lowerBound(_ pair: Pair, _ run: Run) -> Int {
    (0..<run.count).partitioningIndex { !(run.pairs[$0] < pair) }
  }

  /// The number of pairs before a position.
  func place(of position: Position) -> Int {
    runs[..<position.run].reduce(position.offset) { $0 + $1.count }
  }

  /// Whether all pairs are before the given one. Answers in constant time.
  @inline(__always) func endsBefore(_ pair: Pair) -> Bool {
    guard let last = runs.last else { return true }
    return last.pairs[last.count &- 1] < pair
  }

  @inline(__always) func insert(_ pair: Pair) {
    if let tail, !(pair < tail[-1]) {
      tail.initialize(to: pair)
      count &+= 1
      let last = runs.count &- 1
      runs[last].count &+= 1
      self.tail = runs[last].count == SortedPairs.runCapacity ? nil : tail + 1
    } else {
      insertSlowly(pair)
    }
  }

  @inline(never) private func insertSlowly(_ pair: Pair) {
    defer { updateTail() }
    count += 1
    if isAfterAllRuns(pair) {
      let pairs = UnsafeMutablePointer<Pair>.allocate(capacity: SortedPairs.runCapacity)
      pairs.initialize(to: pair)
      runs.append(Run(pairs: pairs, count: 1))
      firsts.append(pair)
      return
    }
    var position = lowerBound(pair)
    // Between two runs the end of the first is as good, and does not change a run's first pair.
    if position.offset == 0 && position.run > 0 {
      position = Position(run: position.run - 1, offset: runs[position.run - 1].count)
    }
    if runs[position.run].count == SortedPairs.runCapacity {
      split(position.run)
      let half = runs[position.run].count
      if position.offset > half { position = Position(run: position.run + 1, offset: position.offset - half) }
    }
    let run = runs[position.run]
    let place = run.pairs + position.offset
    (place + 1).update(from: place, count: run.count - position.offset)
    place.initialize(to: pair)
    runs[position.run].count += 1
    if position.offset == 0 { firsts[position.run] = pair }
  }

  /// Whether the pair is after all others, and the last run, if any, is full.
  private func isAfterAllRuns(_ pair: Pair) -> Bool {
    guard let last = runs.last else { return true }
    return last.count == SortedPairs.runCapacity && !(pair < last.pairs[last.count - 1])
  }

  private func split(_ index: Int) {
    let half = SortedPairs.runCapacity / 2
    let run = runs[index]
    let pairs = UnsafeMutablePointer<Pair>.allocate(capacity: SortedPairs.runCapacity)
    pairs.initialize(from: run.pairs + half, count: run.count - half)
    runs[index].count = half
    runs.insert(Run(pairs: pairs, count: run.count - half), at: index + 1)
    firsts.insert(pairs[0], at: index + 1)
  }

  private func updateTail() {
    tail = runs.last.flatMap { $0.count < SortedPairs.runCapacity ? $0.pairs + $0.count : nil }
  }

  /// Removes one of the pairs that equal the given one; false when there is none.
  func remove(_ pair: Pair) -> Bool {
    if isEmpty { return false }
    let position = lowerBound(pair)
    guard position != end, self[position] == pair else { return false }
    let run = runs[position.run]
    count -= 1
    if run.count == 1 {
      run.pairs.deallocate()
      runs.remove(at: position.run)
      firsts.remove(at: position.run)
    } else {
      let place = run.pairs + position.offset
      place.update(from: place + 1, count: run.count - position.offset - 1)
      runs[position.run].count -= 1
      if position.offset == 0 { firsts[position.run] = run.pairs[0] }
    }
    updateTail()
    return true
  }
}

extension SortedPairs<IntegerPair> {
  /// The keys below a limit.
  func keys(below limit: Int) -> IndexRanges {
    let limit = UInt64(clamping: limit)
    var keys = IndexRanges()
    var position = start
    while position != end {
      let pairs = pairs(from: position)
      var index = 0
      while index < pairs.count {
        let first = pairs[index].key
        if first >= limit { return keys }
        // Many lie in a row, or are there several times.
        var last = first
        index += 1
        while index < pairs.count, pairs[index].key &- last <= 1, pairs[index].key < limit {
          last = pairs[index].key
          index += 1
        }
        // The first may have been the last of the run before.
        keys.append(Int(first)..<Int(last) + 1)
      }
      advance(&position, by: pairs.count)
    }
    return keys
  }
}
