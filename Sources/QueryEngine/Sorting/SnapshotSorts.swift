import Storage

/// How rows were brought into order.
package enum SortMethod: Sendable {
  /// All of them were sorted.
  case full
  /// Those that could be among the first were picked, and only they sorted.
  case leaders
  /// The index of the first key was read in order.
  case index
}

extension Snapshot {
  /// Rows in the order of sort keys; null sorts first when ascending, rows with a null link on the way to a key last, and
  /// equal rows keep their order.
  ///
  /// Strings sort by their bytes. Complexity: about O(n) for numbers and short strings.
  ///
  /// - Parameter limit: Only so many of the first rows are given back, which is quicker than all.
  package func sort(_ rows: [Int], by keys: [SortKey], table: Int, limit: Int? = nil) -> [Int] {
    sort(.rows(rows), count: rows.count, by: keys, table: table, limit: limit).rows
  }

  /// Selected rows in the order of sort keys, likewise; those that are not single rows are taken in the order of
  /// their numbers.
  ///
  /// - Parameter count: The number of rows in the selection.
  package func sort(
    _ selection: RowSelection, count: Int, by keys: [SortKey], table number: Int, limit: Int? = nil
  ) -> (rows: [Int], method: SortMethod) {
    let table = self.table(number)
    let limit = min(limit ?? count, count)
    if keys.isEmpty { return (Array(table.rows(of: selection).prefix(limit)), .full) }
    let leaders = limit < count / 8 ? SortLeaders(keys[0]) : nil
    if let indexed = IndexedSort(keys, selection, count: count, table) {
      let budget = SortCost.nanoseconds(count, picksLeaders: leaders != nil)
      if indexed.cost(limit: limit) < budget, let rows = indexed.rows(limit: limit, budget: budget) {
        return (rows, .index)
      }
    }
    var rows: [Int]
    switch (leaders, selection) {
    case (nil, _): rows = table.rows(of: selection)
    case (let leaders?, .rows(let all)):
      rows = leaders.positions(limit, of: all, keys[0], table).map { all[$0] }
    case (let leaders?, _) where keys[0].source.links.isEmpty:
      rows = leaders.rows(limit, of: selection, table)
    case (let leaders?, _):
      let all = table.rows(of: selection)
      rows = leaders.positions(limit, of: all, keys[0], table).map { all[$0] }
    }
    rows = RowSorter(keys, rows: rows, table: table, limit: limit).positions().map { rows[$0] }
    return (rows, leaders == nil ? .full : .leaders)
  }

  /// The selected rows in their order.
  package func rows(of selection: RowSelection, table: Int) -> [Int] {
    self.table(table).rows(of: selection)
  }

  /// The first row of each group that is equal in all keys, in the order given; without rows that have a null link on the
  /// way to one.
  package func distinct(_ rows: [Int], by keys: [SortKey], table: Int) -> [Int] {
    DistinctRows(keys, rows: rows, table: self.table(table)).positions().map { rows[$0] }
  }
}

/// Roughly what a sort without an index takes.
private enum SortCost {
  static func nanoseconds(_ count: Int, picksLeaders: Bool) -> Double {
    Double(count) * (picksLeaders ? 4 : 40)
  }
}

extension Table {
  /// The selected rows in their order.
  func rows(of selection: RowSelection) -> [Int] {
    switch selection {
    case .rows(let rows): rows
    case .set(let rows): rows.rows
    case .all:
      state.pointee.liveCount == rowLimit
        ? Array(0..<rowLimit) : snapshot.evaluate(.constant(true), table: number).rows
    }
  }
}
