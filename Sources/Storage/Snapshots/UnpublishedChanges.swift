// What the snapshot shows beyond its version: the changes of the open write transaction, and of staged ones.
extension Snapshot {
  /// The open write transaction, which only a `Writer` begins and ends.
  var writing: WriteTransaction? { session.transaction }

  /// Whether the version is all that is seen: nothing is staged or being written.
  var isAtVersion: Bool { session.transaction == nil && session.staged == nil }

  package var isWriting: Bool { session.transaction != nil }
  /// Whether write transactions have ended that are still to be committed.
  package var hasStagedWrites: Bool { session.staged != nil }
  /// Whether more is seen than the version has: the open write transaction has written something, or others are
  /// staged.
  package var hasChanges: Bool { session.staged != nil || hasUnstagedChanges }
  /// Whether the open write transaction has written anything.
  package var hasUnstagedChanges: Bool { session.transaction.map { !$0.isEmpty } ?? false }

  /// Whether a row was created by the open write transaction or a staged one, and is not in the version.
  package func isNew(table: Int, row: Int) -> Bool {
    if let limits = session.staged?.rowLimits { return table >= limits.count || row >= limits[table] }
    return writing != nil && row >= tables[table].state.pointee.firstNewRow
  }
}

// MARK: Compound indexes

extension Snapshot {
  /// Lets the open write transaction add the keys that it has deferred, before a compound index of a table is read. Nothing visible
  /// changes.
  @inline(never)
  func completeIndexes(ofTable number: Int) {
    writing?.enterKeys(tables[number], catalogue.tables[number].indexes)
  }
}

extension WriteTransaction {
  /// Adds the keys of a table to its compound indexes that these do not have at the moment, before one is read. Cost: none if
  /// nothing has changed.
  func enterKeys(_ table: Table, _ indexes: [CompoundIndex]) {
    let number = table.number
    let limit = table.rowLimit
    let withdrawn = withdrawnKeys[number] ?? WithdrawnKeys(firstNewRow: table.state.pointee.firstNewRow)
    if withdrawn.rows.isEmpty && withdrawn.firstNewRow == limit { return }
    withdrawnKeys[number] = WithdrawnKeys(firstNewRow: limit)
    for index in indexes {
      var entry = KeyEntry(table, index, findChanges(ofIndex: IndexNumber.compound(table: number, index)))
      for row in withdrawn.rows.sorted() { entry.enter(row) }
      for row in withdrawn.firstNewRow..<limit where table.isAlive(row) { entry.enter(row) }
    }
  }
}

/// Entering rows into one index.
struct KeyEntry {
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
