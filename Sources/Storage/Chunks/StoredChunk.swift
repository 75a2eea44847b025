import LibC

/// A chunk as it is stored, in whatever form.
struct StoredChunk {
  private let bytes: UnsafeRawBufferPointer
  private let layout: ChunkLayout

  init(_ bytes: UnsafeRawBufferPointer, layout: ChunkLayout) {
    self.bytes = bytes
    self.layout = layout
  }

  /// What is wrong with it, or nil.
  var fault: String? {
    if let base = bytes.baseAddress, !bytes.isEmpty, let sparse = SparseChunk(base) {
      return sparse.fault(size: bytes.count, layout: layout)
    }
    return ChunkCheck(layout: layout, allowsLongValues: true).fault(in: bytes)
  }

  /// Returns the chunk with the values of some rows only; nil if it has values that are stored outside.
  func repacked(presence: UnsafeRawPointer) -> [UInt8]? {
    let chunk = Chunk(bytes.baseAddress!)
    let sparse = SparseChunk(chunk.base)
    let hasNulls = sparse.map(\.hasNulls) ?? (chunk.nullBitmap != nil)
    if sparse == nil && chunk.flags & ChunkFlags.hasLongValues != 0 { return nil }
    let wide = WideChunk.allocate(layout, isNullable: hasNulls)
    defer { wide.deallocate() }
    if let sparse {
      sparse.spread(to: wide, layout: layout)
    } else {
      wide.copy(chunk, layout: layout) { _ in UnsafeRawBufferPointer(start: nil, count: 0) }
    }
    if let nulls = wide.nullBitmap {
      // Only those that are there are worth a bitmap.
      for row in 0..<chunkCapacity where !bitIsSet(presence, row) || row >= chunk.count {
        clearBit(nulls, row)
      }
    }
    return wide.stored(layout: layout, count: chunk.count, presence: presence)
  }
}

extension WideChunk {
  /// The smallest form of the first values, of which those of some rows count.
  fileprivate func stored(layout: ChunkLayout, count: Int, presence: UnsafeRawPointer) -> [UInt8] {
    func fill(_ size: Int, _ write: (UnsafeMutableRawPointer) -> Void) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
        write(UnsafeMutableRawPointer(buffer.baseAddress!))
        filled = size
      }
    }
    if let encoder = SparseChunk.Encoder(self, layout: layout, count: count, presence: presence) {
      return fill(encoder.size) { encoder.write(to: $0) }
    }
    let encoder = ChunkEncoder(
      self, layout: layout, count: count, presence: presence, keepsLongValuesOutside: true)
    return fill(encoder.size) { encoder.write(to: $0) }
  }
}
