// What deleted rows leave behind is taken out of the file with the commit that deletes them: row numbers are never
// used again, so nothing else would ever overwrite it.
extension Writer {
  struct ChunkNumber: Hashable {
    var table: Int
    var chunk: Int
  }

  /// Erases the chunks that the transaction left without rows, and the long values of single deleted rows, and rewrites
  /// the chunks that have few rows left. Returns the erased chunks: they must not be stored.
  ///
  /// Erased chunks read like those that were never written, in which no row is present.
  func eraseDeletedRows(
    _ transaction: WriteTransaction, _ target: EntryTransaction
  ) throws(EntryError) -> Set<ChunkNumber> {
    var erased: Set<ChunkNumber> = []
    var shrinking: [(table: Int, chunk: Int, presence: UnsafeRawPointer)] = []
    for dirty in transaction.dirtyChunks where dirty.column < 0 {
      let deleted = dirty.wide.writtenBitmap
      if isEmpty(deleted) { continue }
      let number = Int(dirty.table)
      let chunk = Int(dirty.chunk)
      for (column, description) in snapshot.catalogue.tables[number].columns.enumerated()
      where description.layout == .bytes && !description.isRemoved {
        if !isStored(table: number, column: column, chunk: chunk, target) { continue }
        // Verifies the chunk first, so that its checksum is not computed again below.
        _ = snapshot.tables[number].chunk(column, number: chunk)
        if snapshot.foundDamage?.isFound ?? false { throw EntryError.corrupted }
        let stored = try storedChunk(table: number, column: column, chunk: chunk, target)
        guard let stored else { continue }
        try eraseLongValues(key: (number, column, chunk), deleted, Chunk(stored.baseAddress!), target)
      }
      if isEmpty(dirty.wide.values) {
        try eraseChunk(snapshot.tables[number], chunk, target)
        erased.insert(ChunkNumber(table: number, chunk: chunk))
      } else if try shrinks(snapshot.tables[number], chunk, to: dirty.wide.values, target) {
        shrinking.append((number, chunk, UnsafeRawPointer(dirty.wide.values)))
      }
    }
    if shrinking.isEmpty { return erased }
    let dirty = Set(transaction.dirtyChunks.map(\.place))
    for (table, chunk, presence) in shrinking {
      try shrink(snapshot.tables[table], chunk, to: presence, except: dirty, target)
    }
    return erased
  }

  /// Whether a chunk of which so many rows are left takes half the space that it takes now, or less.
  private func shrinks(
    _ table: Table, _ chunk: Int, to presence: UnsafeMutableRawPointer, _ target: EntryTransaction
  ) throws(EntryError) -> Bool {
    let count = min(chunkCapacity, table.rowLimit - chunk * chunkCapacity)
    let step = SparseChunk.step(present: bitCount(presence, count), of: count)
    if step == 0 { return false }
    guard let former = try storedChunk(table: table.number, column: -1, chunk: chunk, target) else {
      return false
    }
    let bits = Chunk(former.baseAddress!).values
    return step > SparseChunk.step(present: bitCount(bits, count), of: count)
  }

  /// Rewrites the values of the remaining rows, for columns that the transaction does not write by itself.
  private func shrink(
    _ table: Table, _ chunk: Int, to presence: UnsafeRawPointer,
    except dirty: Set<WriteTransaction.ChunkPlace>,
    _ target: EntryTransaction
  ) throws(EntryError) {
    for (column, description) in snapshot.catalogue.tables[table.number].columns.enumerated()
    where !description.isRemoved {
      let place = WriteTransaction.ChunkPlace(
        table: Int32(table.number), column: Int32(column), chunk: Int32(chunk))
      if dirty.contains(place) { continue }
      guard let stored = try storedChunk(table: table.number, column: column, chunk: chunk, target) else {
        continue
      }
      // Verifies the chunk.
      if !snapshot.file.checkedPlaces.isChecked(stored.baseAddress!) {
        _ = table.chunk(column, number: chunk)
      }
      if snapshot.foundDamage?.isFound ?? false { throw EntryError.corrupted }
      let smaller = StoredChunk(stored, layout: description.layout).repacked(presence: presence)
      guard let smaller, smaller.count < stored.count else { continue }
      let key = ColumnKey(table: table.number, column: column, chunk: chunk)
      try key.withBytes { (key) throws(EntryError) in
        try target.store(.columns, key, ColumnKey.size, smaller)
      }
    }
  }

  /// Returns whether a chunk is stored, without reporting damage if it is missing: reads report that, deletions need not.
  private func isStored(table: Int, column: Int, chunk: Int, _ target: EntryTransaction) -> Bool {
    ColumnKey(table: table, column: column, chunk: chunk).withBytes {
      target.get(.columns, $0, ColumnKey.size) != nil
    }
  }

  private func isEmpty(_ bitmap: UnsafeMutableRawPointer) -> Bool {
    (0..<chunkBitmapSize / 8).allSatisfy { bitmap.load(fromByteOffset: $0 * 8, as: UInt64.self) == 0 }
  }

  private func eraseLongValues(
    key: (table: Int, column: Int, chunk: Int), _ deleted: UnsafeMutableRawPointer, _ chunk: Chunk,
    _ target: EntryTransaction
  ) throws(EntryError) {
    if chunk.flags & ChunkFlags.hasLongValues == 0 { return }
    // Found before anything is deleted; that moves nodes of the values, not those of this chunk.
    let long = (0..<min(chunk.count, chunkCapacity)).filter {
      bitIsSet(deleted, $0) && !chunk.isNull($0) && chunk.bytes($0) == nil
    }
    for index in long {
      let row = key.chunk * chunkCapacity + index
      try ValueKey(table: key.table, column: key.column, row: row).withBytes { (key) throws(EntryError) in
        try target.delete(.values, key, ValueKey.size)
      }
    }
  }

  private func eraseChunk(_ table: Table, _ chunk: Int, _ target: EntryTransaction) throws(EntryError) {
    for column in -1..<table.state.pointee.columnCount {
      let key = ColumnKey(table: table.number, column: column, chunk: chunk)
      try key.withBytes { (bytes) throws(EntryError) in
        try target.delete(.columns, bytes, ColumnKey.size)
      }
    }
  }
}
