import Storage

/// Guesses how many rows a predicate selects, from the minima and maxima of chunks and otherwise from experience.
struct SelectivityEstimate {
  private let table: Table

  init(_ table: Table) { self.table = table }

  func rows(_ predicate: Predicate) -> Int {
    let rows = Double(table.state.pointee.liveCount) * share(predicate)
    return Int(rows.rounded())
  }

  /// The selected part of all rows, from 0 to 1, as if conditions had nothing to do with each other.
  func share(_ predicate: Predicate) -> Double {
    switch predicate {
    case .constant(let answer): return answer ? 1 : 0
    case .and(let operands): return operands.reduce(1) { $0 * share($1) }
    case .or(let operands): return 1 - operands.reduce(1) { $0 * (1 - share($1)) }
    case .not(let operand): return 1 - share(operand)
    case .value(.column(let column, let type), let condition): return share(column, type, condition)
    default: return 0.25
    }
  }

  private func share(_ column: Int, _ type: ValueType, _ condition: ValueCondition) -> Double {
    switch (type, condition) {
    case (.bool, .compare): return 0.5
    case (.int, _), (.double, _), (.date, _), (.float, _):
      if let bounds = bounds(condition) { return share(column, type, bounds) }
    default: break
    }
    switch condition {
    case .compare(.equal, _): return 0.01
    case .compare(.notEqual, _): return 0.99
    case .isIn(let values): return min(1, 0.01 * Double(values.count))
    case .text(let text) where text.operation == .equal: return 0.01
    default: return 0.25
    }
  }

  /// The numbers that a condition accepts.
  private func bounds(_ condition: ValueCondition) -> ClosedRange<Double>? {
    switch condition {
    case .compare(let comparison, let value):
      guard let number = value.number, !number.isNaN else { return nil }
      switch comparison {
      case .equal: return number...number
      case .less, .lessOrEqual: return -.infinity...number
      case .greater, .greaterOrEqual: return number ... .infinity
      case .notEqual: return nil
      }
    case .between(let lower, let upper):
      guard let low = lower.number, let high = upper.number, low <= high else { return nil }
      return low...high
    default: return nil
    }
  }

  private static let sampleSize = 256

  /// As if the values of each chunk were spread evenly from its minimum to its maximum.
  private func share(_ column: Int, _ type: ValueType, _ bounds: ClosedRange<Double>) -> Double {
    var total = 0.0
    var count = 0.0
    for number in stride(from: 0, to: table.chunkCount, by: max(1, table.chunkCount / Self.sampleSize)) {
      let chunk = table.chunk(column, number: number)
      let isInteger = type == .int
      guard chunk.hasStatistics || isInteger && chunk.encoding == .integer0 else { continue }
      let low = isInteger ? Double(chunk.minimumInteger) : chunk.minimumDouble
      let high =
        isInteger && chunk.encoding == .integer0
        ? low : isInteger ? Double(chunk.maximumInteger) : chunk.maximumDouble
      count += 1
      // A whole number stands for the space up to the next one.
      let width = isInteger ? high - low + 1 : high - low
      let from = max(low, bounds.lowerBound)
      let to = min(high, bounds.upperBound)
      guard from <= to else { continue }
      total += width > 0 ? min(1, (to - from + (isInteger ? 1 : width / 1000)) / width) : 1
    }
    return count == 0 ? 0.25 : total / count
  }
}

extension Value {
  fileprivate var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number), .date(let number): number
    default: nil
    }
  }
}
