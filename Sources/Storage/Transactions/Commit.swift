import LibC

// Storing a write transaction in one of the file's, which may hold others already.
extension Writer {
  func store(_ transaction: WriteTransaction, _ staged: inout StagedWrites) throws(EntryError) {
    if transaction.isCatalogueChanged { staged.catalogueStamp = nextCatalogueStamp }
    try storeContent(transaction, staged.target, keepsChunks: false)
    try ChangeLog.append(transaction, snapshot, staged.target, part: staged.count)
    // The transaction may have been computed from placeholders for damaged values.
    if snapshot.foundDamage?.isFound ?? false { throw EntryError.corrupted }
    staged.count += 1
  }

  /// Stores the open write transaction in one of the file's that is never committed, and leaves it as it was.
  func storeForCopy(_ writing: WriteTransaction) throws(StorageError) -> EntryTransaction {
    // The places of packed chunks in the list count until it is stored for good.
    let (chunks, memories) = (writing.dirtyChunks, writing.packedMemories)
    let hasUnstoredRowLimits = snapshot.session.hasUnstoredRowLimits
    defer {
      writing.dirtyChunks = chunks
      writing.packedMemories = memories
      snapshot.session.hasUnstoredRowLimits = hasUnstoredRowLimits
    }
    do throws(EntryError) {
      let transaction = try snapshot.file.entries.beginWriting()
      do throws(EntryError) {
        try storeContent(writing, transaction, keepsChunks: true)
        // What waits to be sent to the server waits in the copy, too.
        if snapshot.isSynced { try ChangeLog.append(writing, snapshot, transaction, part: 0) }
        return transaction
      } catch {
        transaction.abort()
        throw error
      }
    } catch {
      throw snapshot.file.writingError(error)
    }
  }

  /// Stores everything but the entry of the log.
  ///
  /// - Parameter keepsChunks: Whether the transaction goes on: then nothing is freed that only it needs.
  func storeContent(
    _ transaction: WriteTransaction, _ target: EntryTransaction, keepsChunks: Bool
  ) throws(EntryError) {
    if transaction.isCatalogueChanged {
      try target.store(
        EntryTree.main, key: Catalogue.key,
        snapshot.catalogue.encoded(stamp: nextCatalogueStamp))
    }
    if snapshot.catalogue.isSynced { try storeSession(transaction, target) }
    enterKeys()
    try storeSequences(transaction, target)
    try storeChunks(transaction, target, keepsChunks: keepsChunks)
    // In the order of their keys, which leaves nodes full.
    for (_, changes) in transaction.collections.sorted(by: { $0.key < $1.key }) {
      try changes.store(target, .collections)
    }
    for index in transaction.droppedIndexes {
      try IndexChanges.dropIndex(index, in: target, tree: .indexes)
    }
    for (index, changes) in transaction.indexChanges.sorted(by: { $0.key < $1.key }) {
      let isReadable = transaction.droppedIndexes.contains(index) || snapshot.isReadable(index: index)
      if !isReadable { throw EntryError.corrupted }
      try changes.merge(
        into: target, tree: .indexes, index: index, verifier: snapshot)
    }
    // Last, because emptying a column may have written to it.
    for column in transaction.droppedColumns {
      try erase(table: column.table, column: column.column, target)
    }
    if transaction.isCatalogueChanged || snapshot.session.hasUnstoredRowLimits
      || transaction.dirtyChunks.contains(where: { $0.column < 0 })
    {
      try writeRowCounts(target)
    }
  }

  private func storeChunks(
    _ transaction: WriteTransaction, _ target: EntryTransaction, keepsChunks: Bool
  ) throws(EntryError) {
    if transaction.dirtyChunks.count > 1 {
      transaction.dirtyChunks.sort {
        ($0.table, $0.column, $0.chunk) < ($1.table, $1.column, $1.chunk)
      }
    }
    transaction.packedMemories = [:]
    let erased = try eraseDeletedRows(transaction, target)
    for (number, dirty) in transaction.dirtyChunks.enumerated() {
      let table = snapshot.tables[Int(dirty.table)]
      let isErased =
        !erased.isEmpty && erased.contains(ChunkNumber(table: table.number, chunk: Int(dirty.chunk)))
      if isErased { continue }
      try storeChunk(dirty, table, target)
      let column = Int(dirty.column)
      if !keepsChunks, column >= 0, Int(dirty.chunk) * chunkCapacity >= table.state.pointee.firstNewRow {
        // A chunk of new rows only: neither the log nor a rollback reads it, and the file's nodes need the memory.
        dirty.deallocate()
        transaction.dirtyChunks[number].isFreed = true
        table.state.pointee.columns[column][Int(dirty.chunk)] = nil
      }
    }
  }

  private func storeChunk(
    _ dirty: WriteTransaction.DirtyChunk, _ table: Table, _ target: EntryTransaction
  ) throws(EntryError) {
    let column = Int(dirty.column)
    let chunk = Int(dirty.chunk)
    func store(_ size: Int, _ fill: (UnsafeMutableRawPointer) -> Void) throws(EntryError) {
      try ColumnKey(table: table.number, column: column, chunk: chunk).withBytes {
        (bytes) throws(EntryError) in
        try target.store(.columns, bytes, ColumnKey.size, size: size, fill)
      }
    }
    if let packed = dirty.packed?.bytes {
      return try store(packed.count) {
        $0.copyMemory(from: packed.baseAddress!, byteCount: packed.count)
      }
    }
    // The presence bitmap is whole, because rows beyond those that a chunk covers are asked for, too.
    let count = column < 0 ? chunkCapacity : min(chunkCapacity, table.rowLimit - chunk * chunkCapacity)
    let presence = table.chunk(-1, number: chunk)
    let isFull = allAlive(presence, count: count)
    let layout = column < 0 ? .bits : snapshot.catalogue.tables[table.number].columns[column].layout
    if layout == .bytes { try storeLongValues(dirty, count: count, presence: presence, target) }
    if !isFull, column >= 0,
      let sparse = SparseChunk.Encoder(dirty.wide, layout: layout, count: count, presence: presence.values)
    {
      return try store(sparse.size) { sparse.write(to: $0) }
    }
    let encoder = ChunkEncoder(
      dirty.wide, layout: layout, count: count, presence: isFull || column < 0 ? nil : presence.values,
      keepsLongValuesOutside: true)
    try store(encoder.size) { encoder.write(to: $0) }
  }

  /// Returns the stored chunk of a column, which the caller replaces.
  func storedChunk(
    table: Int, column: Int, chunk: Int, _ target: EntryTransaction
  ) throws(EntryError) -> UnsafeRawBufferPointer? {
    try ColumnKey(table: table, column: column, chunk: chunk).withBytes { (key) throws(EntryError) in
      do throws(ValueFault) {
        return try target.value(.columns, key, ColumnKey.size)
      } catch {
        snapshot.report(damagedTable: table, column: column, "chunk \(chunk)", error.reason)
        throw EntryError.corrupted
      }
    }
  }

  /// Long values that were written go under keys of their own; those that were replaced disappear.
  private func storeLongValues(
    _ dirty: WriteTransaction.DirtyChunk, count: Int, presence: Chunk, _ target: EntryTransaction
  ) throws(EntryError) {
    let table = Int(dirty.table)
    let column = Int(dirty.column)
    let first = Int(dirty.chunk) * chunkCapacity
    let stored = try storedChunk(table: table, column: column, chunk: Int(dirty.chunk), target)
      .map { Chunk($0.baseAddress!) }
    let hadLong = stored.map { $0.flags & ChunkFlags.hasLongValues != 0 } ?? false
    // Deleting and writing entries moves nodes of the values, not those of this chunk.
    var formerly: [Bool] = []
    if hadLong, let stored {
      formerly = (0..<stored.count).map { !stored.isNull($0) && stored.bytes($0) == nil }
    }
    if formerly.isEmpty && !dirty.wide.hasWrittenValue(longerThan: longestInlineValue) { return }
    for index in 0..<count {
      let isGone = !presence.bit(index)
      guard dirty.wide.wasWritten(index) || isGone else { continue }
      let bytes = dirty.wide.chunk.bytes(index)!
      let isLong = bytes.count > longestInlineValue && !isGone && !dirty.wide.chunk.isNull(index)
      let key = ValueKey(table: table, column: column, row: first + index)
      if isLong {
        try key.withBytes { (keyBytes) throws(EntryError) in
          try target.store(.values, keyBytes, ValueKey.size, size: bytes.count) {
            memcpy($0, bytes.baseAddress!, bytes.count)
          }
        }
      } else if index < formerly.count && formerly[index] {
        try key.withBytes { (keyBytes) throws(EntryError) in
          try target.delete(.values, keyBytes, ValueKey.size)
        }
      }
    }
  }

  /// Deletes everything that a column has in the file.
  private func erase(table: Int, column: Int, _ target: EntryTransaction) throws(EntryError) {
    var prefix = ByteWriter()
    prefix.append(UInt32(table).bigEndian)
    prefix.append(UInt32(column + 1).bigEndian)
    for tree in [
      EntryTree.columns, .collections, .values,
    ] {
      try target.deleteAll(tree, prefix: prefix.bytes)
    }
    if column >= 0 {
      for index in [
        IndexNumber.values(table: table, column: column), IndexNumber.backlinks(table: table, column: column),
      ] {
        try IndexChanges.dropIndex(index, in: target, tree: .indexes)
      }
    }
  }

  private func writeRowCounts(_ target: EntryTransaction) throws(EntryError) {
    var writer = ByteWriter()
    for table in snapshot.tables {
      writer.append(UInt64(table.state.pointee.rowLimit))
      writer.append(UInt64(table.state.pointee.liveCount))
    }
    try target.store(.main, key: Snapshot.rowCountsKey, writer.bytes)
    snapshot.session.hasUnstoredRowLimits = false
  }

  /// The number that a changed catalogue gets.
  private var nextCatalogueStamp: UInt64 { snapshot.catalogueStamp + 1 }
}
