import Storage

/// How rows were brought into order.
package enum SortMethod: Sendable {
  /// All of them were sorted.
  case full
  /// The rows that could be among the first were picked, and only they were sorted.
  case leaders
  /// An index was read in its order.
  case index
}

/// Rows in order.
package struct SortedRows {
  package let rows: [Int]
  package let method: SortMethod
  /// How an index gave them.
  var index: IndexedSort?
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
  /// - Parameters:
  ///   - count: The number of rows in the selection.
  ///   - predicate: What all of them satisfy.
  package func sort(
    _ selection: RowSelection, count: Int, by keys: [SortKey], table: Int, limit: Int? = nil,
    matching predicate: Predicate = .constant(true)
  ) -> SortedRows {
    sort(
      selection, count: count, by: keys, self.table(table), limit: min(limit ?? count, count), predicate)
  }

  private func sort(
    _ selection: RowSelection, count: Int, by keys: [SortKey], _ table: Table, limit: Int,
    _ predicate: Predicate
  ) -> SortedRows {
    if keys.isEmpty {
      return SortedRows(rows: Array(table.rows(of: selection).prefix(limit)), method: .full)
    }
    let leaders = limit < count / 8 ? SortLeaders(keys[0]) : nil
    if let set = selection.set {
      let budget = SortCost.nanoseconds(count, picksLeaders: leaders != nil)
      let indexed = IndexedSort.cheapest(keys, matching: predicate, count: count, limit: limit, table)
      if let indexed, let rows = indexed.rows(limit: limit, budget: budget, of: set) {
        return SortedRows(rows: rows, method: .index, index: indexed)
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
    return SortedRows(rows: rows, method: leaders == nil ? .full : .leaders)
  }

  /// The first of the rows that satisfy a predicate, in the order of sort keys, read from an index until there are
  /// enough; nil when it takes less time to find all of them first.
  ///
  /// - Parameter limit: Only when there are no more, fewer are given back.
  func firstRows(
    matching predicate: Predicate, by keys: [SortKey], table number: Int, limit: Int
  ) -> SortedRows? {
    if !predicate.isQuickToTest { return nil }
    let table = self.table(number)
    let indexed = IndexedSort.cheapest(keys, matching: predicate, count: nil, limit: limit, table)
    guard let indexed else { return nil }
    func rows(_ budget: Double) -> SortedRows? {
      indexed.rows(limit: limit, budget: budget, of: nil).map {
        SortedRows(rows: $0, method: .index, index: indexed)
      }
    }
    // What is quick needs no comparison.
    if let rows = rows(Self.quickSort) { return rows }
    let scan = ScanCost(table).scan(predicate)
    let finding = IndexChoice.cheapest(predicate, table).map { min($0.cost, scan) } ?? scan
    let count = indexed.estimate
    let picksLeaders = limit < count / 8 && SortLeaders(keys[0]) != nil
    let budget = finding + SortCost.nanoseconds(count, picksLeaders: picksLeaders)
    return budget > Self.quickSort ? rows(budget) : nil
  }

  /// In nanoseconds.
  private static let quickSort = 20_000.0

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

extension RowSelection {
  /// The rows when they have no order of their own; nil in it for all of them.
  fileprivate var set: RowSet?? {
    switch self {
    case .all: .some(nil)
    case .set(let rows): rows
    case .rows: nil
    }
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

extension Predicate {
  /// Whether testing one row takes no longer than reading a few of its values. Words have an index of their own, and
  /// conditions on other tables are better evaluated once for all rows.
  fileprivate var isQuickToTest: Bool {
    switch self {
    case .constant, .properties: true
    case .and(let operands), .or(let operands): operands.allSatisfy(\.isQuickToTest)
    case .not(let operand): operand.isQuickToTest
    case .value(.column, .text(let text)): text.operation != .fullText && text.options.isEmpty
    case .value(.column, let condition): condition.isQuickToTest
    default: false
    }
  }
}

extension ValueCondition {
  fileprivate var isQuickToTest: Bool {
    switch self {
    case .compare, .between: true
    case .isIn(let values): values.count < 16
    case .negated(let condition): condition.isQuickToTest
    case .isInFolded, .text: false
    }
  }
}
