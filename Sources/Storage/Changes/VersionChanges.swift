/// What happened to one table from one version to a later one.
package struct TableChanges: Sendable {
  /// Rows from here on are new; not all of those below `rowLimit` need to be there.
  package var firstNewRow: Int
  package var rowLimit: Int
  /// Rows of the old version that were deleted.
  package var deleted = IndexRanges()
  /// For each column, the rows of the old version that it was written in. Deleted rows may be among them.
  package var modified: [Int: IndexRanges] = [:]

  package var insertedRange: Range<Int> { firstNewRow..<max(rowLimit, firstNewRow) }

  /// The rows of the old version that any column was written in.
  package var modifiedRows: IndexRanges { modified.values.reduce(IndexRanges()) { $0.union($1) } }

  mutating func merge(_ next: TableChanges) {
    rowLimit = max(rowLimit, next.rowLimit)
    let old = 0..<firstNewRow
    deleted.formUnion(next.deleted.clamped(to: old))
    for (column, rows) in next.modified {
      let rows = rows.clamped(to: old)
      if !rows.isEmpty { modified[column, default: IndexRanges()].formUnion(rows) }
    }
  }
}

/// What happened in a file from one version to a later one.
package struct VersionChanges: Sendable {
  package var tables: [Int: TableChanges] = [:]
  /// Collections of rows that were there before.
  package var collections: [CollectionKey: PositionChanges] = [:]
  /// For each column of links, the rows of the old version that gained or lost links from it. Deleted rows may be
  /// among them. Rows whose links came and went from one version to the next are not.
  package var backlinks: [BacklinkKey: IndexRanges] = [:]

  package init() {}

  package var isEmpty: Bool { tables.isEmpty }

  /// Adds what happened after these changes.
  package mutating func merge(_ next: VersionChanges) {
    for (number, changes) in next.tables {
      if tables[number] == nil { tables[number] = changes } else { tables[number]!.merge(changes) }
    }
    for (key, changes) in next.collections {
      if let table = tables[key.table], table.insertedRange.contains(key.row) { continue }
      collections[key, default: PositionChanges()].merge(changes)
    }
    for (key, rows) in next.backlinks {
      let old = tables[key.target].map { rows.clamped(to: 0..<$0.firstNewRow) } ?? rows
      if !old.isEmpty { backlinks[key, default: IndexRanges()].formUnion(old) }
    }
  }
}
