/// The place of an element in a list: elements are ordered by their keys, and those with equal keys by their numbers.
package struct ListPlace: Sendable, Hashable, Comparable {
  package var key: PositionKey
  package var element: Int64

  package init(_ key: PositionKey, _ element: Int64) {
    self.key = key
    self.element = element
  }

  package static func < (first: ListPlace, second: ListPlace) -> Bool {
    first.key == second.key ? first.element < second.element : first.key < second.key
  }
}

/// Gives keys to the elements of a list, with as few changes as possible.
package enum PositionAssignment {
  /// Returns the keys of a list.
  ///
  /// - Parameters:
  ///   - order: The places that the elements had, in the order that the list has now; nil for a new element.
  ///   - client: The number of the client that has changed the list.
  package static func keys(_ order: [ListPlace?], client: Int64) -> [PositionKey] {
    var keys = order.map { $0?.key }
    let kept = longestAscending(order)
    for index in keys.indices where !kept[index] { keys[index] = nil }
    var first = 0
    while first < keys.count {
      if keys[first] != nil {
        first += 1
        continue
      }
      let end = keys[first...].firstIndex { $0 != nil } ?? keys.count
      first = fill(first..<end, &keys, client).upperBound
    }
    return keys.map { $0! }
  }

  /// Gives keys to a range of elements, and to as many around it as need new ones. Returns the range that has new keys.
  static func fill(_ range: Range<Int>, _ keys: inout [PositionKey?], _ client: Int64) -> Range<Int> {
    var range = range
    while true {
      let lower = range.lowerBound > 0 ? keys[range.lowerBound - 1] : nil
      let upper = range.upperBound < keys.count ? keys[range.upperBound] : nil
      let new = PositionKey.between(lower, upper, client: client, count: range.count)
      if let new, new.allSatisfy({ $0.bytes.count <= PositionKey.longest }) {
        for (index, key) in zip(range, new) { keys[index] = key }
        return range
      }
      range = widened(range, keys)
    }
  }

  /// Returns a larger range whose neighbours leave room.
  private static func widened(_ range: Range<Int>, _ keys: [PositionKey?]) -> Range<Int> {
    func needsKey(_ index: Int) -> Bool { keys[index].map { !$0.isRoomy } ?? true }
    var step = 16
    var lower = max(0, range.lowerBound - step)
    var upper = min(keys.count, range.upperBound + step)
    while true {
      let (isLow, isHigh) = (lower > 0 && needsKey(lower - 1), upper < keys.count && needsKey(upper))
      if !isLow && !isHigh { return lower..<upper }
      if isLow { lower = max(0, lower - step) }
      if isHigh { upper = min(keys.count, upper + step) }
      step *= 2
    }
  }

  /// Returns for each value whether it is one of a longest ascending run, which need not move.
  static func longestAscending<Place: Comparable>(_ keys: [Place?]) -> [Bool] {
    if isAscending(keys) { return keys.map { $0 != nil } }
    var isKept = [Bool](repeating: false, count: keys.count)
    // For each length, the end of the run whose last key is the least, and the one before each end.
    var ends: [Int] = []
    var former = [Int](repeating: -1, count: keys.count)
    for (index, key) in keys.enumerated() {
      guard let key else { continue }
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if keys[ends[middle]]! < key { low = middle + 1 } else { high = middle }
      }
      if low > 0 { former[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var next = ends.last ?? -1
    while next >= 0 {
      isKept[next] = true
      next = former[next]
    }
    return isKept
  }

  private static func isAscending<Place: Comparable>(_ keys: [Place?]) -> Bool {
    var last: Place?
    for case let key? in keys {
      if let last, last >= key { return false }
      last = key
    }
    return true
  }
}
