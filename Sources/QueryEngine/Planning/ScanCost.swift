import Storage

/// Rough times of evaluating predicates, in nanoseconds. Only good for comparing with the time of asking an index.
struct ScanCost {
  private let table: Table

  init(_ table: Table) { self.table = table }

  private static let perChunk = 25.0
  /// Finding a chunk in the file for the first time.
  private static let perNewChunk = 150.0

  /// Testing all rows.
  func scan(_ predicate: Predicate) -> Double {
    test(predicate, rows: table.rowLimit)
  }

  /// Testing so many rows, which lie together.
  func test(_ predicate: Predicate, rows: Int) -> Double {
    if predicate == .constant(true) { return 0 }
    let chunks = Double((rows + chunkCapacity - 1) / chunkCapacity)
    let perChunk = isWarm(predicate) ? Self.perChunk : Self.perChunk + Self.perNewChunk
    return chunks * perChunk + Double(rows) * perRow(predicate)
  }

  private func perRow(_ predicate: Predicate) -> Double {
    switch predicate {
    case .constant: return 0
    case .and(let operands):
      // The dearer tests are made where the cheaper ones leave something.
      let costs = operands.map(perRow).sorted()
      return costs.reversed().reduce(0) { $1 + $0 * 0.5 }
    case .or(let operands): return operands.reduce(0) { $0 + perRow($1) }
    case .not(let operand): return perRow(operand)
    case .value(.column(_, let type), let condition): return perRow(type, condition)
    case .value(.elementCount, _), .throughLink: return 1
    case .value, .someElement, .someTarget, .targetCount: return 15
    case .properties: return 5
    default: return 60
    }
  }

  private func perRow(_ type: ValueType, _ condition: ValueCondition) -> Double {
    switch type {
    case .bool: return 0.02
    case .int, .link:
      if case .isIn = condition { return 1.5 }
      return 0.15
    case .float, .double, .date:
      if case .isIn(let values) = condition { return min(0.5 * Double(values.count), 8) }
      return 0.5
    case .objectId, .uuid: return 2
    case .string, .data:
      switch condition {
      case .compare(.equal, _), .compare(.notEqual, _): return 0.3
      case .text(let text) where text.options.isEmpty: return text.operation == .equal ? 0.3 : 3
      case .compare: return 4
      case .isIn: return 4
      case .between, .isInFolded, .text, .negated: return 20
      }
    case .decimal128, .mixed: return 60
    }
  }

  /// Whether the chunks of the first column that is tested have been read before, as far as one of them tells.
  private func isWarm(_ predicate: Predicate) -> Bool {
    guard let column = predicate.firstColumn, table.chunkCount > 0 else { return true }
    return table.isTouched(column, chunk: table.chunkCount / 2)
  }
}

extension Predicate {
  fileprivate var firstColumn: Int? {
    switch self {
    case .value(.column(let column, _), _): column
    case .and(let operands), .or(let operands): operands.lazy.compactMap(\.firstColumn).first
    case .not(let operand): operand.firstColumn
    default: nil
    }
  }
}
