package import Storage

/// One row of a push's input: an object that was created, changed or deleted.
package struct PushedRow: Sendable, Hashable {
  /// What happened to the object. The raw value is that of the input's column `op`.
  package enum Operation: Character, Sendable {
    case created = "i"
    case updated = "u"
    case deleted = "d"
  }

  package var operation: Operation
  package var key: Value
  /// The row in the realm file; nil for a deletion.
  package var row: Int?
  /// The stamp of a creation or deletion.
  package var at: Stamp?
  /// The stamps of written properties, by their slots. A property of a created object that is not among them has the stamp of
  /// the creation.
  package var written: [Int: Stamp]
  /// What is added to counters, by their slots.
  package var amounts: [Int: Int64] = [:]
  /// The stamp of the oldest write of a counter to which something is added.
  package var counted: Stamp?

  package init(
    _ operation: Operation, key: Value, row: Int? = nil, at: Stamp? = nil, written: [Int: Stamp] = [:]
  ) {
    self.operation = operation
    self.key = key
    self.row = row
    self.at = at
    self.written = written
  }
}

extension PendingChanges {
  /// Calls the body with the rows that a push of a table sends: deletions first, so that a key that was deleted and created again
  /// is a new object; then created and changed objects.
  ///
  /// - Parameters:
  ///   - slots: The numbers under which writes of synced properties are pending. Writes of others are not sent.
  ///   - isAlive: Whether a row is there.
  ///   - key: The primary key of a row that is there.
  package func forEachPushedRow<Failure: Error>(
    table: Int, slots: Set<Int>, isAlive: (Int) -> Bool, key: (Int) -> Value,
    _ body: (PushedRow) throws(Failure) -> Void
  ) throws(Failure) {
    guard let changes = tables[table] else { return }
    var deletions = changes.deletions
    if !deletions.isEmpty { changes.lowerStamps(&deletions, isAlive: isAlive, key: key) }
    for deletion in deletions.values.sorted(by: { IndexKey($0.key) < IndexKey($1.key) }) {
      try body(PushedRow(.deleted, key: deletion.key, at: deletion.stamp))
    }
    try changes.forEachCreated(isAlive) { (row, stamp) throws(Failure) in
      let written = (changes.written[row] ?? [:]).filter { slots.contains($0.key) }
      try body(PushedRow(.created, key: key(row), row: row, at: stamp, written: written))
    }
    try changes.forEachUpdated(slots, isAlive) { (row, written) throws(Failure) in
      try body(PushedRow(.updated, key: key(row), row: row, written: written))
    }
  }
}

extension PendingChanges.TableChanges {
  /// One transaction that deletes an object and creates its key again has one stamp for both; the deletion gets the one before
  /// it, so that the new object is younger. No stamp of the deleted object is greater than that: the transaction's is greater than
  /// all that were seen.
  fileprivate func lowerStamps(
    _ deletions: inout [IndexKey: PendingChanges.Deletion], isAlive: (Int) -> Bool, key: (Int) -> Value
  ) {
    let stamps = Set(deletions.values.map(\.stamp))
    forEachCreated(isAlive) { row, stamp in
      guard stamps.contains(stamp) else { return }
      let key = IndexKey(key(row))
      if let deletion = deletions[key], deletion.stamp >= stamp { deletions[key]!.stamp = stamp.predecessor }
    }
  }

  /// - Parameter slots: The numbers under which writes of synced properties are pending.
  func forEachUpdated<Failure: Error>(
    _ slots: Set<Int>, _ isAlive: (Int) -> Bool,
    _ body: (_ row: Int, _ written: [Int: Stamp]) throws(Failure) -> Void
  ) throws(Failure) {
    for row in written.keys.sorted() where isAlive(row) && creation(of: row) == nil {
      let written = written[row]!.filter { slots.contains($0.key) }
      if !written.isEmpty { try body(row, written) }
    }
  }

  func forEachCreated<Failure: Error>(
    _ isAlive: (Int) -> Bool, _ body: (_ row: Int, _ stamp: Stamp) throws(Failure) -> Void
  ) throws(Failure) {
    for created in created {
      for row in created.rows where isAlive(row) && renamed[row] == nil { try body(row, created.stamp) }
    }
    for (row, stamp) in renamed.sorted(by: { $0.key < $1.key }) where isAlive(row) { try body(row, stamp) }
  }
}
