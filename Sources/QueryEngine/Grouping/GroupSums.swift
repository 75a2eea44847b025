import Storage

/// The sums or averages of an integer column.
struct IntegerSums: GroupAccumulator {
  /// Sums as two halves, so that nothing overflows: what is added to `low` has less than 33 bits.
  private var low = GroupCounters<Int64>()
  private var high = GroupCounters<Int64>()
  private var values = GroupValueCounts()
  private let table: Table
  private let aggregate: GroupAggregate

  init(_ table: Table, _ aggregate: GroupAggregate) {
    self.table = table
    self.aggregate = aggregate
  }

  private static let smallRange = Int64(Int32.min)...Int64(UInt32.max)

  mutating func add(_ members: GroupMembers) {
    let chunk = table.chunk(aggregate.column, number: members.rows.chunk)
    values.add(members, chunk)
    low.grow(to: members.groupCount)
    high.grow(to: members.groupCount)
    if chunk.encoding == .integer1, Self.smallRange.contains(chunk.minimumInteger),
      Self.smallRange.contains(chunk.minimumInteger + 255)
    {
      return addBytes(members, chunk)
    }
    low.withNumbers { low in
      high.withNumbers { high in
        members.rows.forEachValue(in: chunk) { row, position in
          let value = chunk.integer(position)
          let place = GroupCounters<Int64>.place(members.group(row), row)
          low[place] &+= value & 0xFFFF_FFFF
          high[place] &+= value >> 32
        }
      }
    }
  }

  /// Values of one byte each above a small number.
  private mutating func addBytes(_ members: GroupMembers, _ chunk: Chunk) {
    let (base, codes) = (chunk.minimumInteger, chunk.values)
    low.withNumbers { low in
      members.rows.forEachValue(in: chunk) { row, position in
        low[GroupCounters<Int64>.place(members.group(row), row)] &+=
          base &+ Int64(codes.load(fromByteOffset: position, as: UInt8.self))
      }
    }
  }

  func result(_ group: Int, rowCount: Int) -> Value {
    let sum = Int128(high[group]) << 32 + Int128(low[group])
    if aggregate.operation == .sum { return .int(Int64(truncatingIfNeeded: sum)) }
    let count = values.count(group, rowCount: rowCount)
    return count == 0 ? .null : .double(Double(sum) / Double(count))
  }
}

/// The sums or averages of a column of floats or doubles.
struct FloatingPointSums: GroupAccumulator {
  private var sums = GroupCounters<Double>()
  /// The sums of the integers that chunks with this divisor have (`ScaledNumbers`): most columns have only such chunks.
  private var scaledSums = GroupCounters<Double>()
  private var divisor: Double?
  private var values = GroupValueCounts()
  private let table: Table
  private let aggregate: GroupAggregate
  private let isFloat: Bool

  init(_ table: Table, _ aggregate: GroupAggregate, _ type: ValueType) {
    self.table = table
    self.aggregate = aggregate
    isFloat = type == .float
  }

  mutating func add(_ members: GroupMembers) {
    let chunk = table.chunk(aggregate.column, number: members.rows.chunk)
    values.add(members, chunk)
    if chunk.encoding.isScaled {
      // Nothing counts.
      if !chunk.hasStatistics { return }
      let numbers = ScaledNumbers(chunk)
      if divisor ?? numbers.divisor == numbers.divisor { return addIntegers(members, chunk, numbers) }
    }
    sums.grow(to: members.groupCount)
    sums.withNumbers { sums in
      if isFloat {
        members.rows.forEachValue(in: chunk) { row, position in
          sums[GroupCounters<Double>.place(members.group(row), row)] += Double(chunk.float(position))
        }
      } else {
        members.rows.forEachValue(in: chunk) { row, position in
          sums[GroupCounters<Double>.place(members.group(row), row)] += chunk.double(position)
        }
      }
    }
  }

  /// Divides once for each group, and not for each row.
  private mutating func addIntegers(_ members: GroupMembers, _ chunk: Chunk, _ numbers: ScaledNumbers) {
    divisor = numbers.divisor
    scaledSums.grow(to: members.groupCount)
    let smallest = numbers.smallest
    scaledSums.withNumbers { sums in
      members.rows.forEachValue(in: chunk) { row, position in
        sums[GroupCounters<Double>.place(members.group(row), row)] +=
          Double(smallest &+ Int64(numbers.code(position)))
      }
    }
  }

  func result(_ group: Int, rowCount: Int) -> Value {
    let sum = sums[group] + scaledSums[group] / (divisor ?? 1)
    if aggregate.operation == .sum { return .double(sum) }
    let count = values.count(group, rowCount: rowCount)
    return count == 0 ? .null : .double(sum / Double(count))
  }
}
