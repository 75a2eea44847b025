// What the log of a synced file says of values that are written, and of links that disappear with their targets: a push must not
// take the second for the first.
extension Table {
  /// Whether the value of a row of the version before is unwritten in this transaction, in a synced file.
  func isUnwritten(_ column: Int, _ row: Int) -> Bool {
    guard snapshot.catalogue.isSynced, row < state.pointee.firstNewRow else { return false }
    if !writable(column, row).wasWritten(Self.indexInChunk(row)) { return true }
    return snapshot.writing?.severedCells.contains(cell(column, row)) ?? false
  }

  /// Notes that a value lost a link because its target disappears.
  func noteSevered(_ column: Int, _ row: Int) { writer.transaction.severedCells.insert(cell(column, row)) }

  /// Notes that a link or mixed value is written, also if it lost a link before.
  @inline(__always)
  func noteWritten(_ column: Int, _ row: Int) {
    guard let activeWrite = snapshot.session.active else { return }
    activeWrite._withUnsafeGuaranteedRef {
      if !$0.severedCells.isEmpty { $0.severedCells.remove(cell(column, row)) }
    }
  }

  private func cell(_ column: Int, _ row: Int) -> CollectionKey {
    CollectionKey(table: number, column: column, row: row)
  }

  // MARK: Elements

  /// Notes an element of a set, or the key of a map's entry, that is about to be set.
  @inline(never)
  func noteTouched(_ changes: CollectionChanges, _ column: Int, _ row: Int, _ position: Int, _ value: Value) {
    switch snapshot.catalogue.tables[number].columns[column].collection {
    case .set: changes.noteTouched(value)
    case .map: changes.noteTouched(.string(key(column, row, at: position)))
    case .list, .none: break
    }
  }

  /// Notes the elements of a set, or the keys of a map, that are about to be removed. Of a row that is deleted, nothing need be said.
  @inline(never)
  func noteRemoved(_ changes: CollectionChanges, _ column: Int, _ row: Int, _ range: Range<Int>) {
    guard isAlive(row) else { return }
    switch snapshot.catalogue.tables[number].columns[column].collection {
    case .set: for position in range { changes.noteTouched(element(column, row, at: position)) }
    case .map: for position in range { changes.noteTouched(.string(key(column, row, at: position))) }
    case .list, .none: break
    }
  }
}
