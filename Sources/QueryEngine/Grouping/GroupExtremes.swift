import Storage

/// The least or greatest values of an integer column.
struct IntegerExtremes: GroupAccumulator {
  private var extremes: ContiguousArray<Int64> = []
  private var values = GroupValueCounts()
  private let table: Table
  private let aggregate: GroupAggregate

  init(_ table: Table, _ aggregate: GroupAggregate) {
    self.table = table
    self.aggregate = aggregate
  }

  mutating func add(_ members: GroupMembers) {
    let chunk = table.chunk(aggregate.column, number: members.rows.chunk)
    values.add(members, chunk)
    let isMinimum = aggregate.operation == .minimum
    extremes.append(
      contentsOf: repeatElement(isMinimum ? .max : .min, count: members.groupCount - extremes.count))
    extremes.withUnsafeMutableBufferPointer { extremes in
      guard let extremes = extremes.baseAddress else { return }
      if isMinimum {
        members.rows.forEachValue(in: chunk) { row, position in
          let group = members.group(row)
          extremes[group] = min(extremes[group], chunk.integer(position))
        }
      } else {
        members.rows.forEachValue(in: chunk) { row, position in
          let group = members.group(row)
          extremes[group] = max(extremes[group], chunk.integer(position))
        }
      }
    }
  }

  func result(_ group: Int, rowCount: Int) -> Value {
    values.count(group, rowCount: rowCount) == 0 ? .null : .int(extremes[group])
  }
}

/// The least or greatest values of a column of floats, doubles or dates. What is no number is passed over.
struct FloatingPointExtremes: GroupAccumulator {
  /// Not a number where there is none.
  private var extremes: ContiguousArray<Double> = []
  private let table: Table
  private let aggregate: GroupAggregate
  private let type: ValueType

  init(_ table: Table, _ aggregate: GroupAggregate, _ type: ValueType) {
    self.table = table
    self.aggregate = aggregate
    self.type = type
  }

  mutating func add(_ members: GroupMembers) {
    let chunk = table.chunk(aggregate.column, number: members.rows.chunk)
    let isMinimum = aggregate.operation == .minimum
    let isFloat = type == .float
    extremes.append(contentsOf: repeatElement(.nan, count: members.groupCount - extremes.count))
    extremes.withUnsafeMutableBufferPointer { extremes in
      guard let extremes = extremes.baseAddress else { return }
      members.rows.forEachValue(in: chunk) { row, position in
        let group = members.group(row)
        let value = isFloat ? Double(chunk.float(position)) : chunk.double(position)
        // Both are false when the known one is no number.
        if isMinimum ? extremes[group] <= value : extremes[group] >= value { return }
        if !value.isNaN { extremes[group] = value }
      }
    }
  }

  func result(_ group: Int, rowCount: Int) -> Value {
    let extreme = extremes[group]
    if extreme.isNaN { return .null }
    return switch type {
    case .float: .float(Float(extreme))
    case .date: .date(extreme)
    default: .double(extreme)
    }
  }
}

/// The aggregates of decimals and mixed values.
struct ValueAggregates: GroupAccumulator {
  private var aggregates: ContiguousArray<ValueAggregate> = []
  private let table: Table
  private let aggregate: GroupAggregate
  private let type: ValueType

  init(_ table: Table, _ aggregate: GroupAggregate, _ type: ValueType) {
    self.table = table
    self.aggregate = aggregate
    self.type = type
  }

  mutating func add(_ members: GroupMembers) {
    while aggregates.count < members.groupCount {
      aggregates.append(ValueAggregate(aggregate.operation, type))
    }
    members.rows.forEachRow { row, position in
      aggregates[members.group(row)].add(table.value(aggregate.column, members.rows.row(position)))
    }
  }

  func result(_ group: Int, rowCount: Int) -> Value { aggregates[group].reported }
}
