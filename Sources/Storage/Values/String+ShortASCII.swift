extension String {
  /// A string of at most fifteen ASCII characters, put together as it lies in memory; nil for any other.
  ///
  /// Only where that is known: see `TableState.buildsShortStrings`.
  @inlinable @inline(__always)
  init?(shortASCII bytes: UnsafeRawBufferPointer) {
    let count = bytes.count
    guard count <= 15, let start = bytes.baseAddress else { return nil }
    var low: UInt64 = 0
    var high: UInt64 = 0
    if count >= 8 {
      low = start.loadUnaligned(as: UInt64.self)
      // The last eight bytes without those that are there already. A shift by all bits gives 0.
      high = start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) >> UInt64(128 &- 8 &* count)
    } else if count >= 4 {
      // The bytes that both loads have are the same.
      low = UInt64(start.loadUnaligned(as: UInt32.self))
      low |=
        UInt64(start.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)) &<< UInt64(8 &* count &- 32)
    } else {
      for place in 0..<count {
        low |= UInt64(start.load(fromByteOffset: place, as: UInt8.self)) &<< UInt64(8 &* place)
      }
    }
    if (low | high) & 0x8080_8080_8080_8080 != 0 { return nil }
    self = unsafeBitCast((low, high | (0xE0 | UInt64(count)) &<< 56), to: String.self)
  }
}
