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

  private(set) var events: [UnresolvedLinks.Place: Event] = [:]
  /// For each table, rows that the user has created.
  private(set) var created: [Int: [Range<Int>]] = [:]
  /// The version up to which the log was read.
  private(set) var version: UInt64

  init(after version: UInt64) { self.version = version }

  /// Reads the log up to the version of the snapshot.
  mutating func catchUp(_ snapshot: Snapshot, _ links: UnresolvedLinks) throws(StorageError) {
    if version >= snapshot.version { return }
    for entry in try snapshot.syncEntries(after: version) where entry.origin == .user { add(entry, links) }
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
          let key = severedKey(entry, change.table, column, links)
          for range in rows.ranges {
            for row in range {
              events[.init(table: change.table, column: column, row: row)] = .severed(key: key)
            }
          }
        }
        forEachKnown(deleted, change.table, column, links) { $0[$1] = .written }
      }
    }
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
  private func severedKey(_ entry: SyncEntry, _ table: Int, _ column: Int, _ links: UnresolvedLinks) -> Value?
  {
    guard let owner = links.owner(.init(table: table, column: column, row: 0)), owner.property.type != .jsonb
    else { return nil }
    let deleted = entry.tables.filter { $0.table == owner.property.targets[0].table }.flatMap(\.deleted)
    return deleted.count == 1 ? deleted[0].key : nil
  }
}
