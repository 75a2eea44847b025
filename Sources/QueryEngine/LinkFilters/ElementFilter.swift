import Storage

/// Rows with an element, in a collection of plain values, that passes a test. Elements are read where they lie.
final class ElementFilter: ChunkFilter {
  private let table: Table
  private let column: Int
  private let test: Test
  private let acceptsNull: Bool
  var cost: Double { 600 }

  private enum Test {
    case integers(NumberRange<Int64>)
    case doubles(NumberRange<Double>)
    case bytes(BytesTest)
  }

  /// nil for conditions that need the values themselves.
  init?(_ table: Table, _ column: Int, _ type: ValueType, _ condition: ValueCondition) {
    switch (type, condition) {
    case (.int, .compare(let comparison, .int(let bound))): test = .integers(NumberRange(comparison, bound))
    case (.int, .between(.int(let low), .int(let high))): test = .integers(NumberRange(low: low, high: high))
    case (.double, .compare(let comparison, .double(let bound))),
      (.date, .compare(let comparison, .date(let bound))):
      test = .doubles(NumberRange(comparison, bound))
    case (.string, .text(let text)), (.data, .text(let text)): test = .bytes(.text(text.matcher))
    case (.string, .isIn(let constants)), (.data, .isIn(let constants)),
      (.string, .isInFolded(let constants)),
      (.data, .isInFolded(let constants)):
      test = .bytes(BytesTest(constants))
    case (.string, .compare(.equal, let value)) where !value.isNull,
      (.data, .compare(.equal, let value)) where !value.isNull:
      test = .bytes(.text(TextMatcher(.equal, value.textBytes)))
    default: return nil
    }
    self.table = table
    self.column = column
    acceptsNull = condition.matchesNull(type: type)
  }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    let counts = table.chunk(column, number: number)
    let countLimit = counts.count
    let firstRow = number &* chunkCapacity
    mask.filter { index in
      let count = index < countLimit ? Int(counts.integer(index)) : 0
      return count > 0 && hasMatch(row: firstRow &+ index)
    }
  }

  private func hasMatch(row: Int) -> Bool {
    for segment in table.collection(column, row).segments {
      let chunk = segment.chunk
      let hasNulls = chunk.nullBitmap != nil
      for index in 0..<segment.count {
        if hasNulls && chunk.isNull(index) {
          if acceptsNull { return true }
          continue
        }
        let matches =
          switch test {
          case .integers(let range): range.contains(chunk.integer(index))
          case .doubles(let range): range.contains(chunk.double(index))
          case .bytes(let test):
            test.matches(chunk.bytes(index) ?? UnsafeRawBufferPointer(start: nil, count: 0))
          }
        if matches { return true }
      }
    }
    return false
  }
}
