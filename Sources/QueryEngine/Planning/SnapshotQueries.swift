import Storage

extension Snapshot {
  /// The rows that satisfy a predicate. Rows that are gone never do.
  ///
  /// - Parameter letsGo: See `QueryPlan`.
  package func evaluate(_ predicate: Predicate, table: Int, letsGo: Bool = false) -> RowSet {
    IndexChoice.fewRows(equality: predicate, self.table(table))
      ?? QueryPlan(predicate, table: table, in: self, letsGo: letsGo).evaluate()
  }

  /// How many rows satisfy a predicate.
  ///
  /// - Parameter letsGo: See `QueryPlan`.
  package func count(_ predicate: Predicate, table: Int, letsGo: Bool = false) -> Int {
    IndexChoice.fewRows(equality: predicate, self.table(table))?.count
      ?? QueryPlan(predicate, table: table, in: self, letsGo: letsGo).count()
  }

  /// The lowest row that satisfies a predicate.
  ///
  /// - Parameter letsGo: See `QueryPlan`.
  package func firstRow(_ predicate: Predicate, table: Int, letsGo: Bool = false) -> Int? {
    if let (index, key) = IndexChoice.equality(predicate, self.table(table)) {
      var first: Int?
      forEachRow(index, equalTo: key) {
        first = $0
        return false
      }
      return first
    }
    return QueryPlan(predicate, table: table, in: self, letsGo: letsGo).firstRow()
  }

  /// Returns the rows of a list that satisfy a predicate, in its order and with its repetitions.
  package func evaluate(_ predicate: Predicate, table: Int, rows: [Int]) -> [Int] {
    QueryPlan(predicate, table: table, in: self).evaluate(rows: rows)
  }

  /// Whether one row satisfies a predicate; evaluated on this row alone.
  package func matches(_ predicate: Predicate, table: Int, row: Int) -> Bool {
    isAlive(table: table, row: row) && RowReader(self.table(table)).matches(predicate, row: row)
  }
}
