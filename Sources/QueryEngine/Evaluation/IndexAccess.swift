import Storage

/// Rows that an index gives for one part of a predicate, and what is left to test.
struct IndexAccess {
  /// Ascending, without repetition.
  let rows: [Int]
  let rest: Predicate

  /// The way through an index, if there is one that leaves few rows.
  static func choose(_ predicate: Predicate, _ table: Table) -> IndexAccess? {
    switch predicate {
    case .value(.column(let column, let type), let condition):
      guard let keys = keys(column, type, condition, table) else { return nil }
      return rows(column, keys, table).map { IndexAccess(rows: $0, rest: .constant(true)) }
    case .and(let operands):
      for (position, operand) in operands.enumerated() {
        guard let access = choose(operand, table) else { continue }
        var rest = operands
        if access.rest == .constant(true) { rest.remove(at: position) } else { rest[position] = access.rest }
        return IndexAccess(rows: access.rows, rest: rest.isEmpty ? .constant(true) : .and(rest))
      }
      return nil
    default: return nil
    }
  }

  private static func keys(
    _ column: Int, _ type: ValueType, _ condition: ValueCondition, _ table: Table
  ) -> [IndexKey]? {
    let description = table.snapshot.catalogue.tables[table.number].columns[column]
    guard description.isIndexed || description.isPrimaryKey, type != .mixed else { return nil }
    switch condition {
    // NaN equals nothing here, but itself in an index.
    case .compare(.equal, .date(let date)) where date.isNaN: return nil
    case .compare(.equal, let value): return [IndexKey(value)]
    // Many lookups cost more than a scan.
    case .isIn(let values) where type != .date && values.count * 100 <= max(table.rowLimit, 400):
      return values.map { IndexKey($0) }
    default: return nil
    }
  }

  private static func rows(_ column: Int, _ keys: [IndexKey], _ table: Table) -> [Int]? {
    let snapshot = table.snapshot
    let limit = max(table.rowLimit / 8, 16)
    if keys.count == 1 {
      guard let rows = snapshot.rows(table: table.number, column: column, equalTo: keys[0]) else {
        return nil
      }
      return rows.count <= limit ? rows : nil
    }
    var found: Set<Int> = []
    for key in keys {
      guard let rows = snapshot.rows(table: table.number, column: column, equalTo: key) else { return nil }
      found.formUnion(rows)
      if found.count > limit { return nil }
    }
    return found.sorted()
  }
}
