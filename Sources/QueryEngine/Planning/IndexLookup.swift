import Storage

/// Ranges of value indexes that together hold every row which satisfies some conditions.
struct IndexLookup {
  struct Entry {
    let index: TableIndex
    let range: IndexRange
    /// What the range says of each of the first columns of an index over several.
    var parts: [IndexRange] = []

    /// The whole index.
    init(_ index: TableIndex) {
      self.index = index
      range = .all
    }

    fileprivate init(_ index: TableIndex, _ range: IndexRange, parts: [IndexRange] = []) {
      self.index = index
      self.range = range
      self.parts = parts
    }
  }

  /// A row may be in several of them only when `canOverlap` is true.
  let entries: [Entry]
  let canOverlap: Bool
  /// The positions of the conditions that all rows in the ranges satisfy.
  let answered: [Int]
  /// How many of the first columns have one value in each of the ranges.
  let valueCount: Int

  /// All rows.
  init(whole index: TableIndex) {
    entries = [Entry(index)]
    canOverlap = false
    answered = []
    valueCount = 0
  }

  /// What a conjunction says of an index; nil when that is nothing.
  init?(_ index: TableIndex, _ conjunction: Conjunction) {
    if index.isCompound {
      if conjunction.bounds(of: index.columns[0]) == nil { return nil }
      (entries, answered, valueCount) = Self.compound(index, conjunction)
      canOverlap = false
      return
    }
    guard let first = conjunction.bounds(of: index.columns[0]) else { return nil }
    entries = first.ranges.map { Entry(index, $0) }
    canOverlap = false
    answered = first.answered
    valueCount = first.hasSingleValues ? 1 : 0
  }

  /// What the alternatives at a position of a conjunction come down to; nil when one of them finds no index.
  init?(alternatives: [Predicate], _ position: Int, _ table: Table) {
    var entries: [Entry] = []
    var isExact = true
    for alternative in alternatives {
      let conjunction = Conjunction(alternative, table)
      let lookups = conjunction.lookupsOfBounds(table)
      guard let lookup = lookups.max(by: { $0.answered.count < $1.answered.count }) else { return nil }
      entries += lookup.entries
      isExact = isExact && lookup.answered.count == conjunction.parts.count
    }
    self.entries = entries
    canOverlap = true
    answered = isExact ? [position] : []
    valueCount = 0
  }

  // MARK: Indexes over several columns

  /// The values of some first columns.
  private struct Beginning {
    var key = CompoundKey()
    var parts: [IndexRange] = []

    mutating func append(_ range: IndexRange, _ value: IndexKey) {
      key.append(value)
      parts.append(range)
    }

    func appending(_ range: IndexRange, _ value: IndexKey) -> Beginning {
      var longer = self
      longer.append(range, value)
      return longer
    }
  }

  /// How many combinations of values are looked for.
  private static let combinationLimit = 256

  /// The ranges of the keys that begin with all combinations of values, as far as the columns have single ones, and
  /// whose next value is in a range.
  private static func compound(
    _ index: TableIndex, _ conjunction: Conjunction
  ) -> (entries: [Entry], answered: [Int], valueCount: Int) {
    var beginnings = [Beginning()]
    var answered: [Int] = []
    for (position, column) in index.columns.enumerated() {
      guard let bounds = conjunction.bounds(of: column) else { break }
      let combinationCount = beginnings.count * bounds.ranges.count
      if position > 0 && combinationCount > max(combinationLimit, beginnings.count) { break }
      answered += bounds.answered
      guard bounds.hasSingleValues else {
        let entries = beginnings.flatMap { beginning in
          bounds.ranges.map {
            Entry(index, beginning.key.range(next: $0), parts: beginning.parts + [$0])
          }
        }
        return (entries, answered, position)
      }
      if bounds.ranges.count == 1, let key = bounds.ranges[0].key {
        for place in beginnings.indices { beginnings[place].append(bounds.ranges[0], key) }
        continue
      }
      beginnings = beginnings.flatMap { beginning in
        bounds.ranges.compactMap { range in range.key.map { beginning.appending(range, $0) } }
      }
    }
    let entries = beginnings.map { beginning in
      let isWhole = beginning.parts.count == index.columns.count
      return Entry(
        index, isWhole ? .equal(to: beginning.key.indexKey) : beginning.key.beginning, parts: beginning.parts)
    }
    return (entries, answered, beginnings.first?.parts.count ?? 0)
  }

  // MARK: Asking the indexes

  private static let sampleSize = 64

  /// Roughly the number of rows. It comes from the blocks of the indexes themselves, so that there is no need to keep
  /// numbers of distinct values.
  func estimate(_ table: Table) -> Int {
    let step = max(1, entries.count / Self.sampleSize)
    var total = 0
    var asked = 0
    for position in stride(from: 0, to: entries.count, by: step) {
      total += table.snapshot.estimatedRowCount(entries[position].index.value, in: entries[position].range)
      asked += 1
    }
    return asked == 0 ? 0 : total * entries.count / asked
  }

  /// The exact number of rows; only when the ranges do not overlap.
  func count(_ table: Table) -> Int {
    entries.reduce(0) { $0 + table.snapshot.rowCount($1.index.value, in: $1.range) }
  }

  private static let fewRowsLimit = 64

  /// The rows with the only key, if there is one and they are few.
  func fewRows(_ table: Table) -> RowSet? {
    guard entries.count == 1, let key = entries[0].range.key else { return nil }
    return Self.fewRows(entries[0].index.value, equalTo: key, table)
  }

  /// The rows with a key, if they are few.
  static func fewRows(_ index: ValueIndex, equalTo key: IndexKey, _ table: Table) -> RowSet? {
    table.snapshot.rows(index, equalTo: key, atMost: fewRowsLimit).map { RowSet(rows: $0) }
  }

  /// The rows in the ranges.
  func rows(_ table: Table) -> RowSet {
    let snapshot = table.snapshot
    if entries.count == 1, let key = entries[0].range.key {
      return RowSet(rows: snapshot.rows(entries[0].index.value, equalTo: key))
    }
    var collector = RowCollector(rowLimit: table.rowLimit)
    for entry in entries {
      if let key = entry.range.key {
        for row in snapshot.rows(entry.index.value, equalTo: key) { collector.insert(row) }
      } else {
        snapshot.forEachRow(entry.index.value, in: entry.range) {
          collector.insert($0)
          return true
        }
      }
    }
    return collector.finish()
  }
}
