import LibC

/// The private changes of an open write transaction, which only its snapshot sees.
///
/// Wide chunks are found through the snapshot's pointer tables; this keeps the list of them and everything that
/// has no chunk.
package final class WriteTransaction {
  /// A chunk that was written. In the bitmap of presence (column -1) the deleted rows count as written.
  struct DirtyChunk {
    var table: Int32
    var column: Int32
    var chunk: Int32
    /// Where it is while it is not packed.
    var wide: WideChunk
    /// Its stored form, when it has that already.
    var packed: PackedMemory.Chunk?
    /// Freed while the transaction was stored, because it is not used after that.
    var isFreed = false
  }

  var dirtyChunks: ContiguousArray<DirtyChunk> = []
  /// Where the packed chunks are in the list, until it is stored.
  var packedChunks: [ChunkPlace: Int] = [:]
  /// The same for those that became wide again.
  var unpackedChunks: [ChunkPlace: Int] = [:]
  /// For each column.
  var packedMemories: [ChunkPlace: PackedMemory] = [:]
  /// Packed chunks that became wide again, whose strings are still in use.
  var unpackedStrings: [PackedMemory.Chunk] = []
  let arena = ByteArena()
  var collections: [CollectionKey: CollectionChanges] = [:]
  /// The collection changed last: most changes are of the same one again.
  @exclusivity(unchecked) var lastCollection: Unmanaged<CollectionChanges>?
  @exclusivity(unchecked) var lastCollectionKey = CollectionKey(table: -1, column: -1, row: -1)
  @exclusivity(unchecked) var indexChanges: [UInt32: IndexChanges] = [:]
  /// The index changed last: most changes are of the same one again.
  @exclusivity(unchecked) fileprivate var lastIndex = UInt32.max
  @exclusivity(unchecked) fileprivate var lastIndexChanges: Unmanaged<IndexChanges>?
  let catalogueAtBegin: Catalogue
  var isCatalogueChanged = false
  /// Indexes whose stored entries are dropped at commit, and are not seen before.
  @exclusivity(unchecked) var droppedIndexes: Set<UInt32> = []
  /// Why it cannot be committed: what it was built on has been lost.
  var failure: StorageError?
  /// The sequences that were asked, and what they were at before.
  var sequences: [(table: Int, column: Int, highest: Int64)] = []
  /// For each table with indexes over several columns, the rows that these do not have at the moment.
  @exclusivity(unchecked) var withdrawnKeys: [Int: WithdrawnKeys] = [:]
  /// What the content stamp was when no rule was found to be broken.
  var soundStamp: Int?
  /// What is left to be deleted with what was deleted.
  @exclusivity(unchecked) var cascade = Cascade()
  /// Deletions that a link forbids, if it is still there at the end.
  var deniedDeletions: [DeniedDeletion] = []
  /// What was written cannot be committed because it breaks a rule of the schema.
  var brokenRule: StorageError?
  /// The identity that the next list or dictionary in a mixed value gets. Each transaction begins with a random one, so that
  /// none of another transaction, also of one that was cancelled, is given again.
  private lazy var nextIdentity = UInt64.random(in: NestedHeader.firstIdentity ... .max)
  /// What made the changes, which the change log of a synced file says.
  package var origin = ChangeOrigin.user
  /// The stamp of the changes, in a synced file. 0: a transaction of a user gets one from the file's clock, one of sync has none.
  package var stamp: UInt64 = 0
  /// The stamp with which the transaction was stored.
  var storedStamp: UInt64 = 0
  /// The entries of the session that were set, or removed with nil.
  var sessionChanges: [SessionKey: [UInt8]?] = [:]
  /// Whether the file becomes a synced one.
  var marksSynced = false
  /// Links and mixed values of rows of the version before that lost a link because its target was deleted, and that nothing else
  /// has written. Noted in synced files only.
  @exclusivity(unchecked) var severedCells: Set<CollectionKey> = []
  /// Columns or tables whose content is to be erased at commit.
  var droppedColumns: [(table: Int, column: Int)] = []

  init(_ snapshot: Snapshot) {
    catalogueAtBegin = snapshot.catalogue
  }

  /// Returns an identity for a list or dictionary that is stored in a mixed value.
  func makeIdentity() -> UInt64 {
    nextIdentity = (nextIdentity &+ 1) | NestedHeader.firstIdentity
    return nextIdentity
  }

  /// Calls the body with the changes of an index, or nil when there are none.
  @inline(__always)
  func withExistingChanges<Result>(ofIndex index: UInt32, _ body: (IndexChanges?) -> Result) -> Result {
    if lastIndex == index, let last = lastIndexChanges { return last._withUnsafeGuaranteedRef { body($0) } }
    return body(indexChanges[index])
  }

  fileprivate func findChanges(ofIndex index: UInt32) -> IndexChanges {
    let changes = indexChanges[index] ?? IndexChanges()
    indexChanges[index] = changes
    lastIndex = index
    lastIndexChanges = .passUnretained(changes)
    return changes
  }

  func forgetChanges(ofIndex index: UInt32) {
    indexChanges[index] = nil
    lastIndex = .max
    lastIndexChanges = nil
  }

  /// The collections that were changed until now.
  package var changedCollections: [CollectionKey] { collections.keys.sorted() }

  /// Whether anything was written.
  var isEmpty: Bool {
    dirtyChunks.isEmpty && collections.isEmpty && !isCatalogueChanged && indexChanges.isEmpty
      && droppedColumns.isEmpty && droppedIndexes.isEmpty && sessionChanges.isEmpty && failure == nil
  }

  deinit {
    for dirty in dirtyChunks where !dirty.isFreed { dirty.deallocate() }
    for packed in unpackedStrings { packed.deallocate() }
  }
}

extension Snapshot {
  /// Waits for the writer lock, moves to the newest version and opens a write transaction on it. Returns
  /// whether the version changed.
  ///
  /// - Precondition: No write transaction is open, and the file is not read-only.
  @discardableResult
  package func beginWrite() throws(StorageError) -> Bool {
    file.takeWriting()
    return try openWrite()
  }

  /// Opens a write transaction on the newest version for a caller that holds the writer lock already, which is released when
  /// this throws. On top of staged transactions there is no newer version.
  @discardableResult
  package func openWrite() throws(StorageError) -> Bool {
    let (hasAdvanced, failure) = openWriteIfPossible()
    guard let failure else { return hasAdvanced }
    file.writeLock.release()
    throw failure
  }

  /// Opens a write transaction for a caller that has no way to report a failure before the commit: after a failure the
  /// transaction is open on the version of the snapshot, and its commit throws.
  @discardableResult
  package func openWriteFailingLater() -> Bool {
    let (hasAdvanced, failure) = openWriteIfPossible()
    if let failure {
      takeUpNextRows()
      let transaction = WriteTransaction(self)
      transaction.failure = failure
      writing = transaction
    }
    return hasAdvanced
  }

  private func openWriteIfPossible() -> (hasAdvanced: Bool, StorageError?) {
    precondition(writing == nil && !file.isReadOnly)
    var hasAdvanced = false
    if session.staged == nil {
      do {
        try file.repairAfterDeadWriter()
        hasAdvanced = try advance()
        if lease.version != file.newestVersion {
          try file.noteLastCommit()
          if try advance() { hasAdvanced = true }
        }
        try file.checkWriting()
      } catch {
        return (hasAdvanced, error)
      }
    }
    takeUpNextRows()
    writing = WriteTransaction(self)
    return (hasAdvanced, nil)
  }

  /// Undoes everything since `beginWrite` and lets others write, unless transactions are staged.
  package func cancelWrite() {
    guard let transaction = writing, !file.isInherited else { return }
    endWrite(transaction)
    restore(catalogue: transaction.catalogueAtBegin)
    if session.staged == nil { file.writeLock.release() }
  }

  /// Rows that were handed out in this process are never handed out again, even after a rollback: what still
  /// refers to them must not find another object there.
  private func rememberNextRows() {
    for table in tables {
      let limit = table.rowLimit
      if limit > file.nextRows[table.number] ?? 0 { file.nextRows[table.number] = limit }
    }
  }

  func takeUpNextRows() {
    for (number, limit) in file.nextRows where number < tables.count {
      let table = tables[number]
      if table.rowLimit < limit {
        table.state.pointee.rowLimit = limit
        table.ensureCapacity(rows: limit)
        session.hasUnstoredRowLimits = true
      }
    }
  }

  /// Makes the changes, and those that were staged, permanent as one new version, and lets others write.
  ///
  /// When it throws, the transaction has been rolled back; unless only its synchronisation with the disk failed,
  /// which it waited for together with others.
  ///
  /// - Throws: `outOfSpace` and other failures of the file.
  package func commitWrite(durability: Durability = .full) throws(StorageError) {
    guard let transaction = writing else { preconditionFailure("no write transaction") }
    if !transaction.isEmpty {
      try stage(transaction, durability: durability)
    } else {
      writing = nil
      if session.staged == nil { return file.writeLock.release() }
    }
    try commitStagedWrites(durability: durability)
  }

  /// What is left of a write transaction when it has been stored, or is undone.
  func endWrite(_ transaction: WriteTransaction) {
    rememberNextRows()
    clearPointers()
    for dirty in transaction.dirtyChunks where Int(dirty.table) < tables.count {
      tables[Int(dirty.table)].state.pointee.columns[Int(dirty.column)][Int(dirty.chunk)] = nil
    }
    writing = nil
  }

  /// Makes a chunk mutable.
  @usableFromInline @inline(never)
  func makeWide(_ table: Table, _ column: Int, _ chunk: Int) -> WideChunk {
    guard let transaction = writing else { preconditionFailure("written outside a write transaction") }
    let layout: ChunkLayout
    let isNullable: Bool
    if column < 0 {
      layout = .bits
      isNullable = false
    } else {
      let columns = catalogue.tables[table.number].columns
      layout = columns[column].layout
      isNullable = columns[column].isNullable && columns[column].collection == .none
    }
    let isStored = chunk * chunkCapacity < table.state.pointee.firstNewRow
    let stored = isStored ? table.chunk(column, number: chunk) : nil
    let wide = WideChunk.allocate(
      layout, isNullable: isNullable, clearsValues: stored.map { $0.count < chunkCapacity } ?? true)
    let place = WriteTransaction.ChunkPlace(
      table: Int32(table.number), column: Int32(column), chunk: Int32(chunk))
    if let stored {
      wide.copy(stored, layout: layout) { index in
        longValue(table: table.number, column: column, row: chunk * chunkCapacity + index)
      }
    }
    if transaction.packedChunks.isEmpty || !unpack(transaction, place, wide) {
      transaction.dirtyChunks.append(
        .init(table: place.table, column: place.column, chunk: place.chunk, wide: wide))
    }
    table.state.pointee.columns[column][chunk] = UnsafeRawPointer(wide.base)
    return wide
  }

  /// The changes of an index in this transaction.
  func changes(ofIndex index: UInt32) -> IndexChanges {
    withChanges(ofIndex: index) { $0 }
  }

  /// Calls the body with the changes of an index without retaining them, for paths where reference counting dominates.
  @inline(__always)
  func withChanges<Result>(ofIndex index: UInt32, _ body: (IndexChanges) -> Result) -> Result {
    guard let activeWrite = session.active else { preconditionFailure("written outside a write transaction") }
    return activeWrite._withUnsafeGuaranteedRef { transaction in
      if transaction.lastIndex == index, let last = transaction.lastIndexChanges {
        return last._withUnsafeGuaranteedRef(body)
      }
      return body(transaction.findChanges(ofIndex: index))
    }
  }
}
