import Storage

/// The rows of one chunk that are looked at, in ascending order.
///
/// Invariants: `positions` points to `count` positions within the chunk, all below its number of values, which the
/// creator of this value owns, and which outlive it.
struct ChunkRows {
  /// The number of the chunk.
  let chunk: Int
  let count: Int
  private let positions: UnsafePointer<UInt16>
  /// Whether they are the first ones, none left out.
  private let isPrefix: Bool

  init(chunk: Int, positions: UnsafePointer<UInt16>, count: Int, isPrefix: Bool) {
    self.chunk = chunk
    self.count = count
    self.positions = positions
    self.isPrefix = isPrefix
  }

  /// Calls `body` with the number of each in this list and its position in the chunk.
  @inline(__always) func forEachRow(_ body: (_ number: Int, _ position: Int) -> Void) {
    if isPrefix {
      for index in 0..<count { body(index, index) }
    } else {
      for index in 0..<count { body(index, Int(positions[index])) }
    }
  }

  /// Calls `body` with the number and the position of each row that is not null in a chunk.
  @inline(__always) func forEachValue(in chunk: Chunk, _ body: (_ number: Int, _ position: Int) -> Void) {
    guard chunk.nullBitmap != nil else { return forEachRow(body) }
    forEachRow { number, position in
      if !chunk.isNull(position) { body(number, position) }
    }
  }

  /// The number of a row in its table.
  @inline(__always) func row(_ position: Int) -> Int { chunk &* chunkCapacity &+ position }
}

extension Table {
  /// Calls `body` with the selected rows that are there, chunk by chunk. What a list selects twice comes twice.
  func forEachChunk(_ selection: RowSelection, _ body: (ChunkRows) -> Void) {
    var positions = ContiguousArray<UInt16>(repeating: 0, count: chunkCapacity)
    guard case .rows(let rows) = selection else {
      return forEachMask(selection) { number, mask in
        var count = 0
        positions.withUnsafeMutableBufferPointer { positions in
          mask.forEachIndex { index in
            positions[count] = UInt16(truncatingIfNeeded: index)
            count &+= 1
          }
          body(
            ChunkRows(
              chunk: number, positions: positions.baseAddress!, count: count,
              isPrefix: Int(positions[count - 1]) == count - 1))
        }
      }
    }
    var count = 0
    var chunk = 0
    func pass() {
      if count == 0 { return }
      positions.withUnsafeBufferPointer {
        body(ChunkRows(chunk: chunk, positions: $0.baseAddress!, count: count, isPrefix: false))
      }
      count = 0
    }
    for row in rows.sorted() where isAlive(row) {
      let number = row / chunkCapacity
      if number != chunk || count == chunkCapacity { pass() }
      chunk = number
      positions[count] = UInt16(row - number * chunkCapacity)
      count += 1
    }
    pass()
  }
}
