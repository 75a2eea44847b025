import Storage

/// A synced class as the realm file has it.
package struct LocalClass: Sendable, Hashable {
  package var name: String
  /// The number of its table.
  package var table: Int
  package var keyColumn: Int
  /// The columns of the synced properties without the key, in the order in which rows are sent and received.
  package var columns: [Int]

  package init(name: String, table: Int, keyColumn: Int, columns: [Int]) {
    self.name = name
    self.table = table
    self.keyColumn = keyColumn
    self.columns = columns
  }

  /// Returns the row with a key.
  func row(_ key: Value, in snapshot: Snapshot) -> Int? {
    snapshot.firstRow(table: table, column: keyColumn, equalTo: IndexKey(key))
  }
}

extension PendingChanges {
  /// Adds what the change log has after the version that the changes go up to.
  ///
  /// - Throws: `StorageError` when the log no longer reaches back so far.
  mutating func catchUp(
    with snapshot: Snapshot, _ classes: [LocalClass], _ state: SessionState
  ) throws(StorageError) {
    if version >= snapshot.version { return }
    let keyColumns = Dictionary(uniqueKeysWithValues: classes.map { ($0.table, $0.keyColumn) })
    for entry in try snapshot.syncEntries(after: version) {
      add(
        entry.tables.filter { keyColumns[$0.table] != nil }, version: entry.version, origin: entry.origin,
        stamp: state.corrected(Stamp(rawValue: Int64(bitPattern: entry.stamp)), version: entry.version)
      ) { table, row in
        guard let column = keyColumns[table], snapshot.isAlive(table: table, row: row) else { return nil }
        return IndexKey(snapshot.table(table).value(column, row))
      }
    }
    advance(to: snapshot.version)
  }

  /// Calls the body with the rows that a push of a class sends.
  func forEachPushedRow(
    of localClass: LocalClass, in snapshot: Snapshot, _ body: (PushedRow) throws -> Void
  ) rethrows {
    let table = snapshot.table(localClass.table)
    try forEachPushedRow(
      table: localClass.table, columns: Set(localClass.columns), isAlive: { table.isAlive($0) },
      key: { table.value(localClass.keyColumn, $0) }, body)
  }
}
