import Storage

// Unresolved links are brought up to date in each transaction of sync, and before a push when the user has changed some.
extension SyncClient {
  /// Brings the unresolved links up to date, if the user has written or severed some, so that a push sends what they lead to.
  func noteLinksBeforePush() throws {
    while links.isUsed {
      try links.notes.catchUp(snapshot, links)
      if !links.notes.hasEvents { return }
      do {
        return try write { _ in }
      } catch is StateConflict {
        // The other process has noted them, or part of them.
        try refresh()
      }
    }
  }

  /// Takes what the change log says of links into the transaction that is open, and fills in those whose targets the user has
  /// created.
  ///
  /// - Returns: Objects to be read again, because it is not known where their links led to.
  func noteLinks() throws -> Set<SessionState.ObjectName> {
    guard links.isUsed else { return [] }
    try links.load(snapshot, start: state.startOfPending)
    try links.notes.catchUp(snapshot, links)
    let notes = links.notes
    if !notes.hasEvents && notes.created.isEmpty && links.postponed.isEmpty { return [] }
    let pending = try pending()
    var again: Set<SessionState.ObjectName> = []
    for (place, event) in notes.events {
      switch event {
      case .written: links.remove(place, in: snapshot)
      case .severed(let key):
        if let name = noteSevered(place, key, pending) { again.insert(name) }
      }
    }
    for (place, events) in notes.elements { again.formUnion(noteElements(place, events, pending)) }
    if !links.isEmpty {
      for (table, ranges) in notes.created { fill(table: table, ranges, pending) }
      for place in links.postponed { links.fill(place, pending, in: snapshot) }
    }
    return again
  }

  private func noteSevered(
    _ place: UnresolvedLinks.Place, _ key: Value?, _ pending: PendingChanges
  ) -> SessionState.ObjectName? {
    guard let owner = links.owner(place), snapshot.isAlive(table: place.table, row: place.row) else {
      return nil
    }
    let table = snapshot.table(place.table)
    let isMixed = owner.property.type == .jsonb
    if !isMixed && !table.value(place.column, place.row).isNull { return nil }
    if let value = links[place] ?? (isMixed ? nil : key) {
      let missing = owner.property.resolve(value, in: snapshot).missing.compactMap { $0 }
      links.set(place, value, waitingFor: missing, in: snapshot)
      links.fill(place, pending, in: snapshot)
      return nil
    }
    // What is pending is sent as it is now, and what is not is what the server has.
    guard let root = links.root(of: place, in: snapshot), !root.isPending(in: pending) else { return nil }
    let key = snapshot.table(root.localClass.table).value(root.localClass.keyColumn, root.row)
    return .init(root.localClass.name, key)
  }

  private func fill(table: Int, _ ranges: [Range<Int>], _ pending: PendingChanges) {
    guard let localClass = classes.first(where: { $0.table == table }) else { return }
    let rows = snapshot.table(table)
    for range in ranges {
      for row in range where rows.isAlive(row) {
        for place in links.places(waitingFor: table, rows.value(localClass.keyColumn, row)) {
          links.fill(place, pending, in: snapshot)
        }
      }
    }
  }
}

extension UnresolvedLinks {
  /// Whether a link can be filled in that had to wait until its property was sent.
  func canFillPostponed(_ pending: PendingChanges, in snapshot: Snapshot) -> Bool {
    postponed.contains { place in
      if let found = collection(place) { return canFill(found.collection, place, pending, in: snapshot) }
      guard let value = self[place], let owner = owner(place),
        snapshot.isAlive(table: place.table, row: place.row)
      else { return false }
      let resolved = owner.property.resolve(value, in: snapshot).value
      return !snapshot.table(place.table).value(place.column, place.row).isExactly(resolved)
        && root(of: place, in: snapshot)?.isWritten(in: pending) != true
    }
  }

  /// Fills in the links of a property whose targets have arrived, in the write transaction that is open.
  ///
  /// - Returns: Whether the property was written.
  @discardableResult
  func fill(_ place: Place, _ pending: PendingChanges, in snapshot: Snapshot) -> Bool {
    if let found = collection(place) { return fill(found.collection, place, pending, in: snapshot) }
    guard let value = self[place], let owner = owner(place) else { return false }
    guard snapshot.isAlive(table: place.table, row: place.row) else {
      remove(place, in: snapshot)
      return false
    }
    let (resolved, missing) = owner.property.resolve(value, in: snapshot)
    if snapshot.table(place.table).value(place.column, place.row).isExactly(resolved) {
      if missing.isEmpty {
        remove(place, in: snapshot)
      } else {
        wait(place, for: missing.compactMap { $0 })
        postpone(place, false)
      }
      return false
    }
    if let root = root(of: place, in: snapshot), root.isWritten(in: pending) {
      postpone(place, true)
      return false
    }
    owner.localClass.setValue(value, of: owner.property, row: place.row, in: snapshot, self)
    return true
  }
}

extension UnresolvedLinks.Root {
  /// Whether a write of the property is pending, which another write would cancel.
  func isWritten(in pending: PendingChanges) -> Bool {
    pending.written(table: localClass.table, row: row, slot: slot) != nil
  }

  /// Whether the property is sent by the next push.
  func isPending(in pending: PendingChanges) -> Bool {
    isWritten(in: pending) || pending.creation(table: localClass.table, row: row) != nil
  }
}
