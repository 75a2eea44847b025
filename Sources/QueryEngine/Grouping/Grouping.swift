package import Storage

/// An aggregate of one property of the rows of a group.
package struct GroupAggregate: Sendable, Hashable {
  package var operation: AggregateOperation
  package var column: Int

  package init(_ operation: AggregateOperation, column: Int) {
    self.operation = operation
    self.column = column
  }
}

/// Rows that have the same keys.
package struct RowGroup: Sendable {
  /// In the order of the keys that were asked for.
  package var keys: [Value]
  /// How many rows there are.
  package var count: Int
  /// In the order of the aggregates that were asked for.
  package var aggregates: [Value]
}

extension Snapshot {
  /// Groups rows, and computes aggregates of each group, in one pass over the columns concerned.
  ///
  /// Values are equal when they compare as equal; null is a key like others. Aggregates are those of
  /// `aggregate(_:table:column:over:)`.
  ///
  /// - Parameters:
  ///   - keys: At least one.
  ///   - selection: A row that is there twice counts twice.
  /// - Returns: The groups in ascending order of their keys, null first.
  package func groups(
    by keys: [GroupKey], aggregates: [GroupAggregate], table: Int, over selection: RowSelection = .all
  ) -> [RowGroup] {
    groups(by: keys, aggregates, self.table(table), selection)
  }

  private func groups(
    by keys: [GroupKey], _ aggregates: [GroupAggregate], _ table: Table, _ selection: RowSelection
  ) -> [RowGroup] {
    var numbering = GroupNumbering(keys, table)
    var counts = GroupCounts()
    var columns = aggregates.map { makeAccumulator($0, table) }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: chunkCapacity) { numbers in
      let numbers = numbers.baseAddress!
      table.forEachChunk(selection) { rows in
        numbering.number(rows, into: numbers)
        let members = GroupMembers(rows: rows, groups: numbers, groupCount: numbering.count)
        counts.add(members)
        for index in columns.indices { columns[index].add(members) }
      }
    }
    let groups = (0..<numbering.count).map { group in
      RowGroup(
        keys: numbering.keys(of: group), count: counts[group],
        aggregates: columns.map { $0.result(group, rowCount: counts[group]) })
    }
    return groups.sorted { Self.precedes($0.keys, $1.keys) }
  }

  private static func precedes(_ first: [Value], _ second: [Value]) -> Bool {
    for (first, second) in zip(first, second) {
      let order = Value.order(first, second)
      if order != 0 { return order < 0 }
    }
    return false
  }

  private func makeAccumulator(_ aggregate: GroupAggregate, _ table: Table) -> any GroupAccumulator {
    let type = catalogue.tables[table.number].columns[aggregate.column].type
    let isExtreme = aggregate.operation == .minimum || aggregate.operation == .maximum
    switch type {
    case .int where isExtreme: return IntegerExtremes(table, aggregate)
    case .int: return IntegerSums(table, aggregate)
    case .float, .double, .date:
      return isExtreme
        ? FloatingPointExtremes(table, aggregate, type) : FloatingPointSums(table, aggregate, type)
    default: return ValueAggregates(table, aggregate, type)
    }
  }
}

/// Which group each row belongs to.
private struct GroupNumbering {
  private var columns: [any KeyNumbering]
  /// The pairs of a group by the keys before a column, and a key of that column: for each column but the first.
  private var pairs: [WordNumbers]

  init(_ keys: [GroupKey], _ table: Table) {
    precondition(!keys.isEmpty)
    columns = keys.map { Self.numbering($0, table) }
    pairs = Array(repeating: WordNumbers(), count: keys.count - 1)
  }

  private static func numbering(_ key: GroupKey, _ table: Table) -> any KeyNumbering {
    guard key.source.links.isEmpty, case .column(let column, let type) = key.source.source else {
      return ValueKeys(table, key)
    }
    switch type {
    case .int, .bool, .float, .double, .date: return WordKeys(table, column, type, part: key.part)
    case .string, .data, .objectId, .uuid: return BytesKeys(table, column)
    case .decimal128, .mixed, .link: return ValueKeys(table, key)
    }
  }

  var count: Int { pairs.last?.words.count ?? columns[0].values.count }

  mutating func number(_ rows: ChunkRows, into groups: UnsafeMutablePointer<UInt32>) {
    columns[0].number(rows, into: groups)
    if pairs.isEmpty { return }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: chunkCapacity) { keys in
      for index in pairs.indices {
        columns[index + 1].number(rows, into: keys.baseAddress!)
        // Rows beside each other are often in the same group.
        var last: (pair: UInt64, group: UInt32)?
        for row in 0..<rows.count {
          let pair = UInt64(groups[row]) << 32 | UInt64(keys[row])
          if let last, last.pair == pair {
            groups[row] = last.group
          } else {
            groups[row] = pairs[index].number(of: pair)
            last = (pair, groups[row])
          }
        }
      }
    }
  }

  func keys(of group: Int) -> [Value] {
    var keys: [Value] = []
    var group = group
    for index in pairs.indices.reversed() {
      let pair = pairs[index].words[group]
      keys.append(columns[index + 1].values[Int(pair & 0xFFFF_FFFF)])
      group = Int(pair >> 32)
    }
    keys.append(columns[0].values[group])
    return keys.reversed()
  }
}
