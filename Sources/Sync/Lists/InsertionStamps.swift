import Storage

/// The stamps of the elements that were inserted into a list, by their positions in it.
struct InsertionStamps: Hashable, Sendable {
  private struct Run: Hashable {
    var range: Range<Int>
    var stamp: Stamp
  }

  /// In the order of their positions.
  private var runs: [Run] = []

  init() {}

  /// Creates the stamps of a list that was inserted as a whole.
  init(of stamp: Stamp) { runs = [Run(range: 0..<Int(Int32.max), stamp: stamp)] }

  /// The stamp of an element; nil if it was not inserted.
  subscript(position: Int) -> Stamp? {
    let index = firstRun(endingAfter: position)
    return index < runs.count && runs[index].range.contains(position) ? runs[index].stamp : nil
  }

  /// The number of runs that end before a position or at it.
  private func firstRun(endingAfter position: Int) -> Int {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].range.upperBound <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Adds what a later transaction has done.
  mutating func add(_ change: PositionChanges, _ stamp: Stamp) {
    let start = min(change.deletions.first ?? .max, change.insertions.first ?? .max)
    if start == .max { return }
    // What lies before the first change stays.
    let first = firstRun(endingAfter: start)
    if change.deletions.isEmpty, change.insertions.ranges.count == 1 {
      return insert(change.insertions.ranges[0], stamp, first)
    }
    var moved: [Run] = []
    for run in runs[first...] {
      let rest = IndexRanges(run.range).shifted(byRemoving: change.deletions)
        .shifted(byInserting: change.insertions)
      for range in rest.ranges { moved.append(Run(range: range, stamp: run.stamp)) }
    }
    for range in change.insertions.ranges { moved.append(Run(range: range, stamp: stamp)) }
    moved.sort { $0.range.lowerBound < $1.range.lowerBound }
    runs.replaceSubrange(first..., with: moved)
  }

  /// Adds one insertion: programs that commit each one alone add thousands of them, one after the other.
  ///
  /// - Parameter first: The number of runs that end before it.
  private mutating func insert(_ range: Range<Int>, _ stamp: Stamp, _ first: Int) {
    var first = first
    if first < runs.count, runs[first].range.lowerBound < range.lowerBound {
      let split = runs[first]
      runs[first].range = split.range.lowerBound..<range.lowerBound
      first += 1
      runs.insert(Run(range: range.lowerBound..<split.range.upperBound, stamp: split.stamp), at: first)
    }
    for index in first..<runs.count {
      let run = runs[index].range
      runs[index].range = run.lowerBound + range.count..<run.upperBound + range.count
    }
    runs.insert(Run(range: range, stamp: stamp), at: first)
  }
}
