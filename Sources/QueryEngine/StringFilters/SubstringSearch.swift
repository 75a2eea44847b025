import CProcessor
import LibC
import Storage

/// Looks for one pattern in all strings of a heap chunk at once: a single search over the bytes, whose finds are
/// then assigned to rows.
///
/// The search compares two bytes of the pattern, those that are rarest in the data, at sixteen places or more at a time.
struct SubstringSearch {
  private let pattern: [UInt8]
  /// How the pattern was folded and so must be the bytes that are searched.
  private let folding: StringFolding?
  /// The places in the pattern of the two bytes, the smaller first; chosen by a look at the data.
  private var places: (Int, Int)?
  private var foldedHeap: [UInt8] = []

  init(_ pattern: [UInt8], _ folding: StringFolding?) {
    self.pattern = pattern
    self.folding = folding
  }

  /// Keeps the rows whose bytes contain the pattern. Returns false when this chunk cannot be searched as a
  /// whole.
  mutating func filter(
    _ mask: ChunkMask, _ chunk: Chunk, _ longValue: (Int) -> UnsafeRawBufferPointer, _ matcher: TextMatcher
  ) -> Bool {
    let heap = HeapChunk(chunk)
    let bytes = heap.bytes
    if places == nil, !bytes.isEmpty { places = Self.rarestPlaces(pattern, bytes) }
    guard let folding else {
      find(mask, heap, bytes, longValue, matcher)
      return true
    }
    guard bytes.isASCII else { return false }
    if !folding.ignoresCase {
      find(mask, heap, bytes, longValue, matcher)
      return true
    }
    if foldedHeap.count < bytes.count { foldedHeap = [UInt8](repeating: 0, count: bytes.count) }
    foldedHeap.withUnsafeMutableBytes { folded in
      for index in 0..<bytes.count { folded[index] = StringFolding.lowercasedASCII(bytes[index]) }
    }
    foldedHeap.withUnsafeBytes { folded in
      find(mask, heap, UnsafeRawBufferPointer(rebasing: folded[0..<bytes.count]), longValue, matcher)
    }
    return true
  }

  private func find(
    _ mask: ChunkMask, _ heap: HeapChunk, _ bytes: UnsafeRawBufferPointer,
    _ longValue: (Int) -> UnsafeRawBufferPointer, _ matcher: TextMatcher
  ) {
    let places = self.places ?? (0, 0)
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: maskWordCount) { words in
      words.initialize(repeating: 0)
      let found = ChunkMask(words.baseAddress!)
      if heap.chunk.flags & ChunkFlags.hasLongValues != 0 {
        let count = heap.chunk.count
        mask.forEachIndex { index in
          if index < count, heap.lengths.load(fromByteOffset: index, as: UInt8.self) == longValueMark,
            matcher.matches(longValue(index))
          {
            found.insert(index)
          }
        }
      }
      pattern.withUnsafeBytes { pattern in
        var rows = HeapRows(heap)
        var position = 0
        while let hit = Self.next(pattern, in: bytes, from: position, places) {
          let (row, end) = rows.row(at: hit)
          if hit + pattern.count <= end {
            found.insert(row)
            position = end
          } else {
            position = hit + 1
          }
        }
      }
      mask.formIntersection(found)
    }
  }

  /// The places of the two bytes of the pattern that occur least in the data.
  private static func rarestPlaces(_ pattern: [UInt8], _ bytes: UnsafeRawBufferPointer) -> (Int, Int) {
    var counts = [Int](repeating: 0, count: 256)
    for byte in bytes.prefix(4096) { counts[Int(byte)] += 1 }
    let order = pattern.indices.sorted { counts[Int(pattern[$0])] < counts[Int(pattern[$1])] }
    let first = order[0]
    let second = order.count > 1 ? order[1] : first
    return (min(first, second), max(first, second))
  }

  /// The first place at or after `start` where the pattern is.
  private static func next(
    _ pattern: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer, from start: Int, _ places: (Int, Int)
  ) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let (first, second) = (base + places.0, base + places.1)
    let (a, b) = (pattern[places.0], pattern[places.1])
    let end = bytes.count - pattern.count + 1
    let hasAVX2 = Processor.hasAVX2
    var position = start
    while position < end {
      position =
        hasAVX2
        ? openrealm_find_pair_avx2(first, a, second, b, position, end)
        : openrealm_find_pair(first, a, second, b, position, end)
      if position < end && isEqual(base + position, pattern) { return position }
      position += 1
    }
    return nil
  }

  /// Whether the pattern is at a place. Compares its first and last bytes before asking for all of it: most candidates
  /// are none.
  @inline(__always)
  private static func isEqual(_ bytes: UnsafeRawPointer, _ pattern: UnsafeRawBufferPointer) -> Bool {
    let count = pattern.count
    let start = pattern.baseAddress!
    if count < 4 { return memcmp(bytes, start, count) == 0 }
    let end = count &- 4
    return bytes.loadUnaligned(as: UInt32.self) == start.loadUnaligned(as: UInt32.self)
      && bytes.loadUnaligned(fromByteOffset: end, as: UInt32.self)
        == start.loadUnaligned(fromByteOffset: end, as: UInt32.self)
      && (count <= 8 || memcmp(bytes, start, count) == 0)
  }
}
