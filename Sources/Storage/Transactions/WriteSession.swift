/// The writes of a snapshot: the open write transaction, and the staged ones, which no other reader sees before they are
/// committed together.
struct WriteSession {
  /// The open write transaction. Its wide chunks are found through the tables' pointers.
  fileprivate(set) var transaction: WriteTransaction?
  /// Unretained copy of `transaction`, for paths where reference counting dominates.
  fileprivate(set) var active: Unmanaged<WriteTransaction>?
  var staged: StagedWrites?
  /// Whether row numbers are skipped that the version does not know of.
  var hasUnstoredRowLimits = false
}

extension Snapshot {
  /// The open write transaction.
  package internal(set) var writing: WriteTransaction? {
    get { session.transaction }
    set {
      session.transaction = newValue
      session.active = newValue.map { .passUnretained($0) }
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
}
