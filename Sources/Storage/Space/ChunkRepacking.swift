/// Makes the chunks of a copy as small as the rows that are there allow: what deleted rows have left in them goes.
struct ChunkRepacking {
  private let catalogue: Catalogue
  private let path: String

  init(_ catalogue: Catalogue, path: String) {
    self.catalogue = catalogue
    self.path = path
  }

  /// A smaller form of a chunk; nil when there is none.
  ///
  /// - Parameter presence: The bitmap of the rows that are there, as it is stored.
  /// - Throws: When the chunk is damaged.
  func repacked(
    _ stored: UnsafeRawBufferPointer, at place: ColumnKey.Place, presence: UnsafeRawBufferPointer?
  ) throws(StorageError) -> [UInt8]? {
    guard place.table < catalogue.tables.count, place.column < catalogue.tables[place.table].columns.count,
      let presence, presence.count == ChunkHeader.size + chunkBitmapSize,
      let base = stored.baseAddress, stored.count >= ChunkHeader.size
    else { return nil }
    let table = catalogue.tables[place.table]
    let column = table.columns[place.column]
    let bits = presence.baseAddress! + ChunkHeader.size
    let count = Chunk(base).count
    if count <= chunkCapacity, bitCount(bits, count) == count { return nil }
    let form = StoredChunk(stored, layout: column.layout)
    if let fault = form.fault {
      throw .damaged(
        path: path,
        "class '\(table.name)', property '\(column.name)', chunk \(place.chunk): \(fault)")
    }
    guard let smaller = form.repacked(presence: bits), smaller.count < stored.count else { return nil }
    return smaller
  }
}
