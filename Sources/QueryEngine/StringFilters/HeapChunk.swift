import Storage

/// The parts of a heap chunk.
///
/// Invariants: as for `Chunk`, whose encoding is `heap`.
struct HeapChunk {
  let chunk: Chunk
  let lengths: UnsafeRawPointer
  let offsets: UnsafeRawPointer
  let bytes: UnsafeRawBufferPointer

  init(_ chunk: Chunk) {
    self.chunk = chunk
    lengths = chunk.values
    let count = chunk.count
    let groups = (count + 15) / 16
    offsets = chunk.values + groups * 16
    var size = 0
    if groups > 0 {
      size = Int(offsets.loadUnaligned(fromByteOffset: (groups - 1) * 4, as: UInt32.self))
      for index in (groups - 1) * 16..<groups * 16 {
        let length = lengths.load(fromByteOffset: index, as: UInt8.self)
        if length != longValueMark { size += Int(length) }
      }
    }
    bytes = UnsafeRawBufferPointer(start: chunk.heap, count: size)
  }
}

/// Finds the rows of ascending places in a chunk's heap.
struct HeapRows {
  private let heap: HeapChunk
  private let groupCount: Int
  private var row = 0
  private var rowEnd: Int

  init(_ heap: HeapChunk) {
    self.heap = heap
    groupCount = (heap.chunk.count + 15) / 16
    rowEnd = Self.length(heap, 0)
  }

  private static func length(_ heap: HeapChunk, _ row: Int) -> Int {
    let length = heap.lengths.load(fromByteOffset: row, as: UInt8.self)
    return length == longValueMark ? 0 : Int(length)
  }

  /// The row whose bytes include the place, and where they end.
  mutating func row(at place: Int) -> (row: Int, end: Int) {
    if place >= rowEnd {
      // Skip whole groups first.
      var group = row >> 4
      while group + 1 < groupCount,
        Int(heap.offsets.loadUnaligned(fromByteOffset: (group + 1) * 4, as: UInt32.self)) <= place
      {
        group += 1
      }
      if group > row >> 4 {
        row = group << 4
        rowEnd =
          Int(heap.offsets.loadUnaligned(fromByteOffset: group * 4, as: UInt32.self)) + Self.length(heap, row)
      }
      while place >= rowEnd {
        row += 1
        rowEnd += Self.length(heap, row)
      }
    }
    return (row, rowEnd)
  }
}
