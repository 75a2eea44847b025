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
  func eraseDeletedRows(
    _ transaction: WriteTransaction, _ target: LMDBTransaction
  ) throws(LMDBError) -> Set<ChunkNumber> {
    var erased: Set<ChunkNumber> = []
    for dirty in transaction.dirtyChunks where dirty.column < 0 {
      let deleted = dirty.wide.writtenBitmap
      if isEmpty(deleted) { continue }
      let number = Int(dirty.table)
      let chunk = Int(dirty.chunk)
      for (column, description) in catalogue.tables[number].columns.enumerated()
      where description.layout == .bytes && !description.isRemoved {
        let key = ColumnKey(table: number, column: column, chunk: chunk)
        let stored = target.columnChunk(key, file.databases)
        guard let stored else { continue }
        // Has it checked.
        _ = tables[number].chunk(column, number: chunk)
        try eraseLongValues(key: (number, column, chunk), deleted, Chunk(stored.baseAddress!), target)
      }
      if isEmpty(dirty.wide.values) {
        try eraseChunk(tables[number], chunk, target)
        erased.insert(ChunkNumber(table: number, chunk: chunk))
      }
    }
    return erased
  }

  private func isEmpty(_ bitmap: UnsafeMutableRawPointer) -> Bool {
    (0..<chunkBitmapSize / 8).allSatisfy { bitmap.load(fromByteOffset: $0 * 8, as: UInt64.self) == 0 }
  }

  private func eraseLongValues(
    key: (table: Int, column: Int, chunk: Int), _ deleted: UnsafeMutableRawPointer, _ chunk: Chunk,
    _ target: LMDBTransaction
  ) throws(LMDBError) {
    if chunk.flags & ChunkFlags.hasLongValues == 0 { return }
    // Found before anything is deleted; that moves pages of the values, not those of this chunk.
    let long = (0..<min(chunk.count, chunkCapacity)).filter {
      bitIsSet(deleted, $0) && !chunk.isNull($0) && chunk.bytes($0) == nil
    }
    for index in long {
      let row = key.chunk * chunkCapacity + index
      try ValueKey(table: key.table, column: key.column, row: row).withBytes { (key) throws(LMDBError) in
        try target.delete(file.databases.values, key, ValueKey.size)
      }
    }
  }

  private func eraseChunk(_ table: Table, _ chunk: Int, _ target: LMDBTransaction) throws(LMDBError) {
    for column in -1..<table.state.pointee.columnCount {
      let key = ColumnKey(table: table.number, column: column, chunk: chunk)
      try key.withBytes { (bytes) throws(LMDBError) in
        try target.delete(file.databases.columns, bytes, ColumnKey.size)
      }
    }
  }
}
