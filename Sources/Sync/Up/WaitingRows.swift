import Storage

/// The objects of a class of which a push sends anything: how many they are, but not what is sent, which takes much longer to find.
struct WaitingRows {
  private(set) var count = 0
  /// The stamp of the oldest pending change.
  private(set) var oldest: Stamp?
  private let changes: PendingChanges.TableChanges?
  /// The rows among them that were not created.
  private var updated: Set<Int> = []

  init(
    _ pending: PendingChanges, of localClass: LocalClass, in snapshot: Snapshot, _ bases: CounterBases
  ) {
    changes = pending.tables[localClass.table]
    guard let changes else { return }
    let table = snapshot.table(localClass.table)
    for deletion in changes.deletions.values { add(deletion.stamp) }
    // All that was written of created rows is later.
    let renamed = changes.renamed.keys.filter(table.isAlive).sorted()
    var next = 0
    for created in changes.created {
      while next < renamed.count, renamed[next] < created.rows.lowerBound { next += 1 }
      let first = next
      while next < renamed.count, created.rows.contains(renamed[next]) { next += 1 }
      add(created.stamp, count: table.liveCount(in: created.rows) - (next - first))
    }
    for row in renamed { add(changes.renamed[row]!) }
    let slots = Set(localClass.properties.map(\.slot))
    changes.forEachUpdated(slots, table.isAlive) { row, written in
      var pushed = PushedRow(.updated, key: .null, row: row, written: written)
      if localClass.hasCounters {
        guard let counted = localClass.counted(pushed, in: snapshot, bases, pending) else { return }
        pushed = counted
      }
      guard let oldest = (Array(pushed.written.values) + [pushed.counted].compactMap { $0 }).min() else {
        return
      }
      updated.insert(row)
      add(oldest)
    }
  }

  /// Whether an object is among them.
  func contains(_ row: Int) -> Bool { updated.contains(row) || changes?.creation(of: row) != nil }

  /// Adds objects of which something has waited since a stamp.
  mutating func add(_ stamp: Stamp, count: Int = 1) {
    if count == 0 { return }
    self.count += count
    oldest = min(oldest ?? stamp, stamp)
  }
}
