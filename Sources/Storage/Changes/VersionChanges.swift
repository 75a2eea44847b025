/// What happened to one table from one version to a later one.
public struct TableChanges: Sendable {
  /// Rows from here on are new; not all of those below `rowLimit` need to be there.
  public var firstNewRow: Int
  public var rowLimit: Int
  /// Rows of the old version that were deleted.
  public var deleted = IndexRanges()
  /// For each column, the rows of the old version that it was written in. Deleted rows may be among them.
  public var modified: [Int: IndexRanges] = [:]

  public var insertedRange: Range<Int> { firstNewRow..<max(rowLimit, firstNewRow) }

  /// The rows of the old version that any column was written in.
  public var modifiedRows: IndexRanges { modified.values.reduce(IndexRanges()) { $0.union($1) } }

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
public struct VersionChanges: Sendable {
  public var tables: [Int: TableChanges] = [:]
  /// Collections of rows that were there before.
  public var collections: [CollectionKey: PositionChanges] = [:]
  /// For each column of links, the rows of the old version that gained or lost links from it. Deleted rows may be
  /// among them. Rows whose links came and went from one version to the next are not.
  public var backlinks: [BacklinkKey: IndexRanges] = [:]

  public init() {}

  public var isEmpty: Bool { tables.isEmpty }

  /// Adds what happened after these changes.
  public mutating func merge(_ next: VersionChanges) {
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
