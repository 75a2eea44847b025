import Storage

/// Follows all objects of a class. It remembers only which rows are gone, so that the cost of a change does not
/// depend on the number of objects.
final class TableTracker: CollectionTracker {
  let keyPaths: ObservedKeyPaths
  private let realm: RealmCore
  private let number: Int
  /// Rows below the limit that are not there.
  private var missing = IndexRanges()
  private var rowLimit = 0

  init(_ realm: RealmCore, table: Int, _ keyPaths: ObservedKeyPaths) {
    self.realm = realm
    number = table
    self.keyPaths = keyPaths
  }

  func start() {
    let table = realm.snapshot.table(number)
    rowLimit = table.rowLimit
    missing = IndexRanges()
    if table.state.pointee.liveCount == rowLimit { return }
    missing = missingRows(table, 0..<rowLimit)
  }

  private func missingRows(_ table: Table, _ rows: Range<Int>) -> IndexRanges {
    var missing = IndexRanges()
    for row in rows where !table.isAlive(row) { missing.append(row..<row + 1) }
    return missing
  }

  func update(_ context: ChangeContext) -> CollectionChangeSet {
    var result = CollectionChangeSet()
    let modified = context.modifiedRows(table: number, keyPaths)
    let table = realm.snapshot.table(number)
    let oldLimit = rowLimit
    let oldMissing = missing
    var deleted = IndexRanges()
    if let changes = context.changes.tables[number] {
      deleted = changes.deleted
      missing.formUnion(deleted)
      // What was handed out and rolled back before lies between.
      rowLimit = max(table.rowLimit, oldLimit)
      var inserted = IndexRanges(oldLimit..<rowLimit)
      if table.state.pointee.liveCount != rowLimit - missing.count {
        let gone = missingRows(table, oldLimit..<rowLimit)
        missing.formUnion(gone)
        inserted = inserted.subtracting(gone)
      }
      result.insertions = inserted.shifted(byRemoving: missing)
    }
    result.deletions = deleted.shifted(byRemoving: oldMissing)
    result.modifications =
      modified.clamped(to: 0..<oldLimit).subtracting(deleted).shifted(byRemoving: oldMissing)
    return result
  }
}
