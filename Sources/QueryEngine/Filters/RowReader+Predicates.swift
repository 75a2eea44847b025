import Storage

// Predicates on one row at a time: the plain definition of what a predicate means, the only way for conditions that have
// no column-wise evaluation, and quick for a few rows.
extension RowReader {
  func matches(_ predicate: Predicate, row: Int) -> Bool {
    switch predicate {
    case .and(let operands):
      for operand in operands where !matches(operand, row: row) { return false }
      return true
    case .or(let operands):
      for operand in operands where matches(operand, row: row) { return true }
      return false
    case .not(let operand): return !matches(operand, row: row)
    default: return matchesCondition(predicate, row: row)
    }
  }

  /// Evaluates a predicate that is no compound. Compounds can be deep, and need less stack without this code.
  @inline(never)
  private func matchesCondition(_ predicate: Predicate, row: Int) -> Bool {
    switch predicate {
    case .constant(let answer): return answer
    case .and, .or, .not: return matches(predicate, row: row)
    case .value(let source, let condition):
      return condition.matches(value(of: source, row: row), type: source.type)
    case .throughLink(let column, let target, let inner, let whenNull):
      guard let linked = table.link(column, row) else { return whenNull }
      return reader(table: target).matches(inner, row: linked)
    case .someElement(let column, .values(let type), let condition):
      return table.elements(column, row).contains { condition.matches($0, type: type) }
    case .someElement(let column, .keys, let condition):
      return (0..<table.count(column, row)).contains {
        condition.matches(.string(table.key(column, row, at: $0)), type: .string)
      }
    case .someTarget(let source, let inner):
      let reader = reader(table: source.table)
      return targets(of: source, row: row).contains { reader.matches(inner, row: $0) }
    case .targetCount(let source, let inner, let condition):
      let reader = reader(table: source.table)
      let count = targets(of: source, row: row).count { reader.matches(inner, row: $0) }
      return condition.matches(.int(Int64(count)), type: .int)
    case .someNested(let column, let steps, let condition):
      return nestedValues(table.value(column, row), steps).contains {
        condition.matches($0, type: .mixed)
      }
    case .within(let columns, let region): return region.contains(table, columns, row: row)
    case .properties(let left, let comparison, let right):
      let type = left.source.type == right.source.type ? left.source.type : .mixed
      return ValueComparison.compare(
        value(of: left, row: row), comparison, value(of: right, row: row), type: type)
    case .paths(let comparison): return comparison.matches(self, row: row)
    case .propertyText(let left, let operation, let options, let right):
      let pattern = value(of: right, row: row).textBytes
      return TextCondition(operation, pattern, options: options).matches(value(of: left, row: row))
    }
  }
}
