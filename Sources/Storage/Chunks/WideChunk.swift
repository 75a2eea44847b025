import LibC

/// A mutable chunk in memory: every value at its layout's full width, so that it can be written in place.
///
/// Invariants: `base` is memory from `allocate`, in the chunk format with the flag isWide, of as many values as the
/// header says, which are `chunkCapacity` unless it is a segment of a collection: header, values, null bitmap, bitmap
/// of the values written. The header's heap offset is that of the last bitmap; the null bitmap's offset is 0 when the
/// column cannot hold nulls. Indices are below the number of values.
@frozen public struct WideChunk {
  /// Where it begins.
  public let base: UnsafeMutableRawPointer

  /// The chunk at an address, which must be one.
  @inlinable @inline(__always) public init(_ base: UnsafeMutableRawPointer) { self.base = base }

  /// The chunk for reading.
  @inlinable public var chunk: Chunk { Chunk(UnsafeRawPointer(base)) }
  @inlinable @inline(__always) var values: UnsafeMutableRawPointer { base + ChunkHeader.size }

  @inlinable @inline(__always) func markWritten(_ index: Int) {
    assert(index >= 0 && index < chunkCapacity)
    let offset = Int(base.loadUnaligned(fromByteOffset: ChunkHeader.heapOffset, as: UInt32.self))
    setBit(base + offset, index)
  }

  /// Whether a value was written in this transaction.
  @inlinable @inline(__always) public func wasWritten(_ index: Int) -> Bool {
    writtenBitmap.load(fromByteOffset: index >> 3, as: UInt8.self)
      & (1 << (UInt8(truncatingIfNeeded: index) & 7)) != 0
  }

  /// A set bit for each value that was written since the chunk was made wide.
  @inlinable public var writtenBitmap: UnsafeMutableRawPointer {
    base + Int(base.loadUnaligned(fromByteOffset: ChunkHeader.heapOffset, as: UInt32.self))
  }

  @inlinable @inline(__always) var nullBitmap: UnsafeMutableRawPointer? {
    let offset = base.loadUnaligned(fromByteOffset: ChunkHeader.nullBitmapOffset, as: UInt32.self)
    return offset == 0 ? nil : base + Int(offset)
  }

  @inlinable @inline(__always) func setNotNull(_ index: Int) {
    if let bitmap = nullBitmap { clearBit(bitmap, index) }
  }

  @inlinable @inline(__always) func setNull(_ index: Int) {
    if let bitmap = nullBitmap { setBit(bitmap, index) }
  }

  @inlinable @inline(__always) func setInteger(_ index: Int, _ value: Int64) {
    values.storeBytes(of: value, toByteOffset: index &<< 3, as: Int64.self)
  }
  @inlinable @inline(__always) func setBool(_ index: Int, _ value: Bool) {
    if value { setBit(values, index) } else { clearBit(values, index) }
  }
  @inlinable @inline(__always) func setFloat(_ index: Int, _ value: Float) {
    values.storeBytes(of: value, toByteOffset: index &<< 2, as: Float.self)
  }
  @inlinable @inline(__always) func setDouble(_ index: Int, _ value: Double) {
    values.storeBytes(of: value, toByteOffset: index &<< 3, as: Double.self)
  }
  /// The bytes must stay where they are as long as the chunk lives.
  @inlinable @inline(__always) func setBytes(_ index: Int, _ bytes: UnsafeRawBufferPointer) {
    values.storeBytes(of: bytes.baseAddress, toByteOffset: index &<< 4, as: UnsafeRawPointer?.self)
    values.storeBytes(of: bytes.count, toByteOffset: index &<< 4 &+ 8, as: Int.self)
  }

  /// The bytes of a string or data.
  @inline(__always) func bytes(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: values.loadUnaligned(fromByteOffset: index &<< 4, as: UnsafeRawPointer?.self),
      count: byteCount(index))
  }
  @inline(__always) func byteCount(_ index: Int) -> Int {
    values.loadUnaligned(fromByteOffset: index &<< 4 &+ 8, as: Int.self)
  }

  /// Bytes that one value takes in a wide chunk; bits take an eighth.
  static func unit(_ layout: ChunkLayout) -> Int {
    switch layout {
    case .integer, .double: 8
    case .bits: 1
    case .float: 4
    case .fixed12: 12
    case .fixed16, .bytes: 16
    }
  }

  /// Whether any byte string that was written is longer than that.
  func hasWrittenValue(longerThan limit: Int) -> Bool {
    let written = writtenBitmap
    for start in stride(from: 0, to: chunk.count, by: 64) {
      var rest = written.loadUnaligned(fromByteOffset: start >> 3, as: UInt64.self)
      while rest != 0 {
        let index = start + rest.trailingZeroBitCount
        if byteCount(index) > limit { return true }
        rest &= rest &- 1
      }
    }
    return false
  }

  /// Bits that one value takes in a wide chunk.
  static func width(_ layout: ChunkLayout) -> Int { layout == .bits ? 1 : unit(layout) * 8 }

  /// The size of all values.
  static func valuesSize(_ layout: ChunkLayout, capacity: Int = chunkCapacity) -> Int {
    layout == .bits ? bitmapSize(capacity) : capacity * unit(layout)
  }

  static func bitmapSize(_ capacity: Int) -> Int { (capacity + 63) / 64 * 8 }

  private static func encoding(_ layout: ChunkLayout) -> ChunkEncoding {
    switch layout {
    case .integer: .integer8
    case .bits: .bits
    case .float: .float32
    case .double: .float64
    case .fixed12: .fixed12
    case .fixed16: .fixed16
    case .bytes: .wideBytes
    }
  }

  /// A chunk of zeros, or of nulls where these are allowed.
  ///
  /// - Parameter clearsValues: False when all values are set before any is read.
  static func allocate(
    _ layout: ChunkLayout, isNullable: Bool, capacity: Int = chunkCapacity, clearsValues: Bool = true
  ) -> WideChunk {
    let bitmapSize = bitmapSize(capacity)
    let nulls = ChunkHeader.size + valuesSize(layout, capacity: capacity)
    let size = nulls + 2 * bitmapSize
    let base = malloc(size)!
    if clearsValues {
      memset(base, 0, size)
    } else {
      memset(base, 0, ChunkHeader.size)
      memset(base + nulls, 0, size - nulls)
    }
    base.storeBytes(of: encoding(layout).rawValue, as: UInt8.self)
    base.storeBytes(of: ChunkFlags.isWide, toByteOffset: ChunkHeader.flags, as: UInt8.self)
    base.storeBytes(of: UInt16(capacity), toByteOffset: ChunkHeader.valueCount, as: UInt16.self)
    base.storeBytes(of: UInt32(nulls + bitmapSize), toByteOffset: ChunkHeader.heapOffset, as: UInt32.self)
    if isNullable {
      base.storeBytes(of: UInt32(nulls), toByteOffset: ChunkHeader.nullBitmapOffset, as: UInt32.self)
      memset(base + nulls, 0xFF, bitmapSize)
    }
    return WideChunk(base)
  }

  /// Returns the values in a chunk with a larger capacity, and frees this one.
  func grown(to capacity: Int, _ layout: ChunkLayout) -> WideChunk {
    let old = chunk.count
    let new = Self.allocate(layout, isNullable: nullBitmap != nil, capacity: capacity)
    memcpy(new.values, values, Self.valuesSize(layout, capacity: old))
    if let nulls = nullBitmap, let newNulls = new.nullBitmap { memcpy(newNulls, nulls, Self.bitmapSize(old)) }
    memcpy(new.writtenBitmap, writtenBitmap, Self.bitmapSize(old))
    deallocate()
    return new
  }

  /// The bytes that it takes.
  var size: Int { writtenBitmap - base + Self.bitmapSize(chunk.count) }

  func deallocate() {
    free(base)
  }

  /// Copies the values of another chunk of the same layout; those beyond its end stay zero or null.
  ///
  /// `longValue` gives the bytes that lie outside the chunk; all bytes must stay where they are as long as this
  /// chunk lives.
  func copy(_ source: Chunk, layout: ChunkLayout, longValue: (Int) -> UnsafeRawBufferPointer) {
    let count = min(source.count, chunk.count)
    switch layout {
    case .integer: copyIntegers(source, count)
    case .bits: values.copyMemory(from: source.values, byteCount: (count + 7) / 8)
    case .float: values.copyMemory(from: source.values, byteCount: count * 4)
    case .double where source.encoding.isScaled: ScaledNumbers(source).copy(to: values, count: count)
    case .double: values.copyMemory(from: source.values, byteCount: count * 8)
    case .fixed12: values.copyMemory(from: source.values, byteCount: count * 12)
    case .fixed16: values.copyMemory(from: source.values, byteCount: count * 16)
    case .bytes:
      if source.encoding == .heap && source.flags & ChunkFlags.hasLongValues == 0 {
        var next = source.heap
        for index in 0..<count {
          let length = Int(source.values.load(fromByteOffset: index, as: UInt8.self))
          setBytes(index, UnsafeRawBufferPointer(start: next, count: length))
          next += length
        }
      } else {
        for index in 0..<count { setBytes(index, source.bytes(index) ?? longValue(index)) }
      }
    }
    guard let bitmap = nullBitmap else { return }
    let nulls = source.nullBitmap
    if let nulls { memcpy(bitmap, nulls, count / 8) } else { memset(bitmap, 0, count / 8) }
    for index in count & ~7..<count where !(nulls.map { bitIsSet($0, index) } ?? false) {
      clearBit(bitmap, index)
    }
  }

  /// Looks at the encoding once instead of for each value.
  private func copyIntegers(_ source: Chunk, _ count: Int) {
    switch source.encoding {
    case .integer1: widen(source, count, UInt8.self)
    case .integer2: widen(source, count, UInt16.self)
    case .integer4: widen(source, count, UInt32.self)
    case .integer8: values.copyMemory(from: source.values, byteCount: count * 8)
    case .consecutive:
      let minimum = source.minimumInteger
      for index in 0..<count { setInteger(index, minimum &+ Int64(index)) }
    default: for index in 0..<count { setInteger(index, source.integer(index)) }
    }
  }

  @inline(__always)
  private func widen<Narrow: FixedWidthInteger>(_ source: Chunk, _ count: Int, _: Narrow.Type) {
    let from = source.values
    let minimum = source.minimumInteger
    for index in 0..<count {
      let value = from.loadUnaligned(fromByteOffset: index &* MemoryLayout<Narrow>.size, as: Narrow.self)
      setInteger(index, minimum &+ Int64(truncatingIfNeeded: value))
    }
  }
}

@inlinable @inline(__always) func setBit(_ bitmap: UnsafeMutableRawPointer, _ index: Int) {
  let byte = bitmap + index >> 3
  byte.storeBytes(of: byte.load(as: UInt8.self) | 1 << (UInt8(truncatingIfNeeded: index) & 7), as: UInt8.self)
}

@inlinable @inline(__always) func clearBit(_ bitmap: UnsafeMutableRawPointer, _ index: Int) {
  let byte = bitmap + index >> 3
  byte.storeBytes(
    of: byte.load(as: UInt8.self) & ~(1 << (UInt8(truncatingIfNeeded: index) & 7)), as: UInt8.self)
}

@inlinable @inline(__always) func bitIsSet(_ bitmap: UnsafeRawPointer, _ index: Int) -> Bool {
  bitmap.load(fromByteOffset: index >> 3, as: UInt8.self) & (1 << (UInt8(truncatingIfNeeded: index) & 7)) != 0
}

/// How many of the first `count` bits are set.
func bitCount(_ bitmap: UnsafeRawPointer, _ count: Int) -> Int {
  var result = 0
  for word in 0..<count / 64 {
    result += bitmap.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self).nonzeroBitCount
  }
  for index in count & ~63..<count where bitIsSet(bitmap, index) { result += 1 }
  return result
}
