/// An index of the values of a column, or of those of several.
package struct ValueIndex: Hashable, Sendable {
  let number: UInt32

  /// The index of a column, which must have one.
  package static func column(_ column: Int, ofTable table: Int) -> ValueIndex {
    ValueIndex(number: IndexNumber.values(table: table, column: column))
  }

  /// An index over several columns, whose keys are those of ``CompoundKey``.
  package static func compound(_ index: CompoundIndex, ofTable table: Int) -> ValueIndex {
    ValueIndex(number: IndexNumber.compound(table: table, index))
  }

  /// The table whose rows must all have been entered before the index is read.
  fileprivate var compoundTable: Int? {
    IndexNumber.isCompound(number) ? IndexNumber.place(number).table : nil
  }
}

// Reading value indexes in their order: ranges, prefixes and sorts. What an open write transaction has changed is
// taken into account.
extension Snapshot {
  /// Whether the rows of a column can be found by their values.
  package func hasIndex(table: Int, column: Int) -> Bool {
    let description = catalogue.tables[table].columns[column]
    return description.collection == .none && description.hasValueIndex
  }

  /// Calls the body with the rows whose values are in a range, ordered by value and row, until it returns false.
  package func forEachRow(
    _ index: ValueIndex, in range: IndexRange, ascending: Bool = true, _ body: (Int) -> Bool
  ) {
    let changes = changes(of: index)
    let reader = indexReader(index.number)
    if let changes, !changes.isEmpty {
      changes.forEachRow(in: range, base: reader, ascending: ascending, body)
    } else {
      reader.forEachRow(in: range, ascending: ascending, body)
    }
  }

  /// Calls the body with each row in the order of the index, and with whether its value differs from that of the row before.
  ///
  /// - Parameter partCount: How many values of a key over several columns tell the groups apart; nil for all.
  package func forEachGroupedRow(
    _ index: ValueIndex, in range: IndexRange = .all, partCount: Int? = nil, ascending: Bool = true,
    _ body: (_ row: Int, _ startsGroup: Bool) -> Bool
  ) {
    let changes = changes(of: index) ?? IndexChanges()
    changes.forEachGroupedRow(
      in: range, partCount: partCount, base: indexReader(index.number), ascending: ascending, body)
  }

  /// The number of rows whose values are in a range. Complexity: O(rows in the range / a few hundred).
  package func rowCount(_ index: ValueIndex, in range: IndexRange) -> Int {
    let changes = changes(of: index)
    let stored = indexReader(index.number).count(in: range)
    return stored + (changes?.countDifference(in: range) ?? 0)
  }

  /// Roughly that number, in microseconds: exact for a few thousand rows.
  package func estimatedRowCount(_ index: ValueIndex, in range: IndexRange) -> Int {
    let changes = changes(of: index)
    let stored = indexReader(index.number).estimatedCount(in: range)
    return max(0, stored + (changes?.countDifference(in: range) ?? 0))
  }

  /// The row with a key, or nil. With several, the lowest. In an index that was dropped, nothing is found.
  package func firstRow(_ index: ValueIndex, equalTo key: IndexKey) -> Int? {
    if let table = index.compoundTable { completeIndexes(ofTable: table) }
    return firstRow(index: index.number, equalTo: key)
  }

  /// The rows with a key, ascending.
  package func rows(_ index: ValueIndex, equalTo key: IndexKey) -> [Int] {
    rows(index, equalTo: key, atMost: .max) ?? []
  }

  /// Returns the rows with a key; nil if there are more than a limit.
  package func rows(_ index: ValueIndex, equalTo key: IndexKey, atMost limit: Int) -> [Int]? {
    var rows: [Int] = []
    forEachRow(index, equalTo: key) {
      rows.append($0)
      return rows.count <= limit
    }
    return rows.count <= limit ? rows : nil
  }

  /// Calls the body with the rows with a key, ascending, until it returns false.
  @inline(__always)
  package func forEachRow(_ index: ValueIndex, equalTo key: IndexKey, _ body: (Int) -> Bool) {
    let changes = changes(of: index)
    if let changes {
      changes.forEachRow(equalTo: key, base: indexReader(index.number), body)
    } else {
      withIndexReader(index.number) { $0.forEachRow(equalTo: key, body) }
    }
  }

  /// What the open write transaction has changed in an index, which has all rows then.
  private func changes(of index: ValueIndex) -> IndexChanges? {
    if writing == nil { return nil }
    if let table = index.compoundTable { completeIndexes(ofTable: table) }
    return writing?.indexChanges[index.number]
  }
}
