package import Storage

extension Snapshot {
  /// An aggregate of one column over rows.
  ///
  /// Nulls are skipped. The sum of nothing is 0, other aggregates of nothing are null. Integers wrap around; the sum
  /// of floats is a double, the average a double or, for decimal and mixed columns, a decimal. Minimum and maximum
  /// skip NaN.
  ///
  /// - Precondition: The column is not a collection, and its type has the aggregate (numbers; dates only minimum and
  ///   maximum).
  package func aggregate(
    _ operation: AggregateOperation, table number: Int, column: Int, over selection: RowSelection = .all
  ) -> Value {
    aggregate(operation, self.table(number), column, selection)
  }

  private func aggregate(
    _ operation: AggregateOperation, _ table: Table, _ column: Int, _ selection: RowSelection
  ) -> Value {
    let type = catalogue.tables[table.number].columns[column].type
    switch (selection, type) {
    case (.rows(let rows), _):
      var aggregate = ValueAggregate(operation, type)
      for row in rows where table.isAlive(row) { aggregate.add(table.value(column, row)) }
      return aggregate.reported
    case (_, .int): return IntegerAggregate(table, column, selection).result(operation)
    case (_, .double), (_, .date), (_, .float):
      return FloatingPointAggregate(table, column, type, selection).result(operation)
    default:
      var aggregate = ValueAggregate(operation, type)
      table.forEachMask(selection) { number, mask in
        mask.forEachIndex { aggregate.add(table.value(column, number &* chunkCapacity &+ $0)) }
      }
      return aggregate.reported
    }
  }
}

extension Table {
  /// Calls `body` with the selected rows of each chunk that are there; not for single rows.
  func forEachMask(_ selection: RowSelection, _ body: (Int, ChunkMask) -> Void) {
    let mask = ChunkMask.allocate()
    defer { mask.deallocate() }
    let words: [UInt64]? =
      switch selection {
      case .all: nil
      case .set(let rows): rows.words(rowLimit: rowLimit)
      case .rows(let rows): RowSet(rows: Set(rows).sorted()).words(rowLimit: rowLimit)
      }
    for number in 0..<chunkCount {
      mask.loadPresence(self, chunk: number)
      if let words {
        for word in 0..<maskWordCount { mask.words[word] &= words[number &* maskWordCount &+ word] }
      }
      if !mask.isEmpty { body(number, mask) }
    }
  }
}
