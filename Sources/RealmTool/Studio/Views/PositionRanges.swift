/// Positions as ascending ranges, none empty, with gaps between them.
struct PositionRanges: Equatable {
  private(set) var ranges: [Range<Int>] = []

  init() {}

  init(ascending positions: [Int]) {
    for position in positions { append(position..<position + 1) }
  }

  var isEmpty: Bool { ranges.isEmpty }

  /// Appends a range that begins at or after the end of the last one.
  private mutating func append(_ range: Range<Int>) {
    if range.isEmpty { return }
    if let last = ranges.last, last.upperBound >= range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    } else {
      ranges.append(range)
    }
  }

  func union(_ other: PositionRanges) -> PositionRanges {
    var union = PositionRanges()
    var (first, second) = (ranges[...], other.ranges[...])
    while let next = first.first ?? second.first {
      if let candidate = second.first, candidate.lowerBound < next.lowerBound || first.isEmpty {
        union.append(candidate)
        second = second.dropFirst()
      } else {
        union.append(next)
        first = first.dropFirst()
      }
    }
    return union
  }

  func subtracting(_ other: PositionRanges) -> PositionRanges {
    var rest = PositionRanges()
    var next = 0
    for range in ranges {
      var start = range.lowerBound
      while next < other.ranges.count && other.ranges[next].upperBound <= start { next += 1 }
      var index = next
      while index < other.ranges.count && other.ranges[index].lowerBound < range.upperBound {
        rest.append(start..<max(start, min(other.ranges[index].lowerBound, range.upperBound)))
        start = max(start, min(other.ranges[index].upperBound, range.upperBound))
        index += 1
      }
      rest.append(start..<range.upperBound)
    }
    return rest
  }

  /// The positions once others, none of which is among these, are taken out.
  func compressed(by removed: PositionRanges) -> PositionRanges {
    var result = PositionRanges()
    var (next, shift) = (0, 0)
    for range in ranges {
      var start = range.lowerBound
      while start < range.upperBound {
        while next < removed.ranges.count && removed.ranges[next].lowerBound <= start {
          shift += removed.ranges[next].count
          next += 1
        }
        let end =
          next < removed.ranges.count
          ? min(range.upperBound, removed.ranges[next].lowerBound) : range.upperBound
        result.append(start - shift..<end - shift)
        start = end
      }
    }
    return result
  }

  /// The positions once others, which are given as they are then, are put in.
  func expanded(by added: PositionRanges) -> PositionRanges {
    var result = PositionRanges()
    var (next, shift) = (0, 0)
    for range in ranges {
      var start = range.lowerBound
      while start < range.upperBound {
        while next < added.ranges.count && added.ranges[next].lowerBound <= start + shift {
          shift += added.ranges[next].count
          next += 1
        }
        let end =
          next < added.ranges.count
          ? min(range.upperBound, added.ranges[next].lowerBound - shift) : range.upperBound
        result.append(start + shift..<end + shift)
        start = end
      }
    }
    return result
  }
}
