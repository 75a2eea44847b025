import Storage

/// A synced class as the realm file has it.
package struct LocalClass: Sendable, Hashable {
  package var name: String
  /// The number of its table.
  package var table: Int
  package var keyColumn: Int
  /// The synced properties without the key, in the order in which rows are sent and received.
  package let properties: [LocalProperty]
  /// The columns of its table that a pull writes, the key included.
  let pulledColumns: Set<Int>
  /// The synced sets and maps.
  package let collections: [LocalCollection]
  /// The slots of what its embedded objects have.
  let embedded: EmbeddedSlots

  package init(
    name: String, table: Int, keyColumn: Int, properties: [LocalProperty], collections: [LocalCollection] = []
  ) {
    self.name = name
    self.table = table
    self.keyColumn = keyColumn
    self.properties = properties
    pulledColumns = Set([keyColumn] + properties.map { $0.columns[0] })
    self.collections = collections
    embedded = EmbeddedSlots(properties)
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
    let newest = try add(classes, after: version, upTo: .max, in: snapshot, state)
    newestStamp = max(newestStamp, newest)
    advance(to: snapshot.version)
  }

  /// Adds what the change log has of one class between a version and the one that the changes go up to.
  ///
  /// - Throws: `StorageError` when the log no longer reaches back so far.
  mutating func add(
    changesOf localClass: LocalClass, after start: UInt64, in snapshot: Snapshot, _ state: SessionState
  ) throws(StorageError) {
    let end = version
    _ = try add([localClass], after: start, upTo: end, in: snapshot, state)
    advance(to: end)
  }

  /// Returns the greatest stamp of the user's transactions that were added.
  private mutating func add(
    _ classes: [LocalClass], after start: UInt64, upTo end: UInt64, in snapshot: Snapshot,
    _ state: SessionState
  ) throws(StorageError) -> Stamp {
    var newest = Stamp.never
    let keyColumns = Dictionary(uniqueKeysWithValues: classes.map { ($0.table, $0.keyColumn) })
    var synchronised = SynchronisedChanges(classes, snapshot)
    let counters = Dictionary(
      uniqueKeysWithValues: classes.map { ($0.table, Set($0.counters.map(\.slot))) })
    var keys = LinkedElementKeys(classes, snapshot)
    for entry in keys.keyed(try snapshot.syncEntries(after: start)) where entry.version <= end {
      let stamp = state.correctedStamp(of: entry)
      if entry.origin == .user { newest = max(newest, stamp) }
      add(
        synchronised.changes(entry.tables), version: entry.version, origin: entry.origin, stamp: stamp,
        counters: counters
      ) { table, row in
        guard let column = keyColumns[table], snapshot.isAlive(table: table, row: row) else { return nil }
        return IndexKey(snapshot.table(table).value(column, row))
      }
    }
    return newest
  }

  /// Calls the body with the rows that a push of a class sends.
  func forEachPushedRow(
    of localClass: LocalClass, in snapshot: Snapshot, _ bases: CounterBases,
    _ body: (PushedRow) throws -> Void
  ) rethrows {
    let table = snapshot.table(localClass.table)
    try forEachPushedRow(
      table: localClass.table, slots: Set(localClass.properties.map(\.slot)), isAlive: { table.isAlive($0) },
      key: { table.value(localClass.keyColumn, $0) },
      {
        let row = localClass.hasCounters ? localClass.counted($0, in: snapshot, bases, self) : $0
        if let row { try body(row) }
      })
  }
}
