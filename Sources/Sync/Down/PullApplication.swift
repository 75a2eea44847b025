package import Storage

/// Writes what a pull has read into the realm file, in the write transaction that is open.
package struct PullApplication {
  private let snapshot: Snapshot
  private let pending: PendingChanges
  /// Objects to be removed as soon as nothing of them is pending.
  package private(set) var evictions: Set<SessionState.ObjectName>
  /// The greatest stamp that the pull has brought.
  package private(set) var greatestStamp = Stamp.never
  /// Number of objects that were inserted, changed or removed.
  package private(set) var changedObjects = 0

  /// - Parameter pending: What is pending at the newest version.
  package init(_ snapshot: Snapshot, _ pending: PendingChanges, evictions: Set<SessionState.ObjectName>) {
    self.snapshot = snapshot
    self.pending = pending
    self.evictions = evictions
  }

  /// Applies what was read of one class.
  ///
  /// - Parameter isWhole: Whether the rows are all that the server has for this client: others are removed.
  package mutating func apply(_ pulled: PulledClass, _ localClass: LocalClass, isWhole: Bool = false) {
    var here: Set<IndexKey> = []
    for row in pulled.rows {
      here.insert(IndexKey(row.key))
      apply(row, localClass)
    }
    for departure in pulled.departures {
      if let died = departure.died { greatestStamp = max(greatestStamp, died) }
      if !here.contains(IndexKey(departure.key)) { apply(departure, localClass) }
    }
    for key in pulled.missing where !here.contains(IndexKey(key)) {
      evictions.insert(.init(localClass.name, key))
    }
    if isWhole { evictOthers(than: here, localClass) }
  }

  private mutating func apply(_ row: PulledRow, _ localClass: LocalClass) {
    greatestStamp = row.stamps.reduce(max(greatestStamp, row.creation), max)
    evictions.remove(.init(localClass.name, row.key))
    let found = localClass.row(row.key, in: snapshot)
    let deletion = pending.deletion(table: localClass.table, key: IndexKey(row.key))
    switch ObjectDecision(isHere: found != nil, deletion: deletion, creation: row.creation) {
    case .skip: return
    case .insert: insert(row, localClass)
    case .merge: merge(row, localClass, found!)
    }
  }

  private mutating func insert(_ row: PulledRow, _ localClass: LocalClass) {
    let table = snapshot.table(localClass.table)
    let number = table.insertRow()
    table.setValue(localClass.keyColumn, number, row.key)
    let synced = Set(localClass.columns)
    for (column, description) in snapshot.catalogue.tables[localClass.table].columns.enumerated()
    where !description.isRemoved && column != localClass.keyColumn && !synced.contains(column)
      && description.collection == .none
    {
      // What is not synced is zero or null, as in an object without values; indexed columns have to be written.
      if let zero = Value.zero(of: description.type), !description.isNullable {
        table.setValue(column, number, zero)
      } else {
        table.setValue(column, number, .null)
      }
    }
    for (column, value) in zip(localClass.columns, row.values) { table.setValue(column, number, value) }
    changedObjects += 1
  }

  private mutating func merge(_ row: PulledRow, _ localClass: LocalClass, _ number: Int) {
    let table = snapshot.table(localClass.table)
    var isChanged = false
    for (index, column) in localClass.columns.enumerated() {
      let written = pending.written(table: localClass.table, row: number, column: column)
      let stamp = written ?? pending.creation(table: localClass.table, row: number)
      let decision = ValueDecision(
        pending: stamp, server: row.stamps[index],
        isEqual: table.value(column, number).isExactly(row.values[index]), isWritten: written != nil)
      if decision == .take {
        table.setValue(column, number, row.values[index])
        isChanged = true
      }
    }
    if isChanged { changedObjects += 1 }
  }

  private mutating func apply(_ departure: Departure, _ localClass: LocalClass) {
    guard let row = localClass.row(departure.key, in: snapshot) else { return }
    let creation = pending.creation(table: localClass.table, row: row)
    switch DepartureDecision(died: departure.died, creation: creation) {
    case .keep: return
    case .delete:
      snapshot.table(localClass.table).deleteRow(row)
      changedObjects += 1
    case .evict: evictions.insert(.init(localClass.name, departure.key))
    }
  }

  /// Notes the objects that the server does not have. Those with pending changes are sent first, and what comes of that is read.
  private mutating func evictOthers(than here: Set<IndexKey>, _ localClass: LocalClass) {
    let table = snapshot.table(localClass.table)
    for row in 0..<table.rowLimit
    where table.isAlive(row) && pending.isClean(table: localClass.table, row: row) {
      let key = table.value(localClass.keyColumn, row)
      if !here.contains(IndexKey(key)) { evictions.insert(.init(localClass.name, key)) }
    }
  }

  /// Removes the objects that the server no longer shows, as far as nothing of them is pending.
  package mutating func evict(_ classes: [LocalClass]) {
    for name in evictions {
      guard let localClass = classes.first(where: { $0.name == name.className }) else { continue }
      guard let row = localClass.row(name.key.value, in: snapshot) else {
        evictions.remove(name)
        continue
      }
      guard pending.isClean(table: localClass.table, row: row) else { continue }
      snapshot.table(localClass.table).deleteRow(row)
      evictions.remove(name)
      changedObjects += 1
    }
  }
}
