// Deferred maintenance of the indexes over several columns. A key is not known before all its values are: so a row's keys are
// removed before the first of them changes, and those of all such rows are added together when the transaction reads such an
// index or ends. New rows have no keys that were added, so that nothing is removed for them.

extension Snapshot {
  /// Removes a row from the compound indexes of its table, before one of its values changes.
  ///
  /// - Parameters:
  ///   - forEver: Whether the row is being deleted.
  ///   - isSame: Whether the value stays as it is. Evaluated only if the row is indexed.
  func withdrawKeys(
    _ table: Table, _ row: Int, forEver: Bool = false, unless isSame: @autoclosure () -> Bool = false
  ) {
    guard let transaction = writing else { preconditionFailure("written outside a write transaction") }
    let number = table.number
    let firstNewRow = transaction.withdrawnKeys[number]?.firstNewRow ?? table.state.pointee.firstNewRow
    if row >= firstNewRow { return }
    if forEver {
      if transaction.withdrawnKeys[number]?.rows.remove(row) != nil { return }
    } else {
      if transaction.withdrawnKeys[number]?.rows.contains(row) == true || isSame() { return }
      transaction.withdrawnKeys[number, default: WithdrawnKeys(firstNewRow: firstNewRow)].rows.insert(row)
    }
    var key = CompoundKey()
    for index in catalogue.tables[number].indexes {
      table.write(&key, index.columns, row)
      key.bytes.withUnsafeBytes {
        changes(ofIndex: IndexNumber.compound(table: number, index)).remove(bytes: $0, row: row)
      }
    }
  }

  /// Enters what the compound indexes of all tables do not have.
  func enterKeys() {
    if !hasCompoundIndexes { return }
    for (number, description) in catalogue.tables.enumerated() where description.hasIndexes {
      enterKeys(table: number)
    }
  }

  /// Adds the removed keys of one table again. Cost: none if nothing has changed.
  func enterKeys(table number: Int) {
    guard let transaction = writing else { return }
    let table = self.table(number)
    let limit = table.rowLimit
    let withdrawn =
      transaction.withdrawnKeys[number] ?? WithdrawnKeys(firstNewRow: table.state.pointee.firstNewRow)
    if withdrawn.rows.isEmpty && withdrawn.firstNewRow == limit { return }
    transaction.withdrawnKeys[number] = WithdrawnKeys(firstNewRow: limit)
    for index in catalogue.tables[number].indexes {
      var entry = KeyEntry(table, index, changes(ofIndex: IndexNumber.compound(table: number, index)))
      for row in withdrawn.rows.sorted() { entry.enter(row) }
      for row in withdrawn.firstNewRow..<limit where table.isAlive(row) { entry.enter(row) }
    }
  }

  /// Fills a compound index that has come to the catalogue, whatever is in it already. It must not be looked into before the
  /// transaction has ended. Cost: that of reading its columns and sorting the keys.
  package func buildIndex(table number: Int, _ index: CompoundIndex) {
    enterKeys(table: number)
    dropIndex(IndexNumber.compound(table: number, index))
    let table = self.table(number)
    var entry = KeyEntry(table, index, changes(ofIndex: IndexNumber.compound(table: number, index)))
    table.forEachRow { entry.enter($0) }
  }

  /// Empties a compound index that goes from the catalogue.
  package func dropIndex(table: Int, _ index: CompoundIndex) {
    dropIndex(IndexNumber.compound(table: table, index))
  }
}

/// Entering rows into one index.
private struct KeyEntry {
  private let table: Table
  private let index: CompoundIndex
  private let changes: IndexChanges
  private var key = CompoundKey()

  init(_ table: Table, _ index: CompoundIndex, _ changes: IndexChanges) {
    self.table = table
    self.index = index
    self.changes = changes
  }

  mutating func enter(_ row: Int) {
    table.write(&key, index.columns, row)
    key.bytes.withUnsafeBytes { changes.insert(bytes: $0, row: row) }
  }
}

extension Table {
  /// Makes a key that of a row in an index over these columns.
  func write(_ key: inout CompoundKey, _ columns: [Int], _ row: Int) {
    key.removeAll()
    for column in columns {
      if snapshot.catalogue.tables[number].columns[column].type != .string {
        key.append(IndexKey(value(column, row)))
      } else if isNull(column, row) {
        key.append(.null)
      } else {
        key.append(bytes(column, row))
      }
    }
  }
}
