import Storage

/// Sorts by reading the index of the first key in order.
struct IndexedSort {
  private let keys: [SortKey]
  private let column: Int
  private let table: Table
  private let selection: RowSelection
  private let count: Int

  /// nil when the first key has no index, or the rows have an order of their own.
  init?(_ keys: [SortKey], _ selection: RowSelection, count: Int, _ table: Table) {
    guard let first = keys.first, first.source.links.isEmpty,
      case .column(let column, let type) = first.source.source,
      ![.mixed, .decimal128, .data].contains(type),
      table.snapshot.hasIndex(table: table.number, column: column)
    else { return nil }
    if case .rows = selection { return nil }
    self.keys = keys
    self.column = column
    self.table = table
    self.selection = selection
    self.count = count
  }

  private static let perEntry = 8.0

  /// Roughly how long it takes to find the first rows, in nanoseconds, if many rows are not equal in the first key.
  func cost(limit: Int) -> Double {
    let entries = Double(table.state.pointee.liveCount) * Double(limit) / Double(max(count, 1))
    return 2000 + entries * Self.perEntry
  }

  /// The first rows in order; nil when too many entries would have to be read.
  ///
  /// - Parameter budget: In nanoseconds.
  func rows(limit: Int, budget: Double) -> [Int]? {
    let entryLimit = budget / Self.perEntry
    var entries = 0.0
    var found: [Int] = []
    var groupStart = 0
    let isAscending = keys[0].isAscending
    // With one key the rows of a group are in order already; read backwards, they have to be turned round.
    let needsGroups = keys.count > 1 || !isAscending
    let words: [UInt64]? =
      if case .set(let rows) = selection { rows.words(rowLimit: table.rowLimit) } else { nil }
    func visit(_ row: Int, _ startsGroup: Bool) -> Bool {
      if startsGroup {
        if !isAscending { found[groupStart...].reverse() }
        groupStart = found.count
        if found.count >= limit { return false }
      }
      entries += 1
      if entries > entryLimit { return false }
      if let words, words[row >> 6] & (1 << UInt64(truncatingIfNeeded: row & 63)) == 0 { return true }
      found.append(row)
      return needsGroups || found.count < limit
    }
    if limit == 0 { return [] }
    if needsGroups {
      table.snapshot.forEachGroupedRow(
        .column(column, ofTable: table.number), ascending: isAscending, visit)
      if !isAscending { found[groupStart...].reverse() }
    } else {
      table.snapshot.forEachRow(.column(column, ofTable: table.number), in: .all) { visit($0, false) }
    }
    if entries > entryLimit { return nil }
    if keys.count == 1 { return Array(found.prefix(limit)) }
    return RowSorter(keys, rows: found, table: table, limit: limit).positions().map { found[$0] }
  }
}
