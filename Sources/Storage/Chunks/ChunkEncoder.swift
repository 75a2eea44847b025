import CProcessor
import LibC

/// Turns a wide chunk into its stored form in two steps: `plan` chooses the encoding and so the size, then
/// `write` fills exactly that many bytes, directly in the place that the file gives.
struct ChunkEncoder {
  private let source: WideChunk
  private let layout: ChunkLayout
  private let count: Int
  /// The rows whose values matter; nil when all do.
  private let presence: UnsafeRawPointer?
  private let keepsLongValuesOutside: Bool

  private(set) var encoding = ChunkEncoding.integer0
  private(set) var size = 0
  private var flags: UInt8 = 0
  private var minimum: Int64 = 0
  private var maximum: Int64 = 0
  private var nullCount = 0
  private var heapOffset = 0
  private var dictionary: BytesDictionary?
  private var scaled: ScaledEncoder?

  /// Whether the encoded chunk leaves out values that are to be stored elsewhere.
  var hasLongValues: Bool { flags & ChunkFlags.hasLongValues != 0 }

  /// Plans the encoding of the first `count` values.
  ///
  /// - Parameters:
  ///   - presence: Bitmap of the rows that are there, or nil when all are.
  ///   - keepsLongValuesOutside: Whether longer byte strings are left to the caller to store elsewhere.
  init(
    _ source: WideChunk, layout: ChunkLayout, count: Int, presence: UnsafeRawPointer?,
    keepsLongValuesOutside: Bool
  ) {
    self.source = source
    self.layout = layout
    self.count = count
    self.presence = presence
    self.keepsLongValuesOutside = keepsLongValuesOutside
    plan()
  }

  private var countsAll: Bool { presence == nil && nullCount == 0 }

  @inline(__always) private func counts(_ index: Int) -> Bool {
    if let presence, !bitIsSet(presence, index) { return false }
    return nullCount == 0 || !bitIsSet(source.nullBitmap!, index)
  }

  private mutating func plan() {
    if let nulls = source.nullBitmap { nullCount = bitCount(nulls, count) }
    var valuesSize = 0
    switch layout {
    case .integer: valuesSize = planIntegers()
    case .bits:
      encoding = .bits
      valuesSize = (count + 63) / 64 * 8
    case .float:
      encoding = .float32
      valuesSize = count * 4
      let chunk = source.chunk
      _ = planStatistics { Double(chunk.float($0)) }
    case .double: valuesSize = planDoubles()
    case .fixed12:
      encoding = .fixed12
      valuesSize = count * 12
    case .fixed16:
      encoding = .fixed16
      valuesSize = count * 16
    case .bytes: valuesSize = planBytes()
    }
    size = ChunkHeader.size + valuesSize + (nullCount > 0 ? chunkBitmapSize : 0)
  }

  private mutating func planIntegers() -> Int {
    var low = Int64.max
    var high = Int64.min
    if countsAll {
      (low, high) = range(source.chunk.values, count)
    } else {
      for index in 0..<count where counts(index) {
        let value = source.chunk.values.load(fromByteOffset: index &<< 3, as: Int64.self)
        low = min(low, value)
        high = max(high, value)
      }
    }
    guard low <= high else {
      encoding = .integer0
      return 0
    }
    flags |= ChunkFlags.hasStatistics
    minimum = low
    maximum = high
    let span = UInt64(bitPattern: high &- low)
    switch span {
    case 0: encoding = .integer0
    case 1...0xFF: encoding = .integer1
    case 0x100...0xFFFF: encoding = .integer2
    case 0x1_0000...0xFFFF_FFFF: encoding = .integer4
    default: encoding = .integer8
    }
    if countsAll && isConsecutive(span: span) {
      encoding = .consecutive
      return 0
    }
    return count * encoding.codeWidth
  }

  /// Whether each integer is one more than the one before, as numbers are that a program or the file has given.
  private func isConsecutive(span: UInt64) -> Bool {
    if count < 2 || span != UInt64(count - 1) { return false }
    for index in 0..<count
    where source.chunk.values.load(fromByteOffset: index &<< 3, as: Int64.self) != minimum &+ Int64(index) {
      return false
    }
    return true
  }

  /// The smallest and the largest of the integers.
  private func range(_ values: UnsafeRawPointer, _ count: Int) -> (low: Int64, high: Int64) {
    let none = openrealm_integer_range(low: .max, high: .min)
    let range =
      Processor.hasAVX2
      ? openrealm_extend_range_avx2(none, values, count) : openrealm_extend_range(none, values, count)
    return (range.low, range.high)
  }

  private mutating func planDoubles() -> Int {
    let chunk = source.chunk
    let hasNaN = !planStatistics { chunk.double($0) }
    let hasStatistics = flags & ChunkFlags.hasStatistics != 0
    encoding = .float64
    if !hasNaN {
      let (low, high) = (UInt64(bitPattern: minimum), UInt64(bitPattern: maximum))
      let range = hasStatistics ? Double(bitPattern: low)...Double(bitPattern: high) : nil
      // Each gets code of its own: asking for every number whether it counts takes as long as all the rest.
      scaled =
        countsAll
        ? ScaledEncoder(chunk.values, count: count, range: range) { _ in true }
        : ScaledEncoder(chunk.values, count: count, range: range, counts: counts)
    }
    guard let scaled else { return count * 8 }
    encoding = scaled.encoding
    (minimum, maximum) = (scaled.smallest, scaled.largest)
    return scaled.size(count)
  }

  /// Returns false when there is a NaN: then there are none.
  private mutating func planStatistics(_ value: (Int) -> Double) -> Bool {
    var low = Double.infinity
    var high = -Double.infinity
    var isEmpty = true
    for index in 0..<count where counts(index) {
      let number = value(index)
      if number.isNaN { return false }
      isEmpty = false
      low = number < low ? number : low
      high = number > high ? number : high
    }
    if isEmpty { return true }
    flags |= ChunkFlags.hasStatistics
    minimum = Int64(bitPattern: low.bitPattern)
    maximum = Int64(bitPattern: high.bitPattern)
    return true
  }

  private mutating func planBytes() -> Int {
    let groups = (count + 15) / 16
    let (total, longest) = lengths()
    let hasLong = longest > longestInlineValue
    let heapSizes = groups * 16 + groups * 4
    if !hasLong, let found = BytesDictionary(source, count: count, counts: counts) {
      let dictionarySize = count + (found.count + 1) * 4 + found.totalSize
      if dictionarySize < heapSizes + total {
        dictionary = found
        encoding = .dictionary
        heapOffset = ChunkHeader.size + count
        return dictionarySize
      }
    }
    if !hasLong || keepsLongValuesOutside {
      encoding = .heap
      var heapSize = total
      if hasLong {
        flags |= ChunkFlags.hasLongValues
        for index in 0..<count where counts(index) {
          let length = source.byteCount(index)
          if length > longestInlineValue { heapSize -= length }
        }
      }
      heapOffset = ChunkHeader.size + heapSizes
      return heapSizes + heapSize
    }
    encoding = .heap32
    heapOffset = ChunkHeader.size + (count + 1) * 4
    return (count + 1) * 4 + total
  }

  /// The sum of the lengths of the byte strings, and the largest of them.
  private func lengths() -> (total: Int, longest: Int) {
    var (total, longest) = (0, 0)
    if countsAll {
      for index in 0..<count {
        let length = source.byteCount(index)
        total &+= length
        longest = max(longest, length)
      }
    } else {
      for index in 0..<count where counts(index) {
        let length = source.byteCount(index)
        total &+= length
        longest = max(longest, length)
      }
    }
    return (total, longest)
  }

  /// Writes the chunk to `size` bytes at `target`.
  func write(to target: UnsafeMutableRawPointer) {
    memset(target, 0, ChunkHeader.size)
    target.storeBytes(of: encoding.rawValue, as: UInt8.self)
    target.storeBytes(of: flags, toByteOffset: ChunkHeader.flags, as: UInt8.self)
    target.storeBytes(of: UInt16(count), toByteOffset: ChunkHeader.valueCount, as: UInt16.self)
    target.storeBytes(of: minimum, toByteOffset: ChunkHeader.minimum, as: Int64.self)
    target.storeBytes(of: maximum, toByteOffset: ChunkHeader.maximum, as: Int64.self)
    target.storeBytes(of: UInt32(heapOffset), toByteOffset: ChunkHeader.heapOffset, as: UInt32.self)
    if let scaled {
      target.storeBytes(of: Float(scaled.divisor), toByteOffset: ChunkHeader.divisor, as: Float.self)
    }
    target.storeBytes(of: UInt16(nullCount), toByteOffset: ChunkHeader.nullCount, as: UInt16.self)
    target.storeBytes(
      of: UInt16(dictionary?.count ?? 0), toByteOffset: ChunkHeader.dictionaryCount,
      as: UInt16.self)
    if nullCount > 0 {
      let offset = size - chunkBitmapSize
      target.storeBytes(of: UInt32(offset), toByteOffset: ChunkHeader.nullBitmapOffset, as: UInt32.self)
      let bitmapSize = WideChunk.bitmapSize(source.chunk.count)
      memcpy(target + offset, source.nullBitmap!, bitmapSize)
      memset(target + offset + bitmapSize, 0, chunkBitmapSize - bitmapSize)
    }
    let values = target + ChunkHeader.size
    switch encoding {
    case .integer0, .consecutive: break
    case .integer1: writeIntegers(values, as: UInt8.self)
    case .integer2: writeIntegers(values, as: UInt16.self)
    case .integer4: writeIntegers(values, as: UInt32.self)
    case .bits: memcpy(values, source.chunk.values, (count + 63) / 64 * 8)
    case .integer8, .float64: memcpy(values, source.chunk.values, count * 8)
    case .float32: memcpy(values, source.chunk.values, count * 4)
    case .fixed12: memcpy(values, source.chunk.values, count * 12)
    case .fixed16: memcpy(values, source.chunk.values, count * 16)
    case .scaled0, .scaled1, .scaled2, .scaled4:
      if countsAll {
        scaled?.write(source.chunk.values, count: count, counts: { _ in true }, to: values)
      } else {
        scaled?.write(source.chunk.values, count: count, counts: counts, to: values)
      }
    case .dictionary: if let dictionary { write(dictionary, to: target) }
    case .heap: writeHeap(target)
    case .heap32: writeHeap32(target)
    case .wideBytes, .sparse: break
    }
  }

  private func writeIntegers<Narrow: FixedWidthInteger>(
    _ target: UnsafeMutableRawPointer, as _: Narrow.Type
  ) {
    let from = source.chunk.values
    let base = minimum
    if countsAll {
      for index in 0..<count {
        let value = from.load(fromByteOffset: index &<< 3, as: Int64.self) &- base
        target.storeBytes(
          of: Narrow(truncatingIfNeeded: value), toByteOffset: index &* MemoryLayout<Narrow>.size,
          as: Narrow.self)
      }
    } else {
      for index in 0..<count {
        let value = counts(index) ? from.load(fromByteOffset: index &<< 3, as: Int64.self) &- base : 0
        target.storeBytes(
          of: Narrow(truncatingIfNeeded: value), toByteOffset: index &* MemoryLayout<Narrow>.size,
          as: Narrow.self)
      }
    }
  }

  private func write(_ dictionary: BytesDictionary, to target: UnsafeMutableRawPointer) {
    dictionary.codes.withUnsafeBytes {
      (target + ChunkHeader.size).copyMemory(from: $0.baseAddress!, byteCount: count)
    }
    let offsets = target + heapOffset
    let entries = offsets + (dictionary.count + 1) * 4
    var offset = 0
    for code in 0..<dictionary.count {
      offsets.storeBytes(of: UInt32(offset), toByteOffset: code * 4, as: UInt32.self)
      let bytes = dictionary.entry(code)
      if let start = bytes.baseAddress { memcpy(entries + offset, start, bytes.count) }
      offset += bytes.count
    }
    offsets.storeBytes(of: UInt32(offset), toByteOffset: dictionary.count * 4, as: UInt32.self)
  }

  private func writeHeap(_ target: UnsafeMutableRawPointer) {
    let values = target + ChunkHeader.size
    let groups = (count + 15) / 16
    memset(values, 0, groups * 16)
    let groupOffsets = values + groups * 16
    let heap = target + heapOffset
    var offset = 0
    for index in 0..<count {
      if index & 15 == 0 {
        groupOffsets.storeBytes(of: UInt32(offset), toByteOffset: index >> 2, as: UInt32.self)
      }
      guard counts(index) else { continue }
      let bytes = source.bytes(index)
      if bytes.count > longestInlineValue {
        values.storeBytes(of: longValueMark, toByteOffset: index, as: UInt8.self)
        continue
      }
      values.storeBytes(of: UInt8(bytes.count), toByteOffset: index, as: UInt8.self)
      if let start = bytes.baseAddress { memcpy(heap + offset, start, bytes.count) }
      offset += bytes.count
    }
  }

  private func writeHeap32(_ target: UnsafeMutableRawPointer) {
    let offsets = target + ChunkHeader.size
    let heap = target + heapOffset
    var offset = 0
    for index in 0..<count {
      offsets.storeBytes(of: UInt32(offset), toByteOffset: index * 4, as: UInt32.self)
      guard counts(index) else { continue }
      let bytes = source.bytes(index)
      if let start = bytes.baseAddress { memcpy(heap + offset, start, bytes.count) }
      offset += bytes.count
    }
    offsets.storeBytes(of: UInt32(offset), toByteOffset: count * 4, as: UInt32.self)
  }
}
