import CProcessor

extension Table {
  /// Has the processor fetch what writing some values of a row, or comparing them with others, is going to look at. Who
  /// comes to rows in any order waits for all of it at once then, and not for one column after the other.
  ///
  /// Nothing is changed, and chunks are left alone that were not touched before. The others are taken for wide ones, as
  /// those become that are written to: looking which they are would be to wait already.
  ///
  /// - Parameter columns: A bit for each of the first 64 columns.
  package func prefetch(_ row: Int, columns: UInt64) {
    let count = state.pointee.columnCount
    let columns = count < UInt64.bitWidth ? columns & (1 &<< UInt64(count) &- 1) : columns
    let (number, index) = (Self.chunkIndex(row), Self.indexInChunk(row))
    var texts: UInt64 = 0
    forEachChunk(number, columns) { column, base in
      let isOfBytes = state.pointee.widths[column] == Self.markOfBytes
      let width = isOfBytes ? WideChunk.width(.bytes) : Int(state.pointee.widths[column])
      let values = base + ChunkHeader.size
      openrealm_prefetch(base)
      openrealm_prefetch(values + (index &* width) &>> 3)
      // The bit that says whether it was written, behind all values and their nulls.
      openrealm_prefetch(values + (chunkCapacity &* width) &>> 3 + chunkBitmapSize + index &>> 3)
      if isOfBytes { texts |= 1 &<< UInt64(column) }
    }
    forEachChunk(number, texts) { _, base in
      if Chunk(base).encoding == .wideBytes {
        openrealm_prefetch(WideChunk(UnsafeMutableRawPointer(mutating: base)).bytes(index).baseAddress)
      }
    }
  }

  /// Has the processor fetch the beginning of a chunk, all of it where values have a byte. One that was not touched before
  /// is left alone.
  package func prefetch(_ column: Int, chunk number: Int) {
    guard let base = Self.load(state.pointee.columns[column] + number) else { return }
    for line in 0...(ChunkHeader.size + chunkCapacity) / 64 { openrealm_prefetch(base + line &* 64) }
  }

  /// Stands for the width of byte strings, which lie elsewhere.
  static let markOfBytes = UInt8.max

  /// Calls the body with the numbers of the columns and their chunks, those that were touched.
  @inline(__always)
  private func forEachChunk(_ number: Int, _ columns: UInt64, _ body: (Int, UnsafeRawPointer) -> Void) {
    let chunks = state.pointee.columns
    var rest = columns
    while rest != 0 {
      let column = rest.trailingZeroBitCount
      rest &= rest &- 1
      if let base = Self.load(chunks[column] + number) { body(column, base) }
    }
  }
}
