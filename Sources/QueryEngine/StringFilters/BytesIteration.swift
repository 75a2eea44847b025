import Storage

/// The byte strings of a chunk, in order.
///
/// Invariants: as for `Chunk`; `longValue` gives the bytes of a value that is outside the chunk.
struct BytesIteration {
  let chunk: Chunk
  let longValue: (Int) -> UnsafeRawBufferPointer

  /// Calls the body with the mask's rows, ascending, and their bytes, which mean nothing for nulls.
  @inline(__always) func forEach(_ mask: ChunkMask, _ body: (Int, UnsafeRawBufferPointer) -> Void) {
    filterRows(mask) { index, bytes in
      body(index, bytes)
      return true
    }
  }

  /// Keeps those of the mask's rows whose bytes pass the test.
  @inline(__always) func filter(_ mask: ChunkMask, _ test: (UnsafeRawBufferPointer) -> Bool) {
    filterRows(mask) { test($1) }
  }

  @inline(__always) private func filterRows(_ mask: ChunkMask, _ test: (Int, UnsafeRawBufferPointer) -> Bool)
  {
    let count = chunk.count
    guard chunk.encoding == .heap else {
      mask.filter { $0 < count && test($0, chunk.bytes($0) ?? longValue($0)) }
      return
    }
    let lengths = chunk.values
    let offsets = lengths + ((count + 15) & ~15)
    let heap = chunk.heap
    for word in 0..<maskWordCount where mask.words[word] != 0 {
      var kept: UInt64 = 0
      for group in 0..<4 {
        var bits = (mask.words[word] >> UInt64(group &* 16)) & 0xFFFF
        let first = word &* 64 &+ group &* 16
        if bits == 0 || first >= count { continue }
        var next = heap + Int(offsets.loadUnaligned(fromByteOffset: first >> 2, as: UInt32.self))
        var index = first
        while bits != 0 && index < count {
          let length = lengths.load(fromByteOffset: index, as: UInt8.self)
          let isLong = length == longValueMark
          if bits & 1 != 0 {
            let bytes = isLong ? longValue(index) : UnsafeRawBufferPointer(start: next, count: Int(length))
            if test(index, bytes) { kept |= 1 << UInt64(index & 63) }
          }
          if !isLong { next += Int(length) }
          bits >>= 1
          index &+= 1
        }
      }
      mask.words[word] = kept
    }
  }
}
