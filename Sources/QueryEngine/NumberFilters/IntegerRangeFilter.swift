import Storage

/// Integers, links, and the lengths of collections, in a range.
final class IntegerRangeFilter: ChunkFilter {
  private let column: ColumnChunks
  private let range: NumberRange<Int64>
  private let scratch = ByteMask()
  private let matched = ChunkMask.allocate()
  var cost: Double { 1 }

  init(_ column: ColumnChunks, _ range: NumberRange<Int64>) {
    self.column = column
    self.range = range
  }

  deinit { matched.deallocate() }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    let chunk = column.chunk(number)
    guard let nulls = chunk.nullBitmap else {
      filterValues(mask, chunk)
      return
    }
    if range.acceptsNull {
      matched.copy(mask)
      matched.keep(nulls: nulls, true)
      mask.keep(nulls: nulls, false)
      filterValues(mask, chunk)
      mask.formUnion(matched)
    } else {
      mask.keep(nulls: nulls, false)
      filterValues(mask, chunk)
    }
  }

  private func filterValues(_ mask: ChunkMask, _ chunk: Chunk) {
    if let answer = answerForAll(chunk) {
      if !answer { mask.clear() }
      return
    }
    if chunk.encoding == .consecutive { return codes(chunk).filterIndices(mask) }
    codes(chunk).filter(mask, chunk.values, width: chunk.encoding.codeWidth, count: chunk.count, scratch)
  }

  /// The range of what the chunk stores, whole values or differences to its minimum, when some are in it and others are not.
  private func codes(_ chunk: Chunk) -> CodeRange {
    let isWhole = chunk.encoding == .integer8
    let base = isWhole ? 0 : chunk.minimumInteger
    let low = isWhole ? range.low : max(range.low, base)
    return CodeRange(
      UInt64(bitPattern: low &- base), UInt64(bitPattern: range.high &- base), isNegated: range.isNegated)
  }

  func prefetch(chunk number: Int) { column.prefetch(number) }

  func answerForAll(chunk number: Int) -> Bool? {
    let chunk = column.chunk(number)
    let answer = answerForAll(chunk)
    return chunk.nullBitmap == nil || answer == range.acceptsNull ? answer : nil
  }

  /// The answer that statistics give for all values at once, if they do.
  private func answerForAll(_ chunk: Chunk) -> Bool? {
    if range.isEmpty { return range.isNegated }
    if chunk.encoding == .integer0 { return range.contains(chunk.minimumInteger) }
    guard chunk.hasStatistics else { return nil }
    if range.high < chunk.minimumInteger || range.low > chunk.maximumInteger { return range.isNegated }
    if range.low <= chunk.minimumInteger && range.high >= chunk.maximumInteger { return !range.isNegated }
    return nil
  }

  func countAll(chunk number: Int) -> Int? {
    let chunk = column.chunk(number)
    let count = chunk.count
    if chunk.nullBitmap != nil || count != chunkCapacity { return nil }
    if let answer = answerForAll(chunk) { return answer ? count : 0 }
    if chunk.encoding == .consecutive { return codes(chunk).countOfIndices }
    return codes(chunk).countAll(chunk.values, width: chunk.encoding.codeWidth)
  }
}
