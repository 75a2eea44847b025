import Storage

/// Rows of one chunk with the group that each belongs to.
///
/// Invariant: `groups` points to as many numbers as there are rows, all below `groupCount`.
struct GroupMembers {
  let rows: ChunkRows
  let groups: UnsafePointer<UInt32>
  /// How many groups there are up to now.
  let groupCount: Int

  init(rows: ChunkRows, groups: UnsafeMutablePointer<UInt32>, groupCount: Int) {
    self.rows = rows
    self.groups = UnsafePointer(groups)
    self.groupCount = groupCount
  }

  @inline(__always) func group(_ number: Int) -> Int { Int(groups[number]) }
}

/// An aggregate of each group, as far as the rows were looked at.
protocol GroupAccumulator {
  mutating func add(_ members: GroupMembers)
  /// - Parameter rowCount: How many rows the group has.
  func result(_ group: Int, rowCount: Int) -> Value
}

/// A number for each group.
///
/// Few groups get several numbers each, which take turns: an addition need not wait then for the one before to reach
/// memory.
struct GroupCounters<Number: AdditiveArithmetic> {
  private var numbers: ContiguousArray<Number> = []
  private var groupCount = 0

  private static var laneCount: Int { 4 }

  mutating func grow(to count: Int) {
    if count <= groupCount { return }
    // Groups beyond the present ones; each has its lanes beside each other.
    numbers.append(contentsOf: repeatElement(.zero, count: (count - groupCount) * Self.laneCount))
    groupCount = count
  }

  /// Lets a body add to the numbers at places that `place` gives.
  @inline(__always) mutating func withNumbers(_ body: (UnsafeMutablePointer<Number>) -> Void) {
    numbers.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { body(base) } }
  }

  /// Where the number of a group is that has its turn with a row.
  @inline(__always) static func place(_ group: Int, _ row: Int) -> Int {
    group &* laneCount &+ (row & (laneCount &- 1))
  }

  /// Zero for a group that was never met.
  subscript(group: Int) -> Number {
    if group >= groupCount { return .zero }
    var sum = Number.zero
    for lane in 0..<Self.laneCount { sum += numbers[group * Self.laneCount + lane] }
    return sum
  }
}

/// How many rows there are in each group.
struct GroupCounts {
  private var counters = GroupCounters<Int>()

  mutating func add(_ members: GroupMembers) {
    counters.grow(to: members.groupCount)
    counters.withNumbers { numbers in
      for row in 0..<members.rows.count {
        numbers[GroupCounters<Int>.place(members.group(row), row)] &+= 1
      }
    }
  }

  /// Counts those rows only that are null in a chunk.
  mutating func add(_ members: GroupMembers, nullsOf chunk: Chunk) {
    counters.grow(to: members.groupCount)
    counters.withNumbers { numbers in
      members.rows.forEachRow { row, position in
        if chunk.isNull(position) { numbers[GroupCounters<Int>.place(members.group(row), row)] &+= 1 }
      }
    }
  }

  /// 0 for a group that was never met.
  subscript(group: Int) -> Int { counters[group] }
}

/// How many values other than null a column has in each group.
struct GroupValueCounts {
  private var nulls: GroupCounts?

  mutating func add(_ members: GroupMembers, _ chunk: Chunk) {
    if chunk.nullBitmap == nil { return }
    if nulls == nil { nulls = GroupCounts() }
    nulls?.add(members, nullsOf: chunk)
  }

  func count(_ group: Int, rowCount: Int) -> Int { rowCount - (nulls?[group] ?? 0) }
}
