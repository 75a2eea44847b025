import Storage

/// Ranges of value indexes that together hold every row which satisfies some condition.
struct IndexLookup {
  struct Entry: Hashable {
    var column: Int
    var range: IndexRange

    /// The key when the range holds no other.
    var key: IndexKey? {
      guard let lower = range.lower, lower == range.upper, range.includesLower, range.includesUpper else {
        return nil
      }
      return lower
    }
  }

  /// A row may be in several of them only when `canOverlap` is true.
  var entries: [Entry]
  var canOverlap = false
  /// Whether all rows in the ranges satisfy the condition.
  var isExact = true

  /// What the predicate comes down to on the table's indexes, if it does.
  init?(_ predicate: Predicate, _ table: Table) {
    switch predicate {
    case .value(.column(let column, let type), let condition):
      let snapshot = table.snapshot
      guard ![.mixed, .decimal128, .data].contains(type),
        snapshot.hasIndex(table: table.number, column: column),
        let (ranges, isExact) = condition.indexBounds(type)
      else { return nil }
      entries = ranges.map { Entry(column: column, range: $0) }
      self.isExact = isExact
    case .or(let operands):
      entries = []
      canOverlap = true
      for operand in operands {
        guard let lookup = IndexLookup(operand, table) else { return nil }
        entries += lookup.entries
        isExact = isExact && lookup.isExact
      }
    default: return nil
    }
  }

  private init(_ entry: Entry, isExact: Bool) {
    entries = [entry]
    self.isExact = isExact
  }

  /// What both of two lookups hold, when each is one range of the same index.
  func intersection(_ other: IndexLookup) -> IndexLookup? {
    guard entries.count == 1, other.entries.count == 1, entries[0].column == other.entries[0].column else {
      return nil
    }
    let range = entries[0].range.intersection(other.entries[0].range)
    return IndexLookup(Entry(column: entries[0].column, range: range), isExact: isExact && other.isExact)
  }

  // MARK: Asking the indexes

  private static let sampleSize = 64

  /// Roughly the number of rows.
  func estimate(_ table: Table) -> Int {
    let step = max(1, entries.count / Self.sampleSize)
    var total = 0
    var asked = 0
    for position in stride(from: 0, to: entries.count, by: step) {
      total += table.snapshot.estimatedRowCount(
        .column(entries[position].column, ofTable: table.number), in: entries[position].range)
      asked += 1
    }
    return asked == 0 ? 0 : total * entries.count / asked
  }

  /// The exact number of rows; only when the ranges do not overlap.
  func count(_ table: Table) -> Int {
    entries.reduce(0) {
      $0 + table.snapshot.rowCount(.column($1.column, ofTable: table.number), in: $1.range)
    }
  }

  /// The rows in the ranges.
  func rows(_ table: Table) -> RowSet {
    let snapshot = table.snapshot
    if entries.count == 1, let key = entries[0].key {
      return RowSet(
        rows: snapshot.rows(.column(entries[0].column, ofTable: table.number), equalTo: key))
    }
    var collector = RowCollector(rowLimit: table.rowLimit)
    for entry in entries {
      if let key = entry.key {
        for row in snapshot.rows(.column(entry.column, ofTable: table.number), equalTo: key) {
          collector.insert(row)
        }
      } else {
        snapshot.forEachRow(.column(entry.column, ofTable: table.number), in: entry.range) {
          collector.insert($0)
          return true
        }
      }
    }
    return collector.finish()
  }
}
