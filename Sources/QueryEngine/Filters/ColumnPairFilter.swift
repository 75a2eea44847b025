import Storage

/// Two columns of one row compared with each other.
final class ColumnPairFilter: ChunkFilter {
  private let table: Table
  private let left: Int
  private let right: Int
  private let type: ValueType
  private let comparison: RelationalOperator
  var cost: Double { 10 }

  /// nil for types whose values are only compared one by one.
  init?(
    _ table: Table, _ left: PropertySource, _ comparison: RelationalOperator, _ right: PropertySource
  ) {
    guard left.links.isEmpty, right.links.isEmpty, case .column(let leftColumn, let type) = left.source,
      case .column(let rightColumn, type) = right.source
    else { return nil }
    switch type {
    case .int, .link, .double, .date, .float, .string, .data: break
    case .bool, .objectId, .uuid, .decimal128, .mixed: return nil
    }
    self.table = table
    self.left = leftColumn
    self.right = rightColumn
    self.type = type
    self.comparison = comparison
  }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    let (a, b) = (table.chunk(left, number: number), table.chunk(right, number: number))
    switch type {
    case .int, .link: compare(mask, a, b) { $0.integer($1) }
    case .double, .date: compare(mask, a, b) { $0.double($1) }
    case .float: compare(mask, a, b) { $0.float($1) }
    default:
      let firstRow = number &* chunkCapacity
      filter(mask, a, b) { index in
        let first = a.bytes(index) ?? table.bytes(left, firstRow &+ index)
        let second = b.bytes(index) ?? table.bytes(right, firstRow &+ index)
        return comparison.accepts(first.order(second))
      }
    }
  }

  /// IEEE comparisons, so that NaN is unequal to all.
  @inline(__always) private func compare<Number: Comparable>(
    _ mask: ChunkMask, _ a: Chunk, _ b: Chunk, _ value: (Chunk, Int) -> Number
  ) {
    switch comparison {
    case .equal: filter(mask, a, b) { value(a, $0) == value(b, $0) }
    case .notEqual: filter(mask, a, b) { value(a, $0) != value(b, $0) }
    case .less: filter(mask, a, b) { value(a, $0) < value(b, $0) }
    case .lessOrEqual: filter(mask, a, b) { value(a, $0) <= value(b, $0) }
    case .greater: filter(mask, a, b) { value(a, $0) > value(b, $0) }
    case .greaterOrEqual: filter(mask, a, b) { value(a, $0) >= value(b, $0) }
    }
  }

  @inline(__always) private func filter(
    _ mask: ChunkMask, _ a: Chunk, _ b: Chunk, _ test: (Int) -> Bool
  ) {
    let count = min(a.count, b.count)
    let hasNulls = a.nullBitmap != nil || b.nullBitmap != nil
    let bothNull = ValueComparison.compare(.null, comparison, .null, type: type)
    let oneNull = comparison == .notEqual
    mask.filter { index in
      guard index < count else { return false }
      if hasNulls {
        let (firstIsNull, secondIsNull) = (a.isNull(index), b.isNull(index))
        if firstIsNull || secondIsNull { return firstIsNull && secondIsNull ? bothNull : oneNull }
      }
      return test(index)
    }
  }
}
