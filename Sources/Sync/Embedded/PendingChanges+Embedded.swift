import Storage

/// Turns what transactions have changed in a file into changes of the synchronised classes: writes of embedded objects are writes of
/// the objects that they belong to.
struct SynchronisedChanges {
  private let tables: Set<Int>
  /// The classes with embedded objects, by their tables.
  private let owners: [Int: LocalClass]
  private let parents: EmbeddedParents

  init(_ classes: [LocalClass], _ snapshot: Snapshot) {
    tables = Set(classes.map(\.table))
    let owning = classes.filter { !$0.embedded.isEmpty }
    owners = Dictionary(uniqueKeysWithValues: owning.map { ($0.table, $0) })
    parents = EmbeddedParents(snapshot)
  }

  /// Returns what a transaction has changed in the synchronised classes.
  ///
  /// Only embedded objects that are still there count. When one has been deleted or replaced, the link to it was written, which is a
  /// write of all that it had.
  func changes(_ changes: [SyncTableChange]) -> [SyncTableChange] {
    let synchronised = changes.filter { tables.contains($0.table) }
    if owners.isEmpty { return synchronised }
    var result = Dictionary(uniqueKeysWithValues: synchronised.map { ($0.table, $0) })
    var written = EmbeddedWrites()
    for change in changes {
      if let owner = owners[change.table] {
        for (column, rows) in change.written {
          for slot in owner.embedded[[column]] { written.add(rows.members, slot, table: owner.table) }
        }
      } else if parents.isEmbedded(change.table) {
        for (column, rows) in change.written { add(column, rows, of: change.table, to: &written) }
      }
    }
    written.insert(into: &result)
    return result.values.sorted { $0.table < $1.table }
  }

  /// Adds the writes of a column of embedded objects.
  private func add(_ column: Int, _ rows: IndexRanges, of table: Int, to written: inout EmbeddedWrites) {
    for row in rows.ranges.joined() {
      guard let place = parents.owner(of: row, table: table), let owner = owners[place.table] else {
        continue
      }
      for slot in owner.embedded[place.path + [column]] {
        written.add(CollectionOfOne(place.row), slot, table: place.table)
      }
    }
  }
}

/// Writes of embedded objects' values, by the tables, slots and rows of their owners.
private struct EmbeddedWrites {
  private var rows: [Int: [Int: [Int]]] = [:]

  mutating func add(_ added: some Sequence<Int>, _ slot: Int, table: Int) {
    rows[table, default: [:]][slot, default: []] += added
  }

  func insert(into changes: inout [Int: SyncTableChange]) {
    for (table, slots) in rows {
      var change = changes[table] ?? SyncTableChange(table: table)
      for (slot, rows) in slots { change.written[slot, default: IndexRanges()].formUnion(IndexRanges(rows)) }
      changes[table] = change
    }
  }
}
