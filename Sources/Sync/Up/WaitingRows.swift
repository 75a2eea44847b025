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
    // All that was written of them is later.
    changes.forEachCreated({ table.isAlive($0) }) { _, stamp in add(stamp) }
    let slots = Set(localClass.properties.map(\.slot))
    changes.forEachUpdated(slots, { table.isAlive($0) }) { row, written in
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

  /// Adds an object of which anything else is pending.
  mutating func add(_ stamp: Stamp) {
    count += 1
    oldest = min(oldest ?? stamp, stamp)
  }
}
