package import Storage

/// Writes what a pull has read into the realm file, in the write transaction that is open.
package struct PullApplication {
  let snapshot: Snapshot
  let pending: PendingChanges
  /// The bases of the counters, which the caller stores in the same transaction.
  let bases: CounterBases
  let links: UnresolvedLinks
  /// Objects to be removed as soon as nothing of them is pending.
  package private(set) var evictions: Set<SessionState.ObjectName>
  /// The greatest stamp that the pull has brought.
  package private(set) var greatestStamp = Stamp.never
  /// Number of objects that were inserted, changed or removed.
  package private(set) var changedObjects = 0
  /// Values that could not be read: the properties keep what they have.
  package private(set) var unreadable: [UnreadableValue] = []

  /// - Parameters:
  ///   - pending: What is pending at the newest version.
  ///   - links: The unresolved links at the newest version.
  package init(
    _ snapshot: Snapshot, _ pending: PendingChanges, _ links: UnresolvedLinks,
    evictions: Set<SessionState.ObjectName>
  ) {
    self.snapshot = snapshot
    self.pending = pending
    self.links = links
    self.evictions = evictions
    bases = CounterBases(snapshot)
  }

  /// Applies what was read of one class.
  ///
  /// - Parameter isWhole: Whether the rows are all that the server has for this client: others are removed.
  /// - Throws: `PostgresError` for a row that is damaged.
  package mutating func apply(
    _ pulled: PulledClass, _ localClass: LocalClass, isWhole: Bool = false
  ) throws {
    greatestStamp = max(greatestStamp, pulled.greatestStamp)
    let formerRows = isWhole && !pulled.isComparison ? snapshot.rowLimit(table: localClass.table) : 0
    var here: Set<IndexKey> = []
    // A first download needs no set of a million keys.
    if formerRows > 0 || !pulled.departures.isEmpty || !pulled.missing.isEmpty {
      here.reserveCapacity(pulled.rows.count)
      try pulled.rows.read { here.insert(IndexKey($0.key)) }
    }
    if pulled.isComparison { keepObjects(localClass) }
    try pulled.rows.read { apply($0, localClass) }
    for departure in pulled.departures {
      if let died = departure.died { greatestStamp = max(greatestStamp, died) }
      if !here.contains(IndexKey(departure.key)) { apply(departure, localClass) }
    }
    for key in pulled.missing where !here.contains(IndexKey(key)) {
      evictions.insert(.init(localClass.name, key))
    }
    evictOthers(than: here, among: formerRows, localClass)
  }

  /// Takes note of a stamp that the pull has brought.
  mutating func note(_ stamp: Stamp) { greatestStamp = max(greatestStamp, stamp) }

  /// Takes note that a collection of an object was changed.
  mutating func noteChangedObject() { changedObjects += 1 }

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
    // What is not synced is zero or null, as in an object without values.
    let number = snapshot.insertEmptyRow(table: localClass.table, without: localClass.pulledColumns)
    snapshot.table(localClass.table).setValue(localClass.keyColumn, number, row.key)
    for (index, property) in localClass.properties.enumerated() {
      noteUnreadable(
        localClass.unreadableReason(row.values[index], property, in: snapshot), table: localClass.table,
        row: number, columns: property.columns, stamp: row.stamps[index])
      localClass.setValue(row.values[index], of: property, row: number, in: snapshot, links)
      if property.isCounter, case .int(let base) = row.values[index] {
        bases[localClass.table, property.slot, number] = base
      }
    }
    changedObjects += 1
    for place in links.places(waitingFor: localClass.table, row.key)
    where links.fill(place, pending, in: snapshot) {
      changedObjects += 1
    }
  }

  /// Takes note of a value of the server, unless it can be read.
  ///
  /// - Parameters:
  ///   - columns: The column of the value; for one in an embedded object, those that lead to it.
  ///   - element: The element of a collection that has the value.
  ///   - stamp: The stamp of the value.
  mutating func noteUnreadable(
    _ reason: String?, table: Int, row: Int, columns: @autoclosure () -> [Int],
    element: UnreadableValue.Element? = nil, stamp: Stamp
  ) {
    let tables = snapshot.catalogue.tables
    guard let reason, let key = tables[table].primaryKey else { return }
    let columns = columns()
    let holder = columns.dropLast().reduce(table) { tables[$0].columns[$1].target }
    let column = columns.last.map { tables[holder].columns[$0] }
    let target = column.flatMap { $0.type == .link ? tables[$0.target] : nil }
    unreadable.append(
      UnreadableValue(
        place: .init(
          className: tables[table].name, key: ExactValue(snapshot.table(table).value(key, row)),
          property: snapshot.catalogue.path(columns, from: table), element: element),
        stamp: stamp, reason: reason, embeddedClass: target.flatMap { $0.isEmbedded ? $0.name : nil }))
  }

  private mutating func merge(_ row: PulledRow, _ localClass: LocalClass, _ number: Int) {
    var isChanged = false
    var embedded = EmbeddedMerge()
    for (index, property) in localClass.properties.enumerated() {
      noteUnreadable(
        localClass.unreadableReason(row.values[index], property, in: snapshot), table: localClass.table,
        row: number, columns: property.columns, stamp: row.stamps[index])
      if property.isCounter {
        if merge(counter: property, row.values[index], localClass, row: number) { isChanged = true }
        continue
      }
      let written = pending.written(table: localClass.table, row: number, slot: property.slot)
      let stamp = written ?? pending.creation(table: localClass.table, row: number)
      let isEqual = localClass.hasValue(row.values[index], of: property, row: number, in: snapshot, links)
      let usual = ValueDecision(
        pending: stamp, server: row.stamps[index], isEqual: isEqual, isWritten: written != nil)
      let decision = embedded.decide(
        usual, property, row.values[index], isEqual: isEqual, localClass, row: number, in: snapshot)
      if decision == .take {
        localClass.setValue(row.values[index], of: property, row: number, in: snapshot, links)
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
      delete(row, localClass)
      changedObjects += 1
    case .evict: evictions.insert(.init(localClass.name, departure.key))
    }
  }

  /// Deletes a row. Links to it lead to its key from then on, as they do on the server.
  private func delete(_ row: Int, _ localClass: LocalClass) {
    let severed = links.places(linkingTo: row, of: localClass.table, in: snapshot).compactMap { place in
      links.owner(place).map { owner in
        let value = owner.localClass.value(of: owner.property, row: place.row, in: snapshot, links)
        return (place: place, property: owner.property, value: value)
      }
    }
    let elements = links.elements(linkingTo: row, of: localClass.table, in: snapshot)
    links.removeAll(ofRow: row, table: localClass.table, in: snapshot)
    snapshot.table(localClass.table).deleteRow(row)
    for link in severed {
      let missing = link.property.resolve(link.value, in: snapshot).missing.compactMap { $0 }
      links.set(link.place, link.value, waitingFor: missing, in: snapshot)
    }
    for (var owner, severed) in elements where owner.table.isAlive(owner.row) {
      for element in severed { owner.keepUnresolved(element) }
      owner.finish()
    }
  }

  /// Notes the objects that the server does not have, except for those whose creation is pending: what comes of it is read.
  private mutating func evictOthers(
    than here: Set<IndexKey>, among rowLimit: Int, _ localClass: LocalClass
  ) {
    let table = snapshot.table(localClass.table)
    for row in 0..<rowLimit
    where table.isAlive(row) && pending.creation(table: localClass.table, row: row) == nil {
      let key = table.value(localClass.keyColumn, row)
      if !here.contains(IndexKey(key)) { evictions.insert(.init(localClass.name, key)) }
    }
  }

  /// Keeps the objects that were to be removed: a comparison says of each whether the server shows it. Those whose creation is
  /// pending are not compared.
  private mutating func keepObjects(_ localClass: LocalClass) {
    for name in evictions where name.className == localClass.name {
      guard let row = localClass.row(name.key.value, in: snapshot) else { continue }
      if pending.creation(table: localClass.table, row: row) == nil { evictions.remove(name) }
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
      delete(row, localClass)
      evictions.remove(name)
      changedObjects += 1
    }
  }
}
