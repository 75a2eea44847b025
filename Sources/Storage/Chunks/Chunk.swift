/// A read-only view of a chunk in memory.
///
/// Invariants: `base` points to a chunk in the format described in ChunkFormat.swift, which stays mapped or
/// allocated while the view is used; indices are below the chunk's value count (checked in debug builds).
@frozen public struct Chunk {
  /// Where it begins.
  public let base: UnsafeRawPointer

  /// The chunk at an address, which must be one.
  @inlinable @inline(__always) public init(_ base: UnsafeRawPointer) { self.base = base }

  /// How the values are stored.
  @inlinable @inline(__always) public var encoding: ChunkEncoding {
    unsafeBitCast(base.load(as: UInt8.self), to: ChunkEncoding.self)
  }
  /// The bits of `ChunkFlags`.
  @inlinable public var flags: UInt8 { base.load(fromByteOffset: ChunkHeader.flags, as: UInt8.self) }
  /// Whether all values have full width, so that they can be changed in place.
  @inlinable public var isWide: Bool { flags & ChunkFlags.isWide != 0 }
  /// Whether minimum and maximum are there.
  @inlinable public var hasStatistics: Bool { flags & ChunkFlags.hasStatistics != 0 }
  /// The number of values.
  @inlinable public var count: Int {
    Int(base.loadUnaligned(fromByteOffset: ChunkHeader.valueCount, as: UInt16.self))
  }
  /// How many of them are null.
  @inlinable public var nullCount: Int {
    Int(base.loadUnaligned(fromByteOffset: ChunkHeader.nullCount, as: UInt16.self))
  }
  /// The number of distinct values, for encodings that store those once.
  @inlinable public var dictionaryCount: Int {
    Int(base.loadUnaligned(fromByteOffset: ChunkHeader.dictionaryCount, as: UInt16.self))
  }
  /// The smallest value; only with statistics.
  @inlinable public var minimumInteger: Int64 {
    base.loadUnaligned(fromByteOffset: ChunkHeader.minimum, as: Int64.self)
  }
  /// The largest value; only with statistics.
  @inlinable public var maximumInteger: Int64 {
    base.loadUnaligned(fromByteOffset: ChunkHeader.maximum, as: Int64.self)
  }
  /// The smallest value; only with statistics.
  @inlinable public var minimumDouble: Double { double(ofStatistic: minimumInteger) }
  /// The largest value; only with statistics.
  @inlinable public var maximumDouble: Double { double(ofStatistic: maximumInteger) }

  @inlinable func double(ofStatistic integer: Int64) -> Double {
    encoding.isScaled
      ? ScaledNumbers(self).number(integer) : Double(bitPattern: UInt64(bitPattern: integer))
  }
  /// The first byte after the header.
  @inlinable @inline(__always) public var values: UnsafeRawPointer { base + ChunkHeader.size }
  /// Where the bytes of texts and data begin.
  @inlinable public var heap: UnsafeRawPointer {
    base + Int(base.loadUnaligned(fromByteOffset: ChunkHeader.heapOffset, as: UInt32.self))
  }
  /// The null bitmap, `chunkBitmapSize` bytes or as many as the values need; nil when nothing is null.
  @inlinable @inline(__always) public var nullBitmap: UnsafeRawPointer? {
    let offset = base.loadUnaligned(fromByteOffset: ChunkHeader.nullBitmapOffset, as: UInt32.self)
    return offset == 0 ? nil : base + Int(offset)
  }

  /// Whether a value is null.
  @inlinable @inline(__always) public func isNull(_ index: Int) -> Bool {
    guard let bitmap = nullBitmap else { return false }
    return bitmap.load(fromByteOffset: index >> 3, as: UInt8.self)
      & (1 << (UInt8(truncatingIfNeeded: index) & 7)) != 0
  }

  /// An integer; of no meaning where it is null.
  @inlinable @inline(__always) public func integer(_ index: Int) -> Int64 {
    assert(index < count)
    switch encoding {
    case .integer1:
      return minimumInteger &+ Int64(values.load(fromByteOffset: index, as: UInt8.self))
    case .integer8:
      return values.loadUnaligned(fromByteOffset: index &<< 3, as: Int64.self)
    case .integer2:
      return minimumInteger &+ Int64(values.loadUnaligned(fromByteOffset: index &<< 1, as: UInt16.self))
    case .integer4:
      return minimumInteger &+ Int64(values.loadUnaligned(fromByteOffset: index &<< 2, as: UInt32.self))
    case .consecutive:
      return minimumInteger &+ Int64(index)
    default:
      return minimumInteger
    }
  }

  /// A Boolean; of no meaning where it is null.
  @inlinable @inline(__always) public func bit(_ index: Int) -> Bool {
    values.load(fromByteOffset: index >> 3, as: UInt8.self) & (1 << (UInt8(truncatingIfNeeded: index) & 7))
      != 0
  }
  /// A number of 32 bits; of no meaning where it is null.
  @inlinable @inline(__always) public func float(_ index: Int) -> Float {
    values.loadUnaligned(fromByteOffset: index &<< 2, as: Float.self)
  }
  /// A number of 64 bits; of no meaning where it is null.
  @inlinable @inline(__always) public func double(_ index: Int) -> Double {
    if encoding == .float64 { return values.loadUnaligned(fromByteOffset: index &<< 3, as: Double.self) }
    return ScaledNumbers(self)[index]
  }
  /// Where the 12 bytes of a value are.
  @inlinable @inline(__always) public func fixed12(_ index: Int) -> UnsafeRawPointer { values + index &* 12 }
  /// Where the 16 bytes of a value are.
  @inlinable @inline(__always) public func fixed16(_ index: Int) -> UnsafeRawPointer { values + index &<< 4 }

  /// The bytes of a value, or nil when it lies outside the chunk.
  @inlinable @inline(__always) public func bytes(_ index: Int) -> UnsafeRawBufferPointer? {
    switch encoding {
    case .heap:
      let length = values.load(fromByteOffset: index, as: UInt8.self)
      if length == longValueMark { return nil }
      let groups = values + ((count &+ 15) & ~15)
      let start = Int(groups.loadUnaligned(fromByteOffset: (index >> 4) &<< 2, as: UInt32.self))
      return UnsafeRawBufferPointer(start: heap + (start &+ lengthBefore(index)), count: Int(length))
    case .dictionary:
      return dictionaryEntry(Int(values.load(fromByteOffset: index, as: UInt8.self)))
    case .wideBytes:
      return UnsafeRawBufferPointer(
        start: values.loadUnaligned(fromByteOffset: index &<< 4, as: UnsafeRawPointer?.self),
        count: values.loadUnaligned(fromByteOffset: index &<< 4 &+ 8, as: Int.self))
    default:
      let start = values.loadUnaligned(fromByteOffset: index &<< 2, as: UInt32.self)
      let end = values.loadUnaligned(fromByteOffset: index &<< 2 &+ 4, as: UInt32.self)
      return UnsafeRawBufferPointer(start: heap + Int(start), count: Int(end &- start))
    }
  }

  /// The sum of the lengths of the values between the start of the index's group of 16 and the index.
  @inlinable @inline(__always) func lengthBefore(_ index: Int) -> Int {
    let group = values + (index & ~15)
    let position = index & 15
    if flags & ChunkFlags.hasLongValues != 0 {
      var sum = 0
      for other in 0..<position {
        let length = group.load(fromByteOffset: other, as: UInt8.self)
        if length != longValueMark { sum &+= Int(length) }
      }
      return sum
    }
    let low = UInt64(littleEndian: group.loadUnaligned(as: UInt64.self))
    if position <= 8 {
      return position == 8 ? sumOfBytes(low) : sumOfBytes(low & ((1 &<< (UInt64(position) &* 8)) &- 1))
    }
    let high = UInt64(littleEndian: group.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    return sumOfBytes(low) &+ sumOfBytes(high & ((1 &<< (UInt64(position &- 8) &* 8)) &- 1))
  }

  /// The bytes of a dictionary's entry.
  @inlinable public func dictionaryEntry(_ code: Int) -> UnsafeRawBufferPointer {
    let start = heap.loadUnaligned(fromByteOffset: code &<< 2, as: UInt32.self)
    let end = heap.loadUnaligned(fromByteOffset: code &<< 2 &+ 4, as: UInt32.self)
    let entries = heap + (dictionaryCount &+ 1) &<< 2
    return UnsafeRawBufferPointer(start: entries + Int(start), count: Int(end &- start))
  }
}

/// The sum of the eight bytes: pairs are added in 16-bit lanes, and a multiplication adds up the lanes.
@inlinable @inline(__always) func sumOfBytes(_ bytes: UInt64) -> Int {
  let pairs = (bytes & 0x00FF_00FF_00FF_00FF) &+ ((bytes &>> 8) & 0x00FF_00FF_00FF_00FF)
  return Int(truncatingIfNeeded: (pairs &* 0x0001_0001_0001_0001) &>> 48)
}
