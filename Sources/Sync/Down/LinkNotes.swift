import Storage

/// What the change log says of links since the unresolved ones were brought up to date: user transactions cannot do that
/// themselves, because a program need not know of sync.
struct LinkNotes {
  /// What became of a property of a row.
  enum Event {
    /// The user has written it, or deleted the row.
    case written
    /// Its target was deleted, with this key; nil when several were deleted together.
    case severed(key: Value?)
  }

  /// What became of an element of a set or map.
  enum ElementEvent {
    /// The user has added, written or removed it.
    case written
    /// Its target was deleted. Has the value of the element as the server knows it; nil when that cannot be said.
    case severed(Value?)
  }

  /// What became of the elements of a set or map of a row.
  struct ElementEvents {
    /// Whether the row was deleted, or has become another object, before what is said of elements.
    var isRowGone = false
    var elements: [ElementIdentity: (identity: Value, event: ElementEvent)] = [:]
  }

  private(set) var events: [UnresolvedLinks.Place: Event] = [:]
  private(set) var elements: [UnresolvedLinks.Place: ElementEvents] = [:]
  /// For each table, rows that the user has created.
  private(set) var created: [Int: [Range<Int>]] = [:]
  /// The version up to which the log was read.
  private(set) var version: UInt64

  init(after version: UInt64) { self.version = version }

  var hasEvents: Bool { !events.isEmpty || !elements.isEmpty }

  /// Reads the log up to the version of the snapshot.
  mutating func catchUp(_ snapshot: Snapshot, _ links: UnresolvedLinks) throws(StorageError) {
    if version >= snapshot.version { return }
    let entries = links.keyed(try snapshot.syncEntries(after: version), in: snapshot)
    for entry in entries where entry.origin == .user { add(entry, links) }
    version = snapshot.version
  }

  private mutating func add(_ entry: SyncEntry, _ links: UnresolvedLinks) {
    for change in entry.tables {
      // With nothing unresolved, nothing waits for them.
      if !links.isEmpty && !change.created.isEmpty {
        created[change.table, default: []] += change.created.ranges
      }
      let columns = links.columns[change.table] ?? []
      let isKnown = !columns.isEmpty && !(links.isEmpty && events.isEmpty)
      let deleted = isKnown ? IndexRanges(change.deleted.map(\.row)) : IndexRanges()
      for column in columns {
        if let rows = change.written[column] {
          forEachKnown(rows, change.table, column, links) { $0[$1] = .written }
        }
        if let rows = change.severed[column], !rows.isEmpty {
          let place = UnresolvedLinks.Place(table: change.table, column: column, row: 0)
          let key = severedKey(entry, links.owner(place)?.property)
          for range in rows.ranges {
            for row in range {
              events[.init(table: change.table, column: column, row: row)] = .severed(key: key)
            }
          }
        }
        forEachKnown(deleted, change.table, column, links) { $0[$1] = .written }
      }
      addElements(change, entry, links)
    }
  }

  private mutating func addElements(_ change: SyncTableChange, _ entry: SyncEntry, _ links: UnresolvedLinks) {
    for column in links.collectionColumns[change.table] ?? [] {
      func place(_ row: Int) -> UnresolvedLinks.Place { .init(table: change.table, column: column, row: row) }
      func isKnown(_ place: UnresolvedLinks.Place) -> Bool { elements[place] != nil || links[place] != nil }
      for deleted in change.deleted where isKnown(place(deleted.row)) {
        elements[place(deleted.row)] = ElementEvents(isRowGone: true)
      }
      for (row, identities) in change.touched[column] ?? [:] where isKnown(place(row)) {
        for identity in identities { note(.written, identity.value, place(row)) }
      }
      for (row, identities) in change.severedElements[column] ?? [:] {
        let isSet = links.collection(place(row))?.collection.kind == .set
        let key = isSet ? nil : severedKey(entry, links.collection(place(row))?.collection.content)
        for identity in identities { note(.severed(isSet ? .null : key), identity.value, place(row)) }
      }
    }
  }

  private mutating func note(_ event: ElementEvent, _ identity: Value, _ place: UnresolvedLinks.Place) {
    elements[place, default: ElementEvents()].elements[ElementIdentity(identity)] = (identity, event)
  }

  /// Calls the body with the rows of which something is known by which they matter.
  private mutating func forEachKnown(
    _ rows: IndexRanges, _ table: Int, _ column: Int, _ links: UnresolvedLinks,
    _ body: (inout [UnresolvedLinks.Place: Event], UnresolvedLinks.Place) -> Void
  ) {
    if links.isEmpty && events.isEmpty { return }
    for range in rows.ranges {
      for row in range {
        let place = UnresolvedLinks.Place(table: table, column: column, row: row)
        if events[place] != nil || links[place] != nil { body(&events, place) }
      }
    }
  }

  /// The key of the only object that a severed link of a transaction can have led to.
  private func severedKey(_ entry: SyncEntry, _ property: LocalProperty?) -> Value? {
    guard let property, property.type != .jsonb else { return nil }
    let deleted = entry.tables.filter { $0.table == property.targets[0].table }.flatMap(\.deleted)
    return deleted.count == 1 ? deleted[0].key : nil
  }
}
