import Storage

/// Scratch memory with a byte for each row of a chunk, 1 where a test holds, on its way to a mask of bits.
///
/// Compilers turn loops that fill bytes into vector code, but not those that set single bits.
///
/// Invariants: `bytes` points to `chunkCapacity` bytes, all 0 or 1.
final class ByteMask {
  let bytes: UnsafeMutableRawPointer

  init() {
    bytes = .allocate(byteCount: chunkCapacity, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: chunkCapacity)
  }

  deinit { bytes.deallocate() }

  /// Clears the bits of `mask` whose byte is 0; bytes from `count` on count as 0.
  @inline(__always) func filter(_ mask: ChunkMask, count: Int) {
    if count < chunkCapacity {
      (bytes + count).initializeMemory(as: UInt8.self, repeating: 0, count: chunkCapacity - count)
    }
    for word in 0..<maskWordCount {
      mask.words[word] &= Self.pack(UnsafeRawPointer(bytes + word &* 64))
    }
  }

  /// 64 bytes, each 0 or 1, as bits: eight of them move to the top byte of a product.
  @inline(__always) static func pack(_ bytes: UnsafeRawPointer) -> UInt64 {
    var word: UInt64 = 0
    for group in 0..<8 {
      let eight = bytes.loadUnaligned(fromByteOffset: group &* 8, as: UInt64.self)
      word |= ((eight &* 0x0102_0408_1020_4080) >> 56) << UInt64(group &* 8)
    }
    return word
  }

  /// 16 lanes, each all ones or all zeros, as bits.
  @inline(__always) static func pack(_ lanes: SIMDMask<SIMD16<Int8>>) -> UInt64 {
    let halves = unsafeBitCast(lanes, to: SIMD2<UInt64>.self) & SIMD2(repeating: 0x0101_0101_0101_0101)
    return ((halves[0] &* 0x0102_0408_1020_4080) >> 56)
      | (((halves[1] &* 0x0102_0408_1020_4080) >> 56) << 8)
  }
}
