package import Storage

/// Rows that are to be in the order of sort keys, brought into it only as far as they are asked for.
///
/// Those that satisfy a predicate are not even found before an index has failed to give the first ones in order.
///
/// Belongs to the thread of its snapshot, whose content must be as it was when this was made, unless the version is
/// pinned or all rows are in order.
package final class PartialSort {
  /// What all rows satisfy.
  private let predicate: Predicate
  private let keys: [SortKey]
  private let tableNumber: Int
  private let snapshot: Snapshot
  private let stamp: Int
  /// The rows without their order, and their number; nil before they were found or counted.
  private var foundSelection: RowSelection?
  private var knownCount: Int?
  /// The first rows in order.
  @exclusivity(unchecked) package private(set) var rows: [Int] = []
  /// How the rows were found; nil before any was asked for.
  package private(set) var method: SortMethod?
  /// How an index gave them.
  private(set) var index: IndexedSort?
  private var pin: VersionPin?

  /// - Parameter selection: Its order decides between equal rows.
  package convenience init(
    _ selection: RowSelection, count: Int, by keys: [SortKey], table: Int, in snapshot: Snapshot
  ) {
    self.init(matching: .constant(true), by: keys, table: table, in: snapshot)
    foundSelection = selection
    knownCount = count
  }

  /// The rows that satisfy a predicate.
  package init(matching predicate: Predicate, by keys: [SortKey], table: Int, in snapshot: Snapshot) {
    self.predicate = predicate
    self.keys = keys
    tableNumber = table
    self.snapshot = snapshot
    stamp = snapshot.contentStamp
  }

  /// The version that is sorted.
  private var source: Snapshot { snapshot.contentStamp == stamp ? snapshot : pin!.snapshot() }

  /// Whether all rows can still be had without a pinned version: what is not in order yet can be until the snapshot's
  /// content stamp changes.
  package var isReadable: Bool { snapshot.contentStamp == stamp || isComplete }

  /// The rows without their order.
  package var selection: RowSelection {
    if let foundSelection { return foundSelection }
    if isComplete { return .rows(rows) }
    let found = source.evaluate(predicate, table: tableNumber)
    foundSelection = .set(found)
    knownCount = found.count
    return .set(found)
  }

  /// The number of all rows.
  package var count: Int {
    if let knownCount { return knownCount }
    // The rows are worth more than their number, unless that is cheap.
    let source = source
    if let count = QueryPlan(predicate, table: tableNumber, in: source).countFromIndex {
      knownCount = count
    } else {
      _ = selection
    }
    return knownCount!
  }

  /// Whether all rows are in order.
  package var isComplete: Bool { rows.count == knownCount }

  /// The row at a position, which must be below the count.
  @inline(__always) package func row(at position: Int) -> Int {
    if position >= rows.count { grow(beyond: position) }
    return rows[position]
  }

  /// The row at a position; nil when there are not so many, for which they need not be counted.
  package func row(ifAt position: Int) -> Int? {
    if position >= rows.count {
      if isComplete { return nil }
      grow(beyond: position)
    }
    return position < rows.count ? rows[position] : nil
  }

  /// All rows in order.
  package var allRows: [Int] {
    if !isComplete { grow(beyond: .max) }
    return rows
  }

  /// The position of a row.
  package func position(of row: Int) -> Int? {
    if let position = rows.firstIndex(of: row) { return position }
    if isComplete { return nil }
    if case .set(let set) = foundSelection, !set.contains(row) { return nil }
    return allRows.firstIndex(of: row)
  }

  /// Makes the rows readable also after the snapshot has moved on.
  package func pinVersion() {
    if isComplete || pin != nil { return }
    if let pin = snapshot.pin() { self.pin = pin } else { grow(beyond: .max) }
  }

  // MARK: Growing

  private static let firstStep = 512
  /// Of rows that an index gives, each that was not needed costs as much as the others.
  private static let firstIndexStep = 32
  private static let growth = 64

  /// How many rows are to be in order, so that there is one at a position.
  private func limit(beyond position: Int, from step: Int) -> Int {
    if position == .max { return .max }
    let limit = max(position + 1, rows.isEmpty ? step : rows.count * Self.growth)
    if let knownCount, limit > knownCount / 8 { return .max }
    return limit
  }

  @inline(never) private func grow(beyond position: Int) {
    let source = source
    if foundSelection == nil {
      let limit = limit(beyond: position, from: Self.firstIndexStep)
      let sorted = source.firstRows(matching: predicate, by: keys, table: tableNumber, limit: limit)
      // A damaged index has nothing, where damage is noted.
      if let sorted, !(source.foundDamage?.isFound ?? false) {
        let isComplete = sorted.rows.count < limit
        return take(sorted, count: isComplete ? knownCount ?? sorted.rows.count : nil, position, source)
      }
    }
    let selection = selection
    let limit = limit(beyond: position, from: Self.firstStep)
    let sorted = source.sort(
      selection, count: count, by: keys, table: tableNumber, limit: limit, matching: predicate)
    take(sorted, count: count, position, source)
  }

  private func take(_ sorted: SortedRows, count: Int?, _ position: Int, _ source: Snapshot) {
    (rows, method, index) = (sorted.rows, sorted.method, sorted.index)
    if let count {
      knownCount = count
      if rows.count < count && rows.count <= position {
        source.stop(
          damagedTable: tableNumber, column: -1, "its indexes",
          "one has only \(rows.count) of the \(count) rows that were found")
      }
    }
    if isComplete { pin = nil }
  }
}
