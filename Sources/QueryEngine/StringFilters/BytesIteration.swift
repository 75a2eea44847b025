import CProcessor
import Storage

/// The byte strings of a chunk, in order.
///
/// Invariants: as for `Chunk`; `longValue` gives the bytes of a value that is outside the chunk.
struct BytesIteration {
  let chunk: Chunk
  let longValue: (Int) -> UnsafeRawBufferPointer

  /// How many bytes before they are read memory is asked for.
  private static let ahead = 1024

  /// Keeps those of the mask's rows whose bytes pass the test. What the bytes of nulls are means nothing.
  @inline(__always) func filter(_ mask: ChunkMask, _ test: (UnsafeRawBufferPointer) -> Bool) {
    filterRows(mask) { test($1) }
  }

  /// Calls the body with the mask's rows, ascending, and the first eight bytes of each as `SortText` has them, which
  /// mean nothing for nulls.
  @inline(__always) func forEachFirstWord(_ mask: ChunkMask, _ body: (Int, UInt64) -> Void) {
    // Without long values the snapshot need not be asked for bytes: this loop takes half the time.
    guard chunk.encoding == .heap, chunk.flags & ChunkFlags.hasLongValues == 0 else {
      filterRows(mask) { index, bytes in
        body(index, SortText.word(bytes, at: 0))
        return true
      }
      return
    }
    filterHeap(mask) { index, start, length in
      body(index, SortText.firstWord(of: start, count: Int(length)))
      return true
    }
  }

  @inline(__always) private func filterRows(_ mask: ChunkMask, _ test: (Int, UnsafeRawBufferPointer) -> Bool)
  {
    guard chunk.encoding == .heap else {
      let count = chunk.count
      mask.filter { $0 < count && test($0, chunk.bytes($0) ?? longValue($0)) }
      return
    }
    filterHeap(mask) { index, start, length in
      let isLong = length == longValueMark
      return test(index, isLong ? longValue(index) : UnsafeRawBufferPointer(start: start, count: Int(length)))
    }
  }

  /// - Parameter test: Is given where a row's bytes begin, and the byte that says how many they are.
  @inline(__always)
  private func filterHeap(_ mask: ChunkMask, _ test: (Int, UnsafeRawPointer, UInt8) -> Bool) {
    let count = chunk.count
    let lengths = chunk.values
    let offsets = lengths + ((count + 15) & ~15)
    let heap = chunk.heap
    let hasLongValues = chunk.flags & ChunkFlags.hasLongValues != 0
    for word in 0..<maskWordCount where mask.words[word] != 0 {
      var kept: UInt64 = 0
      for group in 0..<4 {
        let bits = (mask.words[word] >> UInt64(group &* 16)) & 0xFFFF
        let first = word &* 64 &+ group &* 16
        if bits == 0 || first >= count { continue }
        var next = heap + Int(offsets.loadUnaligned(fromByteOffset: first >> 2, as: UInt32.self))
        // As much as sixteen short strings take.
        openrealm_prefetch_lines(next + Self.ahead, 4)
        for index in first..<min(first &+ 64 &- bits.leadingZeroBitCount, count) {
          let length = lengths.load(fromByteOffset: index, as: UInt8.self)
          if bits & (1 &<< UInt64(index & 15)) != 0 && test(index, next, length) {
            kept |= 1 &<< UInt64(index & 63)
          }
          if !hasLongValues || length != longValueMark { next += Int(length) }
        }
      }
      mask.words[word] = kept
    }
  }
}
