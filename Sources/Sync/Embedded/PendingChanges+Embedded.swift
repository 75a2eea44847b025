import Storage

/// Turns what transactions have changed in a file into changes of the synchronised classes: writes of embedded objects are writes of
/// the objects that they belong to.
struct SynchronisedChanges {
  private let tables: Set<Int>
  /// The classes with embedded objects, by their tables.
  private let owners: [Int: LocalClass]
  private let parents: EmbeddedParents
  private var keys: DocumentKeys

  init(_ classes: [LocalClass], _ snapshot: Snapshot) {
    tables = Set(classes.map(\.table))
    let owning = classes.filter { !$0.embedded.isEmpty || $0.collections.contains { $0.documents != nil } }
    owners = Dictionary(uniqueKeysWithValues: owning.map { ($0.table, $0) })
    parents = EmbeddedParents(snapshot)
    keys = DocumentKeys(snapshot)
  }

  /// Returns what a transaction has changed in the synchronised classes.
  ///
  /// Only embedded objects that are still there count. When one has been deleted or replaced, the link to it was written, which is a
  /// write of all that it had; in a map, so was its entry.
  mutating func changes(_ changes: [SyncTableChange]) -> [SyncTableChange] {
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
  private mutating func add(
    _ column: Int, _ rows: IndexRanges, of table: Int, to written: inout EmbeddedWrites
  ) {
    for row in rows.ranges.joined() {
      guard let place = parents.owner(of: row, table: table), let owner = owners[place.table] else {
        continue
      }
      let first = place.path[0]
      if owner.collections.contains(where: { $0.column == first }) {
        let map = CollectionKey(table: place.table, column: first, row: place.row)
        if let key = keys.key(of: place.outermost, in: map) { written.touch(key, of: map) }
        continue
      }
      for slot in owner.embedded[place.path + [column]] {
        written.add(CollectionOfOne(place.row), slot, table: place.table)
      }
    }
  }
}

/// The keys under which maps have embedded objects. That of an object never changes.
private struct DocumentKeys {
  private let snapshot: Snapshot
  /// For each map, the positions of the objects by their rows.
  private var positions: [CollectionKey: [Int: Int]] = [:]

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// Returns the key of an object; nil if the map does not have it.
  mutating func key(of object: Int, in map: CollectionKey) -> String? {
    let table = snapshot.table(map.table)
    if positions[map] == nil {
      var found: [Int: Int] = [:]
      for (position, value) in table.elements(map.column, map.row).enumerated() {
        if case .link(_, let row) = value { found[row] = position }
      }
      positions[map] = found
    }
    return positions[map]![object].map { table.key(map.column, map.row, at: $0) }
  }
}

/// Writes of embedded objects' values, by the tables, slots and rows of their owners, and of the entries of maps that have them.
private struct EmbeddedWrites {
  private var rows: [Int: [Int: [Int]]] = [:]
  private var touched: [CollectionKey: Set<ExactValue>] = [:]

  mutating func add(_ added: some Sequence<Int>, _ slot: Int, table: Int) {
    rows[table, default: [:]][slot, default: []] += added
  }

  mutating func touch(_ key: String, of map: CollectionKey) {
    touched[map, default: []].insert(ExactValue(.string(key)))
  }

  func insert(into changes: inout [Int: SyncTableChange]) {
    for (map, keys) in touched {
      changes[map.table, default: SyncTableChange(table: map.table)]
        .touched[map.column, default: [:]][map.row, default: []].formUnion(keys)
    }
    for (table, slots) in rows {
      var change = changes[table] ?? SyncTableChange(table: table)
      for (slot, rows) in slots { change.written[slot, default: IndexRanges()].formUnion(IndexRanges(rows)) }
      changes[table] = change
    }
  }
}
