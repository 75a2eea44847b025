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
    let count = chunk.count
    let values = chunk.values
    let low = UInt64(bitPattern: max(range.low, chunk.minimumInteger) &- chunk.minimumInteger)
    let high = UInt64(bitPattern: range.high &- chunk.minimumInteger)
    switch chunk.encoding {
    case .integer1:
      filterBytes(mask, values, count, low: UInt8(low), high: UInt8(clamping: high))
    case .integer2:
      mark(values, count, low: UInt16(low), high: UInt16(clamping: high))
      scratch.filter(mask, count: count)
    case .integer4:
      mark(values, count, low: UInt32(low), high: UInt32(clamping: high))
      scratch.filter(mask, count: count)
    case .integer8:
      mark(values, count, low: UInt64(bitPattern: range.low), high: UInt64(bitPattern: range.high))
      scratch.filter(mask, count: count)
    default:
      mask.clear()
    }
  }

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

  /// Sets a byte of the scratch memory for each value in the range: one subtraction and one unsigned
  /// comparison, whichever operator it was.
  @inline(__always) private func mark<Code: FixedWidthInteger & UnsignedInteger>(
    _ values: UnsafeRawPointer, _ count: Int, low: Code, high: Code
  ) {
    let span = high &- low
    let bytes = scratch.bytes
    let inside: UInt8 = range.isNegated ? 0 : 1
    let outside = 1 - inside
    for index in 0..<count {
      let code = values.loadUnaligned(fromByteOffset: index &* MemoryLayout<Code>.size, as: Code.self)
      bytes.storeBytes(of: code &- low <= span ? inside : outside, toByteOffset: index, as: UInt8.self)
    }
  }

  private func filterBytes(
    _ mask: ChunkMask, _ values: UnsafeRawPointer, _ count: Int, low: UInt8, high: UInt8
  ) {
    let lows = SIMD16<UInt8>(repeating: low)
    let spans = SIMD16<UInt8>(repeating: high &- low)
    let flip: UInt64 = range.isNegated ? ~0 : 0
    let whole = count / 64
    for word in 0..<whole {
      var bits: UInt64 = 0
      for part in 0..<4 {
        let codes = values.loadUnaligned(fromByteOffset: word &* 64 &+ part &* 16, as: SIMD16<UInt8>.self)
        bits |= ByteMask.pack(codes &- lows .<= spans) << UInt64(part &* 16)
      }
      mask.words[word] &= bits ^ flip
    }
    if whole == maskWordCount { return }
    var bits: UInt64 = 0
    for index in whole &* 64..<count
    where values.load(fromByteOffset: index, as: UInt8.self) &- low <= high &- low {
      bits |= 1 << UInt64(index & 63)
    }
    mask.words[whole] &= bits ^ flip
    for word in whole &+ 1..<max(maskWordCount, whole + 1) { mask.words[word] = 0 }
  }

  func countAll(chunk number: Int) -> Int? {
    let chunk = column.chunk(number)
    let count = chunk.count
    if chunk.nullBitmap != nil || count != chunkCapacity { return nil }
    if let answer = answerForAll(chunk) { return answer ? count : 0 }
    let values = chunk.values
    let low = UInt64(bitPattern: max(range.low, chunk.minimumInteger) &- chunk.minimumInteger)
    let high = UInt64(bitPattern: range.high &- chunk.minimumInteger)
    let inside: Int
    switch chunk.encoding {
    case .integer1: inside = countBytes(values, low: UInt8(low), high: UInt8(clamping: high))
    case .integer2: inside = countInside(values, low: UInt16(low), high: UInt16(clamping: high))
    case .integer4: inside = countInside(values, low: UInt32(low), high: UInt32(clamping: high))
    default: return nil
    }
    return range.isNegated ? count - inside : inside
  }

  private func countBytes(_ values: UnsafeRawPointer, low: UInt8, high: UInt8) -> Int {
    let lows = SIMD16<UInt8>(repeating: low)
    let spans = SIMD16<UInt8>(repeating: high &- low)
    // A lane counts at most 60.
    var counts = SIMD16<UInt8>()
    for block in 0..<chunkCapacity / 16 {
      let codes = values.loadUnaligned(fromByteOffset: block &* 16, as: SIMD16<UInt8>.self)
      counts &-= unsafeBitCast(codes &- lows .<= spans, to: SIMD16<UInt8>.self)
    }
    return Int(SIMD16<UInt16>(truncatingIfNeeded: counts).wrappedSum())
  }

  @inline(__always) private func countInside<Code: FixedWidthInteger & UnsignedInteger>(
    _ values: UnsafeRawPointer, low: Code, high: Code
  ) -> Int {
    let span = high &- low
    var inside: Code = 0
    for index in 0..<chunkCapacity {
      let code = values.loadUnaligned(fromByteOffset: index &* MemoryLayout<Code>.size, as: Code.self)
      inside &+= code &- low <= span ? 1 : 0
    }
    return Int(inside)
  }
}
