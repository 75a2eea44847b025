import Storage

/// How to get from one sequence of elements to another one, with as few deletions and insertions as possible when no
/// element occurs twice. Elements that change places are deleted and inserted.
///
/// O(n log n) for n elements between the first and the last difference.
struct SequenceDifference {
  /// Positions in the old sequence.
  private(set) var deletions = IndexRanges()
  /// Positions in the new sequence.
  private(set) var insertions = IndexRanges()

  /// - Parameter isChanged: Whether an element is one that has probably moved, rather than those that it went past.
  init<Element: Hashable>(
    from old: [Element], to new: [Element], isChanged: ((Element) -> Bool)? = nil
  ) {
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var (oldEnd, newEnd) = (old.count, new.count)
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    if start == oldEnd || start == newEnd {
      deletions = IndexRanges(start..<oldEnd)
      insertions = IndexRanges(start..<newEnd)
      return
    }
    let matches = Self.match(old, start..<oldEnd, new, start..<newEnd)
    let kept =
      if Self.isIncreasing(matches) {
        matches.indices.filter { matches[$0] >= 0 }
      } else if let isChanged {
        Self.longestIncreasing(matches, in: start..<oldEnd) { isChanged(new[start + $0]) }
      } else {
        Self.longestIncreasing(matches)
      }
    var deletedFrom = start
    var next = 0
    for position in start..<newEnd {
      let match = matches[position - start]
      if next < kept.count, kept[next] == position - start {
        deletions.append(deletedFrom..<match)
        deletedFrom = match + 1
        next += 1
      } else {
        insertions.append(position..<position + 1)
      }
    }
    deletions.append(deletedFrom..<oldEnd)
  }

  /// For each new element its position in the old sequence, or -1. The first of several equal elements goes with
  /// the first.
  private static func match<Element: Hashable>(
    _ old: [Element], _ oldRange: Range<Int>, _ new: [Element], _ newRange: Range<Int>
  ) -> [Int] {
    var first: [Element: Int] = [:]
    first.reserveCapacity(oldRange.count)
    // Further positions of an element, as a chain from the first one.
    var following = [Int](repeating: -1, count: oldRange.count)
    for position in oldRange.reversed() {
      if let later = first.updateValue(position, forKey: old[position]) {
        following[position - oldRange.lowerBound] = later
      }
    }
    return newRange.map { position in
      guard let match = first[new[position]], match >= 0 else { return -1 }
      first[new[position]] = following[match - oldRange.lowerBound]
      return match
    }
  }

  /// Whether nothing has moved, but for what was inserted, which has no number, and deleted.
  private static func isIncreasing(_ numbers: [Int]) -> Bool {
    var last = -1
    for number in numbers where number >= 0 {
      if number < last { return false }
      last = number
    }
    return true
  }

  /// Returns one of the longest ascending sequences, so that as few places as possible change.
  private static func longestIncreasing(
    _ numbers: [Int], in range: Range<Int>, isChanged: (Int) -> Bool
  ) -> [Int] {
    // A Fenwick tree: for ranges of numbers the place where the heaviest subsequence ends. Weights are first lengths.
    var ends = [Int](repeating: -1, count: range.count + 1)
    var weights = [Int](repeating: 0, count: numbers.count)
    var previous = [Int](repeating: -1, count: numbers.count)
    // Among equals the smallest number, as below.
    func isHeavier(_ place: Int, than other: Int) -> Bool {
      place >= 0 && (other < 0 || weights[place] >= weights[other])
    }
    var last = -1
    for (place, number) in numbers.enumerated() where number >= 0 {
      var node = number - range.lowerBound
      while node > 0 {
        if isHeavier(ends[node], than: previous[place]) { previous[place] = ends[node] }
        node &= node - 1
      }
      weights[place] = numbers.count + (isChanged(place) ? 1 : 2)
      if previous[place] >= 0 { weights[place] += weights[previous[place]] }
      node = number - range.lowerBound + 1
      while node <= range.count {
        if isHeavier(place, than: ends[node]) { ends[node] = place }
        node += node & -node
      }
      if isHeavier(place, than: last) { last = place }
    }
    var result: [Int] = []
    while last >= 0 {
      result.append(last)
      last = previous[last]
    }
    return result.reversed()
  }

  /// The places of a longest increasing subsequence, -1 left out.
  private static func longestIncreasing(_ numbers: [Int]) -> [Int] {
    // For each length the place of the smallest number that ends such a subsequence.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: numbers.count)
    for (place, number) in numbers.enumerated() where number >= 0 {
      let length = (0..<ends.count).partitioningIndex { numbers[ends[$0]] >= number }
      if length > 0 { previous[place] = ends[length - 1] }
      if length == ends.count { ends.append(place) } else { ends[length] = place }
    }
    var result = [Int](repeating: 0, count: ends.count)
    var place = ends.last ?? -1
    for index in ends.indices.reversed() {
      result[index] = place
      place = previous[place]
    }
    return result
  }
}

extension IndexRanges {
  /// The elements of an array without those at these positions.
  func removed<Element>(from array: [Element]) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(array.count)
    var start = 0
    for range in ranges {
      result.append(contentsOf: array[start..<range.lowerBound])
      start = range.upperBound
    }
    result.append(contentsOf: array[start...])
    return result
  }
}
