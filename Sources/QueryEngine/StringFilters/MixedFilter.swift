import Storage

/// A condition on a mixed column, answered from the tag and the bytes where that is enough.
final class MixedFilter: ChunkFilter {
  private let table: Table
  private let column: Int
  private let condition: ValueCondition
  private let matcher: TextMatcher?
  private let acceptsNull: Bool
  var cost: Double { 40 }

  init(_ table: Table, _ column: Int, _ condition: ValueCondition) {
    self.table = table
    self.column = column
    self.condition = condition
    acceptsNull = condition.matchesNull(type: .mixed)
    switch condition {
    case .text(let text): matcher = text.matcher
    case .compare(.equal, let value) where value.textBytes != nil:
      matcher = TextMatcher(.equal, value.textBytes)
    case .compare(.notEqual, let value) where value.textBytes != nil:
      matcher = TextMatcher(.notEqual, value.textBytes)
    default: matcher = nil
    }
  }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    let chunk = table.chunk(column, number: number)
    let hasNulls = chunk.nullBitmap != nil
    let count = chunk.count
    mask.filter { index in
      guard index < count else { return acceptsNull }
      if hasNulls && chunk.isNull(index) { return acceptsNull }
      return matches(chunk.bytes(index) ?? table.bytes(column, number &* chunkCapacity &+ index))
    }
  }

  private func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let tag = bytes.first else { return condition.matches(.null, type: .mixed) }
    if let matcher {
      let isText = tag == ValueType.string.rawValue || tag == ValueType.data.rawValue
      if !isText { return matcher.operation == .notEqual }
      return matcher.matches(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
    }
    if case .compare(let comparison, let constant) = condition, !constant.isNull {
      if tag == ValueType.int.rawValue, case .int(let bound) = constant, bytes.count >= 9 {
        let number = bytes.loadUnaligned(fromByteOffset: 1, as: Int64.self)
        return comparison.accepts(number < bound ? -1 : number == bound ? 0 : 1)
      }
      // Strings, which are costly to decode, compare with no number.
      if constant.isNumber && (tag == ValueType.string.rawValue || tag == ValueType.data.rawValue) {
        return comparison == .notEqual
      }
    }
    return condition.matches(Value(mixed: bytes), type: .mixed)
  }
}
