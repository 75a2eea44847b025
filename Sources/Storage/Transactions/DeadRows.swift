import CLMDB

// What deleted rows leave behind is taken out of the file with the commit that deletes them: row numbers are never
// used again, so nothing else would ever overwrite it.
extension Snapshot {
  struct ChunkNumber: Hashable {
    var table: Int
    var chunk: Int
  }

  /// Erases the chunks that the transaction left without rows, and the long values of single deleted rows. Returns
  /// those chunks: they must not be stored.
  ///
  /// Erased chunks read like those that were never written, in which no row is present.
  func eraseDeadRows(
    _ transaction: WriteTransaction, _ target: OpaquePointer
  ) throws(LMDBError) -> Set<ChunkNumber> {
    var erased: Set<ChunkNumber> = []
    for (number, rows) in transaction.deletedRows {
      let table = tables[number]
      for (chunk, rows) in Dictionary(grouping: rows, by: { $0 / chunkCapacity }) {
        let presence = table.chunk(-1, number: chunk)
        let isEmpty = (0..<chunkBitmapSize).allSatisfy {
          presence.values.load(fromByteOffset: $0, as: UInt8.self) == 0
        }
        for (column, description) in catalogue.tables[number].columns.enumerated()
        where description.layout == .bytes && !description.isRemoved {
          let key = ColumnKey(table: number, column: column, chunk: chunk)
          let stored = key.withBytes { target.get(file.databases.columns, $0, ColumnKey.size) }
          guard let stored else { continue }
          // Has it checked.
          _ = table.chunk(column, number: chunk)
          try eraseLongValues(number, column, rows, Chunk(stored.baseAddress!), target)
        }
        if isEmpty {
          try eraseChunk(table, chunk, target)
          erased.insert(ChunkNumber(table: number, chunk: chunk))
        }
      }
    }
    return erased
  }

  private func eraseLongValues(
    _ table: Int, _ column: Int, _ rows: [Int], _ chunk: Chunk, _ target: OpaquePointer
  ) throws(LMDBError) {
    if chunk.flags & ChunkFlags.hasLongValues == 0 { return }
    // Found before anything is deleted; that moves pages of the values, not those of this chunk.
    let long = rows.filter {
      let index = $0 % chunkCapacity
      return index < chunk.count && !chunk.isNull(index) && chunk.bytes(index) == nil
    }
    for row in long {
      try ValueKey(table: table, column: column, row: row).withBytes { (key) throws(LMDBError) in
        try target.delete(file.databases.values, key, ValueKey.size)
      }
    }
  }

  private func eraseChunk(_ table: Table, _ chunk: Int, _ target: OpaquePointer) throws(LMDBError) {
    for column in -1..<table.state.pointee.columnCount {
      let key = ColumnKey(table: table.number, column: column, chunk: chunk)
      try key.withBytes { (bytes) throws(LMDBError) in
        try target.delete(file.databases.columns, bytes, ColumnKey.size)
      }
    }
  }
}
