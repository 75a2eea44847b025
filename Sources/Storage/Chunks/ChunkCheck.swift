/// Looks at a stored chunk once, so that everything else can trust its lengths, offsets and codes.
///
/// Whatever the values are then, reading those below the chunk's count stays within it.
struct ChunkCheck {
  let layout: ChunkLayout
  /// Whether values may lie outside, under keys of their own.
  let allowsLongValues: Bool

  /// What is wrong with the chunk, or nil.
  func fault(in bytes: UnsafeRawBufferPointer) -> String? {
    guard let base = bytes.baseAddress, bytes.count >= ChunkHeader.size else {
      return "its header is cut off"
    }
    guard let encoding = ChunkEncoding(rawValue: base.load(as: UInt8.self)), isPossible(encoding) else {
      return "its encoding is unknown"
    }
    let chunk = Chunk(base)
    let flags = allowsLongValues && encoding == .heap ? ChunkFlags.hasLongValues : 0
    if chunk.flags & ~(ChunkFlags.hasStatistics | flags) != 0 { return "its flags are unknown" }
    let count = chunk.count
    guard count > 0, count <= chunkCapacity else { return "it has \(count) values" }
    let rest = bytes.count - ChunkHeader.size
    let size: Int?
    switch encoding {
    case .consecutive:
      if !chunk.hasStatistics { return "its minimum is missing" }
      if chunk.minimumInteger > .max - Int64(count - 1) { return "its numbers are too large" }
      size = 0
    case .integer0: size = 0
    case .integer1, .integer2, .integer4, .integer8:
      // The encoder always writes it, and those who count codes of a range take them for differences to it.
      if !chunk.hasStatistics { return "its minimum is missing" }
      size = count * encoding.codeWidth
    case .float32: size = count * 4
    case .float64: size = count * 8
    case .bits: size = (count + 63) / 64 * 8
    case .scaled0, .scaled1, .scaled2, .scaled4:
      if let fault = ScaledNumbers.fault(in: chunk) { return fault }
      size = count * encoding.codeWidth
    case .fixed12: size = count * 12
    case .fixed16: size = count * 16
    case .heap: size = heapSize(chunk, count, rest)
    case .dictionary: size = dictionarySize(chunk, count, rest)
    case .heap32: size = heap32Size(chunk, count, rest)
    case .wideBytes, .sparse: size = nil
    }
    guard let size else { return "its offsets are wrong" }
    return nullFault(chunk, count, valuesEnd: ChunkHeader.size + size, total: bytes.count)
  }

  private func isPossible(_ encoding: ChunkEncoding) -> Bool {
    switch encoding {
    case .integer0, .integer1, .integer2, .integer4, .integer8, .consecutive: layout == .integer
    case .bits: layout == .bits
    case .float32: layout == .float
    case .float64, .scaled0, .scaled1, .scaled2, .scaled4: layout == .double
    case .fixed12: layout == .fixed12
    case .fixed16: layout == .fixed16
    case .heap, .dictionary, .heap32: layout == .bytes
    case .wideBytes, .sparse: false
    }
  }

  private func nullFault(_ chunk: Chunk, _ count: Int, valuesEnd: Int, total: Int) -> String? {
    guard let nulls = chunk.nullBitmap else {
      if chunk.nullCount != 0 { return "its nulls are missing" }
      return valuesEnd == total ? nil : "its size is wrong"
    }
    guard valuesEnd + chunkBitmapSize == total else { return "its size is wrong" }
    return nulls == chunk.base + valuesEnd && bitCount(nulls, count) == chunk.nullCount
      ? nil : "its nulls are wrong"
  }

  // MARK: Bytes

  /// What the values of a heap take; nil when they do not fit together.
  private func heapSize(_ chunk: Chunk, _ count: Int, _ rest: Int) -> Int? {
    let groups = (count + 15) / 16
    let values = chunk.values
    guard groups * 20 <= rest, chunk.heap == values + groups * 20 else { return nil }
    let hasLongValues = chunk.flags & ChunkFlags.hasLongValues != 0
    let offsets = values + groups * 16
    var total = 0
    for group in 0..<groups {
      guard Int(offsets.loadUnaligned(fromByteOffset: group * 4, as: UInt32.self)) == total else {
        return nil
      }
      let low = values.loadUnaligned(fromByteOffset: group * 16, as: UInt64.self)
      let high = values.loadUnaligned(fromByteOffset: group * 16 + 8, as: UInt64.self)
      if (low | high) & 0x8080_8080_8080_8080 == 0 {
        total += sumOfBytes(low) + sumOfBytes(high)
      } else {
        for index in group * 16..<group * 16 + 16 {
          let length = values.load(fromByteOffset: index, as: UInt8.self)
          if length == longValueMark && hasLongValues { continue }
          if Int(length) > longestInlineValue { return nil }
          total += Int(length)
        }
      }
    }
    return groups * 20 + total
  }

  private func dictionarySize(_ chunk: Chunk, _ count: Int, _ rest: Int) -> Int? {
    let entries = chunk.dictionaryCount
    let offsetsSize = (entries + 1) * 4
    guard entries > 0, entries < 256, count + offsetsSize <= rest, chunk.heap == chunk.values + count else {
      return nil
    }
    var highest: UInt8 = 0
    for index in 0..<count {
      highest = max(highest, chunk.values.load(fromByteOffset: index, as: UInt8.self))
    }
    guard Int(highest) < entries, let end = ascendingEnd(chunk.heap, entries) else { return nil }
    return count + offsetsSize + end
  }

  private func heap32Size(_ chunk: Chunk, _ count: Int, _ rest: Int) -> Int? {
    let offsetsSize = (count + 1) * 4
    guard offsetsSize <= rest, chunk.heap == chunk.values + offsetsSize,
      let end = ascendingEnd(chunk.values, count)
    else { return nil }
    return offsetsSize + end
  }

  /// The last of one more offsets than the count, when they begin at 0 and ascend.
  private func ascendingEnd(_ offsets: UnsafeRawPointer, _ count: Int) -> Int? {
    var last: UInt32 = 0
    guard offsets.loadUnaligned(as: UInt32.self) == 0 else { return nil }
    for index in 1...count {
      let offset = offsets.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
      if offset < last { return nil }
      last = offset
    }
    return Int(last)
  }
}

extension Chunk {
  /// The smallest and the largest of all numbers, also those of nulls and of rows that are not there.
  var integerBounds: ClosedRange<Int64> {
    func bounds<Narrow: FixedWidthInteger>(_: Narrow.Type) -> (low: Narrow, high: Narrow) {
      var low = Narrow.max
      var high = Narrow.min
      for index in 0..<count {
        let value = values.loadUnaligned(fromByteOffset: index &* MemoryLayout<Narrow>.size, as: Narrow.self)
        low = min(low, value)
        high = max(high, value)
      }
      return (low, high)
    }
    func shifted(_ high: UInt64) -> ClosedRange<Int64> {
      let end = minimumInteger.addingReportingOverflow(Int64(truncatingIfNeeded: high))
      return end.overflow ? .min ... .max : minimumInteger...end.partialValue
    }
    switch encoding {
    case .integer1: return shifted(UInt64(bounds(UInt8.self).high))
    case .integer2: return shifted(UInt64(bounds(UInt16.self).high))
    case .integer4: return shifted(UInt64(bounds(UInt32.self).high))
    case .integer8:
      let (low, high) = bounds(Int64.self)
      return low...high
    case .consecutive: return shifted(UInt64(count - 1))
    default: return minimumInteger...minimumInteger
    }
  }
}
