package import Storage

/// Rows that are to be in the order of sort keys, brought into it only as far as they are asked for.
///
/// Belongs to the thread of its snapshot, whose content must be as it was when this was made, unless the version is
/// pinned.
package final class PartialSort {
  /// The rows without their order.
  package let selection: RowSelection
  private let keys: [SortKey]
  private let tableNumber: Int
  private let snapshot: Snapshot
  private let stamp: Int
  /// The number of all rows.
  package let count: Int
  /// The first rows in order.
  @exclusivity(unchecked) package private(set) var rows: [Int] = []
  /// How the rows were found; nil before any was asked for.
  package private(set) var method: SortMethod?
  private var pin: VersionPin?

  /// - Parameter selection: Its order decides between equal rows.
  package init(_ selection: RowSelection, count: Int, by keys: [SortKey], table: Int, in snapshot: Snapshot) {
    self.selection = selection
    self.count = count
    self.keys = keys
    tableNumber = table
    self.snapshot = snapshot
    stamp = snapshot.contentStamp
  }

  /// Whether all rows are in order.
  package var isComplete: Bool { rows.count == count }

  /// The row at a position, which must be below the count.
  @inline(__always) package func row(at position: Int) -> Int {
    if position >= rows.count { grow(beyond: position) }
    return rows[position]
  }

  /// All rows in order.
  package var allRows: [Int] {
    if !isComplete { grow(beyond: count - 1) }
    return rows
  }

  /// The position of a row.
  package func position(of row: Int) -> Int? {
    if let position = rows.firstIndex(of: row) { return position }
    if isComplete { return nil }
    if case .set(let set) = selection, !set.contains(row) { return nil }
    return allRows.firstIndex(of: row)
  }

  /// Makes the rows readable also after the snapshot has moved on.
  package func pinVersion() {
    if isComplete || pin != nil { return }
    if let pin = snapshot.pin() { self.pin = pin } else { grow(beyond: count - 1) }
  }

  private static let firstStep = 512
  private static let growth = 64

  @inline(never) private func grow(beyond position: Int) {
    var limit = max(rows.count, Self.firstStep)
    while limit <= position || limit == rows.count { limit *= Self.growth }
    if limit > count / 8 { limit = count }
    let source = snapshot.contentStamp == stamp ? snapshot : pin!.snapshot()
    (rows, method) = source.sort(selection, count: count, by: keys, table: tableNumber, limit: limit)
    if rows.count <= position {
      source.stop(
        damagedTable: tableNumber, column: -1, "its indexes",
        "one has only \(rows.count) of the \(count) rows that were found")
    }
    if isComplete { pin = nil }
  }
}
