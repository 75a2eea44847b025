import CProcessor

extension Table {
  /// Has the processor fetch what reading and writing some values of a row is going to look at. Who comes to rows in
  /// any order waits for all of it at once then, and not for one column after the other.
  ///
  /// Nothing is changed, and chunks are left alone that were not touched before.
  ///
  /// - Parameter columns: A bit for each of the first 64 columns.
  package func prefetch(_ row: Int, columns: UInt64) {
    let (number, index) = (Self.chunkIndex(row), Self.indexInChunk(row))
    let chunks = state.pointee.columns
    let count = state.pointee.columnCount
    var rest = columns
    while rest != 0 {
      let column = rest.trailingZeroBitCount
      if column >= count { return }
      rest &= rest &- 1
      if let base = Self.load(chunks[column] + number) { Chunk(base).prefetch(index) }
    }
  }
}

extension Chunk {
  /// Has the processor fetch a value, and in a wide chunk the bit that says whether it was written.
  @inline(__always) fileprivate func prefetch(_ index: Int) {
    openrealm_prefetch(values + (index &* bitsOfValue) &>> 3)
    openrealm_prefetch(heap + index &>> 3)
  }

  /// How far values are apart.
  @inline(__always) private var bitsOfValue: Int {
    switch encoding {
    case .integer0: 0
    case .bits: 1
    case .integer1, .heap, .dictionary: 8
    case .integer2: 16
    case .integer4, .float32, .heap32: 32
    case .integer8, .float64: 64
    case .fixed12: 96
    case .fixed16, .wideBytes: 128
    }
  }
}
