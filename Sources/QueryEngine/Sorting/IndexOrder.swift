import Storage

/// How far the order of an index is that of sort keys.
struct IndexOrder {
  /// How many of the keys it decides.
  private(set) var keyCount = 0
  /// How many columns of the index tell apart the rows that differ in these keys.
  private(set) var columnCount = 0
  let isAscending: Bool

  /// nil when it is of no use.
  ///
  /// - Parameter isFixed: Whether a column has one value in all rows in question.
  init?(_ index: TableIndex, _ keys: [SortKey], isFixed: (Int) -> Bool) {
    var direction: Bool?
    for key in keys {
      guard let column = key.ownColumn else { break }
      // A column that is fixed, or has been seen, decides nothing more.
      if !isFixed(column) && !index.columns[..<columnCount].contains(column) {
        let place = index.columns[columnCount...].firstIndex { !isFixed($0) }
        guard let place, index.columns[place] == column, direction ?? key.isAscending == key.isAscending
        else {
          break
        }
        columnCount = place + 1
        direction = key.isAscending
      }
      keyCount += 1
    }
    guard let direction else { return nil }
    isAscending = direction
    while columnCount < index.columns.count, isFixed(index.columns[columnCount]) { columnCount += 1 }
  }
}

extension SortKey {
  /// The column of the sorted rows themselves that the key is.
  var ownColumn: Int? {
    guard source.links.isEmpty, case .column(let column, _) = source.source else { return nil }
    return column
  }
}
