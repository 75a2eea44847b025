import Storage

/// The number of 64-bit words of a chunk's mask.
let maskWordCount = chunkCapacity / 64

/// A bit for each row of a chunk.
///
/// Invariants: `words` points to `maskWordCount` words that the creator of the mask owns and that outlive it; row
/// i of the chunk is bit i % 64 of word i / 64.
struct ChunkMask {
  let words: UnsafeMutablePointer<UInt64>

  @inline(__always) init(_ words: UnsafeMutablePointer<UInt64>) { self.words = words }

  /// A mask in new memory, all bits clear.
  static func allocate() -> ChunkMask {
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: maskWordCount)
    words.initialize(repeating: 0, count: maskWordCount)
    return ChunkMask(words)
  }

  func deallocate() { words.deallocate() }

  @inline(__always) var isEmpty: Bool {
    var union: UInt64 = 0
    for word in 0..<maskWordCount { union |= words[word] }
    return union == 0
  }

  /// Whether all bits are set.
  @inline(__always) var isFull: Bool {
    var intersection: UInt64 = ~0
    for word in 0..<maskWordCount { intersection &= words[word] }
    return intersection == ~0
  }

  /// Whether exactly the first bits are set.
  func isPrefix(_ count: Int) -> Bool {
    for word in 0..<maskWordCount where words[word] != Self.prefix(count, word) { return false }
    return true
  }

  @inline(__always) var count: Int {
    var count = 0
    for word in 0..<maskWordCount { count &+= words[word].nonzeroBitCount }
    return count
  }

  @inline(__always) func clear() {
    for word in 0..<maskWordCount { words[word] = 0 }
  }

  @inline(__always) func copy(_ other: ChunkMask) {
    for word in 0..<maskWordCount { words[word] = other.words[word] }
  }

  @inline(__always) func formIntersection(_ other: ChunkMask) {
    for word in 0..<maskWordCount { words[word] &= other.words[word] }
  }

  @inline(__always) func formUnion(_ other: ChunkMask) {
    for word in 0..<maskWordCount { words[word] |= other.words[word] }
  }

  @inline(__always) func subtract(_ other: ChunkMask) {
    for word in 0..<maskWordCount { words[word] &= ~other.words[word] }
  }

  @inline(__always) func contains(_ index: Int) -> Bool {
    words[index >> 6] & (1 << UInt64(truncatingIfNeeded: index & 63)) != 0
  }

  @inline(__always) func insert(_ index: Int) {
    words[index >> 6] |= 1 << UInt64(truncatingIfNeeded: index & 63)
  }

  @inline(__always) func remove(_ index: Int) {
    words[index >> 6] &= ~(1 << UInt64(truncatingIfNeeded: index & 63))
  }

  @inline(__always) var first: Int? {
    for word in 0..<maskWordCount where words[word] != 0 {
      return word &* 64 &+ words[word].trailingZeroBitCount
    }
    return nil
  }

  /// Calls `body` with each index whose bit is set, ascending.
  @inline(__always) func forEachIndex(_ body: (Int) -> Void) {
    for word in 0..<maskWordCount {
      var bits = words[word]
      while bits != 0 {
        body(word &* 64 &+ bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
    }
  }

  /// Keeps those of the set bits for which `body` is true.
  @inline(__always) func filter(_ body: (Int) -> Bool) {
    for word in 0..<maskWordCount {
      var bits = words[word]
      var kept: UInt64 = 0
      while bits != 0 {
        let bit = bits & (0 &- bits)
        if body(word &* 64 &+ bits.trailingZeroBitCount) { kept |= bit }
        bits ^= bit
      }
      words[word] = kept
    }
  }

  /// Sets the bits to those of a table's rows that are there.
  @inline(__always) func loadPresence(_ table: Table, chunk number: Int) {
    let rowLimit = table.rowLimit
    if table.state.pointee.liveCount == rowLimit {
      // None is missing, so there is nothing to look up.
      fill(Swift.min(chunkCapacity, rowLimit &- number &* chunkCapacity))
    } else {
      loadBits(table.chunk(-1, number: number))
    }
  }

  /// Sets the first bits and clears the others.
  @inline(__always) private func fill(_ count: Int) {
    for word in 0..<maskWordCount { words[word] = Self.prefix(count, word) }
  }

  /// A word of the mask in which exactly the first bits are set.
  @inline(__always) private static func prefix(_ count: Int, _ word: Int) -> UInt64 {
    let bits = count &- word &* 64
    return bits >= 64 ? ~0 : bits <= 0 ? 0 : (1 &<< UInt64(bits)) &- 1
  }

  /// Sets the bits to the values of a chunk of bits; those beyond its end are clear.
  @inline(__always) func loadBits(_ chunk: Chunk) {
    let count = chunk.count
    let values = chunk.values
    if count == chunkCapacity {
      for word in 0..<maskWordCount {
        words[word] = values.loadUnaligned(fromByteOffset: word &* 8, as: UInt64.self)
      }
      return
    }
    for word in 0..<maskWordCount {
      let rows = count &- word &* 64
      if rows <= 0 {
        words[word] = 0
      } else {
        let bits = values.loadUnaligned(fromByteOffset: word &* 8, as: UInt64.self)
        words[word] = rows >= 64 ? bits : bits & ((1 << UInt64(rows)) &- 1)
      }
    }
  }

  /// Clears the bits of nulls, or of everything else.
  ///
  /// - Parameter nulls: A chunk's null bitmap, which always has `chunkBitmapSize` bytes.
  @inline(__always) func keep(nulls: UnsafeRawPointer, _ keepsNulls: Bool) {
    let flip: UInt64 = keepsNulls ? 0 : ~0
    for word in 0..<maskWordCount {
      words[word] &= nulls.loadUnaligned(fromByteOffset: word &* 8, as: UInt64.self) ^ flip
    }
  }
}
