import Storage

// Conditions on the values of one column, by the type of the column.
extension FilterBuilder {
  func columnFilter(_ column: Int, _ type: ValueType, _ condition: ValueCondition) -> (any ChunkFilter)? {
    let chunks = ColumnChunks(table: table, column: column)
    switch type {
    case .int, .link: return integerFilter(column, type, condition)
    case .bool:
      return BoolFilter(
        chunks, acceptsTrue: condition.matches(.bool(true), type: type),
        acceptsFalse: condition.matches(.bool(false), type: type),
        acceptsNull: condition.matchesNull(type: type))
    case .double, .date, .float:
      if case .isIn(let values) = condition, values.count > Self.fewConstants {
        return FloatingPointSetFilter(reader, column, type, values.values)
      }
      return floatingPointFilter(type, chunks, condition)
    case .objectId, .uuid: return fixedFilter(chunks, type, condition)
    case .string, .data:
      if let search = WordIndexSearch(condition, table, column) {
        // A row that goes takes its words out of the index.
        return RowSetFilter(search.rows(), rowLimit: table.rowLimit, areThere: true)
      }
      return bytesFilter(column, type, condition)
    case .mixed: return MixedFilter(table, column, condition)
    case .decimal128:
      guard case .compare(let comparison, .decimal128(let constant)) = condition else { return nil }
      return DecimalFilter(chunks, comparison, constant)
    }
  }

  func integerFilter(_ column: Int, _ type: ValueType, _ condition: ValueCondition) -> (any ChunkFilter)? {
    let chunks = ColumnChunks(table: table, column: column)
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
      return IntegerRangeFilter(chunks, .comparedWithNull(comparison, nothing: .nothing))
    case .compare(let comparison, let value):
      let range =
        integer(value).map { NumberRange(comparison, $0) } ?? NumberRange(comparison, beyondIntegers: value)
      return range.map { IntegerRangeFilter(chunks, $0) }
    case .between(let lower, let upper):
      guard let low = integer(lower), let high = integer(upper) else { return nil }
      return IntegerRangeFilter(chunks, NumberRange(low: low, high: high))
    case .isIn(let values):
      return IntegerSetFilter(
        chunks, values.values.compactMap(integer), acceptsNull: condition.matchesNull(type: type))
    case .text, .isInFolded, .negated: return nil
    }
  }

  /// Up to so many constants are looked for one by one.
  private static let fewConstants = 16

  private func floatingPointFilter(
    _ type: ValueType, _ chunks: ColumnChunks, _ condition: ValueCondition
  ) -> (any ChunkFilter)? {
    let isOfFloats = type == .float
    func number(_ value: Value) -> Double? {
      switch value {
      case .float(let number) where isOfFloats: Double(number)
      case .double(let number) where !isOfFloats: number
      case .date(let number) where !isOfFloats: number
      default: nil
      }
    }
    func filter(_ range: NumberRange<Double>) -> any ChunkFilter {
      FloatingPointRangeFilter(chunks, range, isOfFloats: isOfFloats)
    }
    switch condition {
    case .compare(let comparison, .null):
      return filter(.comparedWithNull(comparison, nothing: .nothing))
    case .compare(let comparison, let value):
      return number(value).map { filter(NumberRange(comparison, $0, isOfFloats: isOfFloats)) }
    case .between(let lower, let upper):
      guard let low = number(lower), let high = number(upper) else { return nil }
      return filter(NumberRange(low: low, high: high))
    case .isIn(let values):
      return OrFilter(
        values.values.map { value in
          number(value).map { filter(NumberRange(.equal, $0, isOfFloats: isOfFloats)) }
            ?? filter(.comparedWithNull(.equal, nothing: .nothing))
        })
    case .text, .isInFolded, .negated: return nil
    }
  }

  private func fixedFilter(
    _ chunks: ColumnChunks, _ type: ValueType, _ condition: ValueCondition
  ) -> (any ChunkFilter)? {
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
    case .isIn(let values): members = values.values.compactMap(fixed)
    default: return nil
    }
    return IdentifierSetFilter(
      chunks, size: type == .objectId ? 12 : 16, members, isNegated: isNegated,
      acceptsNull: condition.matchesNull(type: type))
  }

  private func bytesFilter(
    _ column: Int, _ type: ValueType, _ condition: ValueCondition
  ) -> (any ChunkFilter)? {
    let test: BytesTest
    switch condition {
    case .compare(.equal, let value): test = .text(TextMatcher(.equal, value.textBytes))
    case .compare(.notEqual, let value): test = .text(TextMatcher(.notEqual, value.textBytes))
    case .compare(let comparison, let value):
      // Nothing is less or greater than null; only null may be equal.
      guard let bound = value.textBytes else {
        return BytesFilter(table, column, .isIn(BytesSet([])), acceptsNull: condition.matchesNull(type: type))
      }
      test = .order(comparison, bound)
    case .text(let text): test = .text(text.matcher)
    case .isIn(let constants): test = BytesTest(constants)
    case .isInFolded(let constants) where constants.count > Self.fewConstants: test = BytesTest(constants)
    case .isInFolded(let constants):
      return OrFilter(
        constants.values.compactMap { value in
          bytesFilter(
            column, type,
            value.isNull
              ? .compare(.equal, .null)
              : .text(TextCondition(.equal, value.textBytes, options: constants.options)))
        })
    case .between, .negated: return nil
    }
    return BytesFilter(table, column, test, acceptsNull: condition.matchesNull(type: type))
  }
}
