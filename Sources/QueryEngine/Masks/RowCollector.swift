import Storage

/// Gathers rows that come in any order: as a list while they are few, else as bits.
struct RowCollector {
  private let rowLimit: Int
  private let listLimit: Int
  private var rows: [Int] = []
  private var words: [UInt64] = []

  init(rowLimit: Int) {
    self.rowLimit = rowLimit
    // Sorting a list of rows costs about as much as clearing and reading bits for so many times more.
    listLimit = max(64, rowLimit / 512)
  }

  @inline(__always) mutating func insert(_ row: Int) {
    if !words.isEmpty {
      words[row >> 6] |= 1 << UInt64(truncatingIfNeeded: row & 63)
    } else {
      rows.append(row)
      if rows.count > listLimit { spread() }
    }
  }

  @inline(never) private mutating func spread() {
    words = RowSet(rows: rows).words(rowLimit: rowLimit)
    rows = []
  }

  mutating func finish() -> RowSet {
    if !words.isEmpty { return RowSet(words: words) }
    rows.sort()
    var distinct: [Int] = []
    distinct.reserveCapacity(rows.count)
    for row in rows where row != distinct.last { distinct.append(row) }
    return RowSet(rows: distinct)
  }
}
