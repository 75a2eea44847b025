/// A set of positions or rows, kept as ascending ranges that do not touch.
///
/// Rows that change together are usually neighbours, so that even large sets take few ranges. Operations on whole sets are
/// linear in the number of ranges, never in that of the members.
package struct IndexRanges: Sendable, Hashable {
  package private(set) var ranges: ContiguousArray<Range<Int>> = []

  package init() {}

  package init(_ range: Range<Int>) {
    if !range.isEmpty { ranges = [range] }
  }

  /// A set of numbers in any order, with or without repetitions.
  package init(_ members: some Sequence<Int>) {
    var sorted = Array(members)
    if !zip(sorted, sorted.dropFirst()).allSatisfy({ $0 <= $1 }) { sorted.sort() }
    for member in sorted { append(member..<member + 1) }
  }

  package var isEmpty: Bool { ranges.isEmpty }
  package var count: Int { ranges.reduce(0) { $0 + $1.count } }
  package var first: Int? { ranges.first?.lowerBound }
  package var last: Int? { ranges.last.map { $0.upperBound - 1 } }

  /// All members, ascending.
  package var members: [Int] {
    var members: [Int] = []
    members.reserveCapacity(count)
    for range in ranges { members.append(contentsOf: range) }
    return members
  }

  /// The first range that ends behind a member.
  private func firstRange(endingAfter member: Int) -> Int {
    ranges.indices.partitioningIndex { ranges[$0].upperBound > member }
  }

  package func contains(_ member: Int) -> Bool {
    let index = firstRange(endingAfter: member)
    return index < ranges.count && ranges[index].lowerBound <= member
  }

  /// The number of members below a limit. Linear in the number of ranges below it.
  package func count(below limit: Int) -> Int {
    var count = 0
    for range in ranges {
      if range.lowerBound >= limit { break }
      count += min(range.upperBound, limit) - range.lowerBound
    }
    return count
  }

  package func count(in range: Range<Int>) -> Int {
    var count = 0
    for index in firstRange(endingAfter: range.lowerBound)..<ranges.count {
      let clamped = ranges[index].clamped(to: range)
      if clamped.isEmpty { break }
      count += clamped.count
    }
    return count
  }

  // MARK: Building

  /// Adds a range that begins at or behind the last member.
  package mutating func append(_ range: Range<Int>) {
    if range.isEmpty { return }
    if let last = ranges.last, last.upperBound >= range.lowerBound {
      assert(last.lowerBound <= range.lowerBound)
      ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    } else {
      ranges.append(range)
    }
  }

  package mutating func insert(_ member: Int) { insert(member..<member + 1) }

  package mutating func insert(_ range: Range<Int>) {
    if range.isEmpty { return }
    guard let last = ranges.last, last.upperBound >= range.lowerBound else { return ranges.append(range) }
    if last.lowerBound <= range.lowerBound { return append(range) }
    // All that overlap or touch become one.
    let first = firstRange(endingAfter: range.lowerBound - 1)
    var end = first
    var merged = range
    while end < ranges.count, ranges[end].lowerBound <= range.upperBound {
      merged = min(merged.lowerBound, ranges[end].lowerBound)..<max(merged.upperBound, ranges[end].upperBound)
      end += 1
    }
    ranges.replaceSubrange(first..<end, with: CollectionOfOne(merged))
  }

  // MARK: Whole sets

  package func union(_ other: IndexRanges) -> IndexRanges {
    if other.isEmpty { return self }
    if isEmpty { return other }
    var result = IndexRanges()
    var (left, right) = (ranges[...], other.ranges[...])
    while let a = left.first, let b = right.first {
      if a.lowerBound <= b.lowerBound {
        result.append(a)
        left.removeFirst()
      } else {
        result.append(b)
        right.removeFirst()
      }
    }
    for range in left { result.append(range) }
    for range in right { result.append(range) }
    return result
  }

  package mutating func formUnion(_ other: IndexRanges) {
    guard let first = other.ranges.first else { return }
    guard let last else {
      self = other
      return
    }
    // The usual case, and a loop of such cases takes as long as all ranges together.
    if last < first.lowerBound {
      for range in other.ranges { append(range) }
    } else {
      self = union(other)
    }
  }

  package func subtracting(_ other: IndexRanges) -> IndexRanges {
    if isEmpty || other.isEmpty { return self }
    var result = IndexRanges()
    var cut = 0
    for range in ranges {
      var start = range.lowerBound
      while cut < other.ranges.count, other.ranges[cut].upperBound <= start { cut += 1 }
      var index = cut
      while index < other.ranges.count, other.ranges[index].lowerBound < range.upperBound {
        if other.ranges[index].lowerBound > start { result.append(start..<other.ranges[index].lowerBound) }
        start = other.ranges[index].upperBound
        index += 1
      }
      if start < range.upperBound { result.append(start..<range.upperBound) }
    }
    return result
  }

  package func clamped(to bounds: Range<Int>) -> IndexRanges {
    var result = IndexRanges()
    for range in ranges { result.append(range.clamped(to: bounds)) }
    return result
  }

  // MARK: Positions that move

  /// The members, as positions before some were inserted, as positions afterwards.
  package func shifted(byInserting inserted: IndexRanges) -> IndexRanges {
    if inserted.isEmpty { return self }
    var result = IndexRanges()
    var shift = 0
    var next = 0
    for range in ranges {
      var start = range.lowerBound
      while start < range.upperBound {
        while next < inserted.ranges.count, inserted.ranges[next].lowerBound <= start + shift {
          shift += inserted.ranges[next].count
          next += 1
        }
        var end = range.upperBound
        if next < inserted.ranges.count { end = min(end, inserted.ranges[next].lowerBound - shift) }
        result.append(start + shift..<end + shift)
        start = end
      }
    }
    return result
  }

  /// The members that are not removed, as positions before some were removed, as positions afterwards.
  package func shifted(byRemoving removed: IndexRanges) -> IndexRanges {
    if removed.isEmpty { return self }
    var result = IndexRanges()
    var shift = 0
    var next = 0
    for range in subtracting(removed).ranges {
      while next < removed.ranges.count, removed.ranges[next].upperBound <= range.lowerBound {
        shift += removed.ranges[next].count
        next += 1
      }
      result.append(range.lowerBound - shift..<range.upperBound - shift)
    }
    return result
  }

  /// Adds positions where elements were just inserted; members from there on move up.
  mutating func insertPositions(at position: Int, count: Int) {
    if let last = ranges.last, last.upperBound > position {
      makeRoom(at: position, count: count)
    }
    insert(position..<position + count)
  }

  /// Removes a member, if it is one. Others stay where they are.
  mutating func removeMember(_ member: Int) {
    if contains(member) { self = subtracting(IndexRanges(member..<member + 1)) }
  }

  /// Moves members from a position on up.
  mutating func makeRoom(at position: Int, count: Int) {
    var index = firstRange(endingAfter: position)
    guard index < ranges.count else { return }
    let range = ranges[index]
    if range.lowerBound < position {
      ranges[index] = range.lowerBound..<position
      ranges.insert(position + count..<range.upperBound + count, at: index + 1)
      index += 2
    }
    while index < ranges.count {
      ranges[index] = ranges[index].lowerBound + count..<ranges[index].upperBound + count
      index += 1
    }
  }

  /// Removes the members among positions that were just removed; those behind move down.
  mutating func removePositions(_ removed: Range<Int>) {
    guard let last = ranges.last, last.upperBound > removed.lowerBound else { return }
    self = shifted(byRemoving: IndexRanges(removed))
  }
}
