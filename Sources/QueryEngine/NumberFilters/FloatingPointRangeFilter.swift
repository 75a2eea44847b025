import Storage

/// Floats, doubles and dates in a range.
final class FloatingPointRangeFilter: ChunkFilter {
  private let column: ColumnChunks
  private let range: NumberRange<Double>
  private let isOfFloats: Bool
  private let scratch = ByteMask()
  private let matched = ChunkMask.allocate()
  var cost: Double { 3 }

  /// - Parameter range: Its bounds are floats where the column has such.
  init(_ column: ColumnChunks, _ range: NumberRange<Double>, isOfFloats: Bool) {
    self.column = column
    self.range = range
    self.isOfFloats = isOfFloats
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
    if chunk.encoding.isScaled {
      // Without statistics all values are null, and the mask has none of them any more.
      if chunk.hasStatistics { filterScaled(mask, chunk) }
      return
    }
    if isOfFloats {
      mark(chunk, low: Float(range.low), high: Float(range.high))
    } else {
      mark(chunk, low: range.low, high: range.high)
    }
    scratch.filter(mask, count: chunk.count)
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
    // Chunks that contain a NaN have no statistics.
    guard chunk.hasStatistics else { return nil }
    if range.high < chunk.minimumDouble || range.low > chunk.maximumDouble {
      return range.isNegated
    }
    if range.low <= chunk.minimumDouble && range.high >= chunk.maximumDouble {
      return !range.isNegated
    }
    return nil
  }

  private func filterScaled(_ mask: ChunkMask, _ chunk: Chunk) {
    let numbers = ScaledNumbers(chunk)
    let codes = numbers.codes(from: range.low, through: range.high, in: chunk)
    guard let codes, numbers.width > 0 else {
      if (codes == nil) != range.isNegated { mask.clear() }
      return
    }
    CodeRange(codes.lowerBound, codes.upperBound, isNegated: range.isNegated)
      .filter(mask, numbers.codes, width: numbers.width, count: chunk.count, scratch)
  }

  @inline(__always)
  private func mark<Stored: BinaryFloatingPoint>(_ chunk: Chunk, low: Stored, high: Stored) {
    let values = chunk.values
    let bytes = scratch.bytes
    let inside: UInt8 = range.isNegated ? 0 : 1
    let outside = 1 - inside
    for index in 0..<chunk.count {
      let number = values.loadUnaligned(fromByteOffset: index &* MemoryLayout<Stored>.size, as: Stored.self)
      bytes.storeBytes(
        of: (low <= number) && (number <= high) ? inside : outside, toByteOffset: index, as: UInt8.self)
    }
  }
}
