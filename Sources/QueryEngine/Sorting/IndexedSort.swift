import Storage

/// Sorts by reading an index in its order.
struct IndexedSort {
  let index: TableIndex
  /// The parts of the index in which the rows are.
  let lookup: IndexLookup
  /// What the rows there must still pass.
  let rest: Predicate
  private let keys: [SortKey]
  private let order: IndexOrder
  private let table: Table
  /// About how many rows there are in the parts, and how many of them belong to the result.
  private let entryCount: Double
  private let matchCount: Double
  private let perEntry: Double

  /// - Parameter count: How many rows belong to the result, all of which are known; nil when rows have to be tested.
  private init?(
    _ index: TableIndex, _ lookup: IndexLookup, _ keys: [SortKey], _ conjunction: Conjunction, count: Int?,
    _ table: Table
  ) {
    let order = IndexOrder(index, keys) { column in
      // Either in all rows, or in each part of the index.
      if let bounds = conjunction.bounds(of: column), bounds.ranges.count == 1, bounds.hasSingleValues {
        return true
      }
      return index.columns[..<lookup.valueCount].contains(column)
    }
    guard let order else { return nil }
    self.index = index
    self.lookup = lookup
    self.order = order
    self.keys = keys
    self.table = table
    let isWhole = lookup.entries.count == 1 && lookup.entries[0].range == .all
    let rest = conjunction.rest(without: lookup.answered)
    self.rest = rest
    entryCount = Double(isWhole ? table.state.pointee.liveCount : lookup.estimate(table))
    if let count {
      matchCount = min(Double(count), entryCount)
    } else {
      matchCount = rest == .constant(true) ? entryCount : entryCount * SelectivityEstimate(table).share(rest)
    }
    perEntry = rest == .constant(true) || count != nil ? Self.reading : Self.reading + Self.testing
  }

  /// The quickest way to the first rows; nil when no index has the order of the first key.
  ///
  /// - Parameter count: The number of rows, if these are known and only their order is not.
  static func cheapest(
    _ keys: [SortKey], matching predicate: Predicate, count: Int?, limit: Int, _ table: Table
  ) -> IndexedSort? {
    guard let first = keys.first?.ownColumn else { return nil }
    var indexes = table.compoundIndexes.map { TableIndex($0, table) }
    if let own = TableIndex(column: first, table) { indexes.append(own) }
    if indexes.isEmpty { return nil }
    let conjunction = Conjunction(predicate, table)
    var best: IndexedSort?
    for index in indexes {
      let lookup = IndexLookup(index, conjunction)
      // Many parts may take longer than the whole index, or have nothing of its order.
      let whole = (lookup?.entries.count ?? 2) > 1 ? IndexLookup(whole: index) : nil
      for case let lookup? in [lookup, whole] {
        let way = IndexedSort(index, lookup, keys, conjunction, count: count, table)
        guard let way else { continue }
        if best.map({ way.cost(limit: limit) < $0.cost(limit: limit) }) ?? true { best = way }
      }
    }
    return best
  }

  // MARK: Cost

  private static let seek = 2000.0
  private static let reading = 8.0
  private static let testing = 200.0

  /// Roughly how long it takes to find the first rows, in nanoseconds, if many rows are not equal in the keys.
  func cost(limit: Int) -> Double {
    let parts = Double(lookup.entries.count)
    let read = parts * entryCount * Double(limit) / max(matchCount, 1)
    // Of what no key decides, the rows of a group have to be sorted.
    let undecided = order.keyCount < keys.count ? 1.1 : 1
    return parts * Self.seek + min(read, entryCount) * perEntry * undecided
  }

  /// How many rows belong to the result.
  var estimate: Int { Int(matchCount) }

  // MARK: Reading

  /// The first rows in order; nil when too many entries would have to be read.
  ///
  /// - Parameters:
  ///   - budget: In nanoseconds.
  ///   - selection: The rows of the result, if they are known.
  func rows(limit: Int, budget: Double, of selection: RowSet?) -> [Int]? {
    if limit == 0 { return [] }
    if cost(limit: limit) >= budget { return nil }
    let words = selection?.words(rowLimit: table.rowLimit)
    let reader = words == nil && rest != .constant(true) ? RowReader(table) : nil
    func passes(_ row: Int) -> Bool {
      if let words { return words[row >> 6] & (1 << UInt64(truncatingIfNeeded: row & 63)) != 0 }
      return reader?.matches(rest, row: row) ?? true
    }
    var remaining = budget / perEntry
    var found: [Int] = []
    for entry in lookup.entries {
      guard let rows = rows(entry.range, limit, &remaining, passes) else { return nil }
      found += rows
    }
    if lookup.entries.count == 1 && order.keyCount == keys.count { return Array(found.prefix(limit)) }
    // Equal rows are to come in the order of their numbers.
    if lookup.entries.count > 1 { found.sort() }
    return RowSorter(keys, rows: found, table: table, limit: limit).positions().map { found[$0] }
  }

  /// At least the first rows of one part, as far as the index decides their order; equal ones by their numbers.
  private func rows(
    _ range: IndexRange, _ limit: Int, _ remaining: inout Double, _ passes: (Int) -> Bool
  ) -> [Int]? {
    var found: [Int] = []
    var groupStart = 0
    // Rows with the same key are in order already; read backwards, or with values behind those of the keys, they are
    // not, and with keys that the index does not decide all of a group are needed.
    let needsGroups =
      order.keyCount < keys.count || !order.isAscending || order.columnCount < index.columns.count
    var left = remaining
    func visit(_ row: Int, _ startsGroup: Bool) -> Bool {
      if startsGroup {
        found[groupStart...].sort()
        groupStart = found.count
        if found.count >= limit { return false }
      }
      left -= 1
      if left < 0 { return false }
      if passes(row) { found.append(row) }
      return needsGroups || found.count < limit
    }
    if needsGroups {
      table.snapshot.forEachGroupedRow(
        index.value, in: range, partCount: index.isCompound ? order.columnCount : nil,
        ascending: order.isAscending, visit)
      found[groupStart...].sort()
    } else {
      table.snapshot.forEachRow(index.value, in: range) { visit($0, false) }
    }
    remaining = left
    return left < 0 ? nil : found
  }
}
