import Storage

/// Chooses for each part of a predicate how it is evaluated on one table of a snapshot, and evaluates beforehand
/// what concerns other tables.
struct FilterBuilder {
  let table: Table
  var snapshot: Snapshot { table.snapshot }
  var reader: RowReader { RowReader(table) }

  init(_ table: Table) { self.table = table }

  func filter(_ predicate: Predicate) -> any ChunkFilter {
    switch predicate {
    case .and(let operands): return operands.isEmpty ? ConstantFilter(true) : AndFilter(operands.map(filter))
    case .or(let operands): return operands.isEmpty ? ConstantFilter(false) : OrFilter(operands.map(filter))
    case .not(let operand): return NotFilter(filter(operand))
    default: return conditionFilter(predicate)
    }
  }

  /// Returns the filter of a predicate that is no compound. Compounds can be deep, and need less stack without this code.
  @inline(never)
  private func conditionFilter(_ predicate: Predicate) -> any ChunkFilter {
    switch predicate {
    case .constant(let answer): return ConstantFilter(answer)
    case .and, .or, .not: return filter(predicate)
    case .value(let source, let condition): return valueFilter(source, condition)
    case .throughLink(let column, let target, let inner, let whenNull):
      return linkFilter(column, target, inner, whenNull: whenNull)
    case .someTarget(let source, let inner): return targetFilter(source, inner)
    case .targetCount(let source, let inner, let condition):
      return targetCountFilter(source, inner, condition)
    case .someElement(let column, .values(.link), .compare(.equal, .link(let target, let row))):
      return linkedToFilter(column, target, [row])
    case .within(let columns, let region): return RegionFilter(table, columns, region)
    case .properties(let left, let comparison, let right):
      return ColumnPairFilter(table, left, comparison, right) ?? InterpretedFilter(reader, predicate)
    case .someElement(let column, .values(.link), .isIn(let constants)):
      return collectionFilter(column, constants) ?? InterpretedFilter(reader, predicate)
    case .someElement(let column, .values(let type), let condition):
      return ElementFilter(table, column, type, condition) ?? InterpretedFilter(reader, predicate)
    case .someElement, .someNested, .propertyText, .paths: return InterpretedFilter(reader, predicate)
    }
  }

  // MARK: Values

  private func valueFilter(_ source: ScalarSource, _ condition: ValueCondition) -> any ChunkFilter {
    switch source {
    case .column(let column, let type):
      return columnFilter(column, type, condition) ?? ValueFilter(reader, source, condition)
    case .elementCount(let column):
      return integerFilter(column, .int, condition) ?? ValueFilter(reader, source, condition)
    case .backlinkCount(let origin, let column):
      return BacklinkCountFilter(backlinkCounts(origin, column, .constant(true)), condition)
    case .row(let number):
      if case .isIn(let constants) = condition {
        let rows = constants.rows(ofTable: number, below: table.rowLimit)
        return RowSetFilter(RowSet(rows: rows), rowLimit: table.rowLimit)
      }
      let rows = (0..<table.rowLimit).filter { condition.matches(.link(table: number, row: $0), type: .link) }
      return RowSetFilter(RowSet(rows: rows), rowLimit: table.rowLimit)
    default: return ValueFilter(reader, source, condition)
    }
  }
}
