import Storage

// Conditions on rows that links lead to, in either direction.
extension FilterBuilder {
  func linkFilter(_ column: Int, _ target: Int, _ inner: Predicate, whenNull: Bool) -> any ChunkFilter {
    let targets = QueryPlan(inner, table: target, in: snapshot).evaluate()
    if !whenNull {
      if targets.isEmpty { return ConstantFilter(false) }
      if isFewEnoughForBacklinks(targets) { return linkedToFilter(column, target, targets.rows) }
    }
    return LinkFilter(
      table, column, targets: targets.words(rowLimit: snapshot.rowLimit(table: target)), whenNull: whenNull)
  }

  func targetFilter(_ source: LinkSource, _ inner: Predicate) -> any ChunkFilter {
    switch source {
    case .collection(let column, let target):
      return collectionFilter(column, target, QueryPlan(inner, table: target, in: snapshot).evaluate())
    case .backlinks(let origin, let column):
      let counts = backlinkCounts(origin, column, inner)
      return RowSetFilter(RowSet(rows: counts.indices.filter { counts[$0] > 0 }), rowLimit: table.rowLimit)
    }
  }

  /// The rows of which a collection of links has one of the targets.
  private func collectionFilter(_ column: Int, _ target: Int, _ targets: RowSet) -> any ChunkFilter {
    if targets.isEmpty { return ConstantFilter(false) }
    if isFewEnoughForBacklinks(targets) { return linkedToFilter(column, target, targets.rows) }
    return LinkCollectionFilter(
      table, column, targets: targets.words(rowLimit: snapshot.rowLimit(table: target)), countCondition: nil)
  }

  /// The rows of which a collection of links has one of several objects; nil when null, which a map can have, is among the
  /// constants.
  func collectionFilter(_ column: Int, _ constants: ConstantSet) -> (any ChunkFilter)? {
    if constants.contains(.null, type: .link) { return nil }
    let target = snapshot.catalogue.tables[table.number].columns[column].target
    let rows = constants.rows(ofTable: target, below: snapshot.rowLimit(table: target))
    return collectionFilter(column, target, RowSet(rows: rows))
  }

  func targetCountFilter(
    _ source: LinkSource, _ inner: Predicate, _ condition: ValueCondition
  ) -> any ChunkFilter {
    switch source {
    case .collection(let column, let target):
      let targets = QueryPlan(inner, table: target, in: snapshot).evaluate()
      return LinkCollectionFilter(
        table, column, targets: targets.words(rowLimit: snapshot.rowLimit(table: target)),
        countCondition: condition)
    case .backlinks(let origin, let column):
      return BacklinkCountFilter(backlinkCounts(origin, column, inner), condition)
    }
  }

  /// Asking the backlinks of one row costs about as much as scanning a thousand.
  private func isFewEnoughForBacklinks(_ targets: RowSet) -> Bool {
    targets.count * 1000 < table.rowLimit
  }

  /// The rows that link to some of the targets.
  func linkedToFilter(_ column: Int, _ target: Int, _ targets: [Int]) -> any ChunkFilter {
    var words = [UInt64](repeating: 0, count: table.chunkCount * maskWordCount)
    for row in targets where row >= 0 {
      for source in snapshot.backlinks(to: row, of: target, from: table.number, column: column) {
        words[source >> 6] |= 1 << UInt64(source & 63)
      }
    }
    return RowSetFilter(RowSet(words: words), rowLimit: table.rowLimit)
  }

  /// For each row of this table, how many links of the selected rows of another table lead to it.
  func backlinkCounts(_ origin: Int, _ column: Int, _ inner: Predicate) -> [Int32] {
    var counts = [Int32](repeating: 0, count: table.rowLimit)
    let sources = QueryPlan(inner, table: origin, in: snapshot).evaluate()
    let originTable = snapshot.table(origin)
    let isCollection = snapshot.catalogue.tables[origin].columns[column].collection != .none
    let reader = RowReader(originTable)
    for row in sources.rows {
      if isCollection {
        for target in reader.targets(of: .collection(column: column, target: table.number), row: row)
        where target < counts.count {
          counts[target] += 1
        }
      } else if let target = originTable.link(column, row), target < counts.count {
        counts[target] += 1
      }
    }
    return counts
  }
}
