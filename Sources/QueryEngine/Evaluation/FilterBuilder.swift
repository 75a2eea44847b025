import Storage

/// Chooses for each part of a predicate how it is evaluated on one table of a snapshot, and evaluates beforehand
/// what concerns other tables.
struct FilterBuilder {
  let table: Table
  private var snapshot: Snapshot { table.snapshot }
  private var reader: RowReader { RowReader(table) }

  init(_ table: Table) { self.table = table }

  func filter(_ predicate: Predicate) -> ChunkFilter {
    switch predicate {
    case .and(let operands): return operands.isEmpty ? ConstantFilter(true) : AndFilter(operands.map(filter))
    case .or(let operands): return operands.isEmpty ? ConstantFilter(false) : OrFilter(operands.map(filter))
    case .not(let operand): return NotFilter(filter(operand))
    default: return conditionFilter(predicate)
    }
  }

  /// The same for what is no compound: apart, so that these, which can be deep, need little of the stack.
  @inline(never)
  private func conditionFilter(_ predicate: Predicate) -> ChunkFilter {
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
    case .someElement(let column, .values(let type), let condition):
      return ElementFilter(table, column, type, condition) ?? InterpretedFilter(reader, predicate)
    case .someElement, .someNested, .propertyText: return InterpretedFilter(reader, predicate)
    }
  }

  // MARK: Values

  private func valueFilter(_ source: ScalarSource, _ condition: ValueCondition) -> ChunkFilter {
    switch source {
    case .column(let column, let type):
      return columnFilter(column, type, condition) ?? ValueFilter(reader, source, condition)
    case .elementCount(let column):
      return integerFilter(column, .int, condition) ?? ValueFilter(reader, source, condition)
    case .backlinkCount(let origin, let column):
      return BacklinkCountFilter(backlinkCounts(origin, column, .constant(true)), condition)
    case .row(let number):
      let rows = (0..<table.rowLimit).filter { condition.matches(.link(table: number, row: $0), type: .link) }
      return RowSetFilter(RowSet(rows: rows), rowLimit: table.rowLimit)
    default: return ValueFilter(reader, source, condition)
    }
  }

  private func columnFilter(_ column: Int, _ type: ValueType, _ condition: ValueCondition) -> ChunkFilter? {
    let integers = IntegerColumn(table: table, column: column)
    switch type {
    case .int, .link: return integerFilter(column, type, condition)
    case .bool:
      return BoolFilter(
        integers, acceptsTrue: condition.matches(.bool(true), type: type),
        acceptsFalse: condition.matches(.bool(false), type: type),
        acceptsNull: condition.matchesNull(type: type))
    case .double, .date:
      return floatingPointFilter(integers, condition) { (value: Value) -> Double? in
        switch value {
        case .double(let number), .date(let number): number
        default: nil
        }
      }
    case .float:
      return floatingPointFilter(integers, condition) { (value: Value) -> Float? in
        if case .float(let number) = value { number } else { nil }
      }
    case .objectId, .uuid: return fixedFilter(integers, type, condition)
    case .string, .data:
      if let search = WordSearch(condition, table, column) {
        return RowSetFilter(search.rows(), rowLimit: table.rowLimit)
      }
      return bytesFilter(column, type, condition)
    case .mixed: return MixedFilter(table, column, condition)
    case .decimal128:
      guard case .compare(let comparison, .decimal128(let constant)) = condition else { return nil }
      return DecimalFilter(integers, comparison, constant)
    }
  }

  private func integerFilter(_ column: Int, _ type: ValueType, _ condition: ValueCondition) -> ChunkFilter? {
    let integers = IntegerColumn(table: table, column: column)
    let target = type == .link ? snapshot.catalogue.tables[table.number].columns[column].target : -1
    func integer(_ value: Value) -> Int64? {
      switch value {
      case .int(let number): number
      case .link(let linked, let row): linked == target ? Int64(row) : -1
      default: nil
      }
    }
    switch condition {
    case .compare(let comparison, .null):
      return IntegerRangeFilter(integers, .comparedWithNull(comparison, nothing: .nothing))
    case .compare(let comparison, let value):
      return integer(value).map { IntegerRangeFilter(integers, NumberRange(comparison, $0)) }
    case .between(let lower, let upper):
      guard let low = integer(lower), let high = integer(upper) else { return nil }
      return IntegerRangeFilter(integers, NumberRange(low: low, high: high))
    case .isIn(let values):
      return IntegerSetFilter(
        integers, values.compactMap(integer), acceptsNull: condition.matchesNull(type: type))
    case .text, .isInFolded, .negated: return nil
    }
  }

  private func floatingPointFilter<Number: BinaryFloatingPoint & Sendable>(
    _ column: IntegerColumn, _ condition: ValueCondition, _ number: (Value) -> Number?
  ) -> ChunkFilter? {
    switch condition {
    case .compare(let comparison, .null):
      return FloatingPointFilter<Number>(column, .comparedWithNull(comparison, nothing: .nothing))
    case .compare(let comparison, let value):
      return number(value).map { FloatingPointFilter(column, NumberRange(comparison, $0)) }
    case .between(let lower, let upper):
      guard let low = number(lower), let high = number(upper) else { return nil }
      return FloatingPointFilter(column, NumberRange(low: low, high: high))
    case .isIn(let values):
      return OrFilter(
        values.map { value in
          number(value).map { FloatingPointFilter(column, NumberRange(.equal, $0)) }
            ?? FloatingPointFilter<Number>(column, .comparedWithNull(.equal, nothing: .nothing))
        })
    case .text, .isInFolded, .negated: return nil
    }
  }

  private func fixedFilter(
    _ column: IntegerColumn, _ type: ValueType, _ condition: ValueCondition
  ) -> ChunkFilter? {
    func fixed(_ value: Value) -> Fixed16? {
      switch value {
      case .objectId(let id): Fixed16(id)
      case .uuid(let uuid): uuid
      default: nil
      }
    }
    let members: [Fixed16]
    var isNegated = false
    switch condition {
    case .compare(.equal, let value): members = [value].compactMap(fixed)
    case .compare(.notEqual, let value):
      members = [value].compactMap(fixed)
      isNegated = true
    case .isIn(let values): members = values.compactMap(fixed)
    default: return nil
    }
    return FixedSetFilter(
      column, size: type == .objectId ? 12 : 16, members, isNegated: isNegated,
      acceptsNull: condition.matchesNull(type: type))
  }

  private func bytesFilter(_ column: Int, _ type: ValueType, _ condition: ValueCondition) -> ChunkFilter? {
    let test: BytesTest
    switch condition {
    case .compare(.equal, let value): test = .text(TextMatcher(TextCondition(.equal, value.textBytes)))
    case .compare(.notEqual, let value): test = .text(TextMatcher(TextCondition(.notEqual, value.textBytes)))
    case .compare(let comparison, let value):
      // Nothing is less or greater than null; only null may be equal.
      guard let bound = value.textBytes else {
        return BytesFilter(table, column, .isIn(BytesSet([])), acceptsNull: condition.matchesNull(type: type))
      }
      test = .order(comparison, bound)
    case .isIn(let values): test = .isIn(BytesSet(values.compactMap(\.textBytes)))
    case .text(let text): test = .text(TextMatcher(text))
    case .isInFolded(let values, let options):
      return OrFilter(
        values.compactMap { value in
          bytesFilter(
            column, type,
            value.isNull
              ? .compare(.equal, .null) : .text(TextCondition(.equal, value.textBytes, options: options)))
        })
    case .between, .negated: return nil
    }
    return BytesFilter(table, column, test, acceptsNull: condition.matchesNull(type: type))
  }

  // MARK: Links

  private func linkFilter(_ column: Int, _ target: Int, _ inner: Predicate, whenNull: Bool) -> ChunkFilter {
    let targets = QueryPlan(inner, table: target, in: snapshot).evaluate()
    if !whenNull {
      if targets.isEmpty { return ConstantFilter(false) }
      if isFewEnoughForBacklinks(targets) { return linkedToFilter(column, target, targets.rows) }
    }
    return LinkFilter(
      table, column, targets: targets.words(rowLimit: snapshot.rowLimit(table: target)), whenNull: whenNull)
  }

  private func targetFilter(_ source: LinkSource, _ inner: Predicate) -> ChunkFilter {
    switch source {
    case .collection(let column, let target):
      let targets = QueryPlan(inner, table: target, in: snapshot).evaluate()
      if targets.isEmpty { return ConstantFilter(false) }
      if isFewEnoughForBacklinks(targets) { return linkedToFilter(column, target, targets.rows) }
      return LinkCollectionFilter(
        table, column, targets: targets.words(rowLimit: snapshot.rowLimit(table: target)), countCondition: nil
      )
    case .backlinks(let origin, let column):
      let counts = backlinkCounts(origin, column, inner)
      return RowSetFilter(RowSet(rows: counts.indices.filter { counts[$0] > 0 }), rowLimit: table.rowLimit)
    }
  }

  private func targetCountFilter(
    _ source: LinkSource, _ inner: Predicate, _ condition: ValueCondition
  ) -> ChunkFilter {
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
  private func linkedToFilter(_ column: Int, _ target: Int, _ targets: [Int]) -> ChunkFilter {
    var words = [UInt64](repeating: 0, count: table.chunkCount * maskWordCount)
    for row in targets where row >= 0 {
      for source in snapshot.backlinks(to: row, of: target, from: table.number, column: column) {
        words[source >> 6] |= 1 << UInt64(source & 63)
      }
    }
    return RowSetFilter(RowSet(words: words), rowLimit: table.rowLimit)
  }

  /// For each row of this table, how many links of the selected rows of another table lead to it.
  private func backlinkCounts(_ origin: Int, _ column: Int, _ inner: Predicate) -> [Int32] {
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
