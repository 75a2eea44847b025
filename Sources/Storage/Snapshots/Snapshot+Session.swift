extension Snapshot {
  /// The open write transaction.
  package internal(set) var writing: WriteTransaction? {
    get { session.transaction }
    set {
      session.setTransaction(newValue)
      shared.pointee.isWriting = newValue != nil
      shared.pointee.arenaNext = nil
      shared.pointee.arenaFree = 0
      for table in tables {
        table.state.pointee.insertionChunk = -1
        table.state.pointee.sequence = -1
        table.state.pointee.firstNewRow = table.rowLimit
      }
    }
  }

  /// Whether the version is all that is seen: nothing is staged or being written.
  var isAtVersion: Bool { session.transaction == nil && session.staged == nil }

  package var isWriting: Bool { session.transaction != nil }
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
