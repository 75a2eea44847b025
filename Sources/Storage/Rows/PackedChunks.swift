import LibC

// A transaction that writes many rows does not hold all of them at full width until it ends: a chunk is encoded as it
// will be stored, into memory of its own, when it has been filled with new rows and those of the next but one are inserted
// (until then, objects that were being made when it became full are finished), or when a migration has gone through its
// rows. It is read like a chunk of the file, and is decoded again when the transaction writes to it.
extension Writer {
  /// Packs the chunks of a number, those that are worth it, and frees bytes that only they needed. Chunks with both new
  /// rows and others are left as they are.
  package func packChunks(_ table: Table, _ number: Int) {
    guard let transaction = snapshot.writing, number >= 0 else { return }
    let isNew = number * chunkCapacity >= table.state.pointee.firstNewRow
    if !isNew && (number + 1) * chunkCapacity > table.state.pointee.firstNewRow { return }
    for column in 0..<table.state.pointee.columnCount {
      let place = WriteTransaction.ChunkPlace(
        table: Int32(table.number), column: Int32(column), chunk: Int32(number))
      if let index = transaction.unpackedChunks.removeValue(forKey: place) {
        pack(transaction, index, table, isNew: isNew)
      }
    }
    // They are among the latest; with many other changes between them they stay as they are.
    let end = transaction.dirtyChunks.count
    for index in max(0, end - 64 - 4 * (table.state.pointee.columnCount + 1))..<end {
      let dirty = transaction.dirtyChunks[index]
      if Int(dirty.chunk) == number, Int(dirty.table) == table.number, dirty.column >= 0, dirty.packed == nil
      {
        pack(transaction, index, table, isNew: isNew)
      }
    }
    transaction.freeUnusedBytes(next: snapshot.shared.pointee.arenaNext)
  }

  private func pack(_ transaction: WriteTransaction, _ index: Int, _ table: Table, isNew: Bool) {
    let dirty = transaction.dirtyChunks[index]
    let column = Int(dirty.column)
    let presence = table.chunk(-1, number: Int(dirty.chunk))
    // Of a packed chunk all values count as written (see `hasIndexEntry`).
    let isIndexed = table.state.pointee.roles[column] & ~ColumnRole.isInCompound != 0
    if isNew, isIndexed, !dirty.wide.wasWritten(whereSet: presence.values) { return }
    // With few rows left it is stored in another form, which is not read where it lies.
    if !isNew, SparseChunk.step(present: bitCount(presence.values, chunkCapacity), of: chunkCapacity) > 0 {
      return
    }
    let layout = snapshot.catalogue.tables[table.number].columns[column].layout
    let encoder = ChunkEncoder(
      dirty.wide, layout: layout, count: chunkCapacity,
      presence: allAlive(presence, count: chunkCapacity) ? nil : presence.values, keepsLongValuesOutside: true
    )
    // Of the values under keys of their own, which are replaced by the commit, a packed chunk says nothing.
    if encoder.hasLongValues || !isNew && layout == .bytes && hasStoredLongValues(dirty) { return }
    let place = dirty.place
    let packed = transaction.packedMemory(of: place).allocate(encoder.size, hasWrittenBitmap: !isNew)
    encoder.write(to: packed.bytes.baseAddress!)
    packed.writtenBitmap?.copyMemory(from: dirty.wide.writtenBitmap, byteCount: chunkBitmapSize)
    dirty.wide.deallocate()
    transaction.dirtyChunks[index].packed = packed
    transaction.packedChunks[place] = index
    table.state.pointee.columns[column][Int(dirty.chunk)] = UnsafeRawPointer(packed.bytes.baseAddress!)
    snapshot.noteChange()
  }

  private func hasStoredLongValues(_ dirty: WriteTransaction.DirtyChunk) -> Bool {
    let key = ColumnKey(table: Int(dirty.table), column: Int(dirty.column), chunk: Int(dirty.chunk))
    // Verified when it was decoded.
    let stored = key.withBytes {
      snapshot.source.value(.columns, $0, ColumnKey.size) { _ in }
    }
    return stored.map { Chunk($0.baseAddress!).flags & ChunkFlags.hasLongValues != 0 } ?? false
  }

  /// Makes a packed chunk wide again; false when it is not packed.
  func unpack(_ transaction: WriteTransaction, _ place: WriteTransaction.ChunkPlace, _ new: WideChunk) -> Bool
  {
    guard let index = transaction.packedChunks.removeValue(forKey: place),
      let packed = transaction.dirtyChunks[index].packed
    else { return false }
    let layout = snapshot.catalogue.tables[Int(place.table)].columns[Int(place.column)].layout
    new.copy(Chunk(packed.bytes.baseAddress!), layout: layout) { _ in
      UnsafeRawBufferPointer(start: nil, count: 0)
    }
    if let written = packed.writtenBitmap {
      memcpy(new.writtenBitmap, written, chunkBitmapSize)
    } else {
      memset(new.writtenBitmap, 0xFF, chunkBitmapSize)
    }
    // Strings stay where they are.
    if layout == .bytes { transaction.unpackedStrings.append(packed) } else { packed.deallocate() }
    transaction.dirtyChunks[index].packed = nil
    transaction.dirtyChunks[index].wide = new
    transaction.unpackedChunks[place] = index
    return true
  }

  func isPacked(_ table: Table, _ column: Int, _ chunk: Int) -> Bool {
    guard let transaction = snapshot.writing else { return false }
    return transaction.packedChunks[
      .init(table: Int32(table.number), column: Int32(column), chunk: Int32(chunk))]
      != nil
  }

  /// Whether all rows that a chunk has are there.
  func allAlive(_ presence: Chunk, count: Int) -> Bool {
    for word in 0..<count / 64
    where presence.values.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self) != .max { return false }
    for index in count & ~63..<count where !presence.bit(index) { return false }
    return true
  }
}

extension WideChunk {
  /// Whether all values of a bitmap of the chunk's capacity were written.
  fileprivate func wasWritten(whereSet bitmap: UnsafeRawPointer) -> Bool {
    (0..<chunkBitmapSize / 8).allSatisfy {
      let bits = bitmap.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)
      return bits & ~writtenBitmap.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) == 0
    }
  }
}
