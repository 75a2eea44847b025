import LibC

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
      let transaction = WriteTransaction(catalogue)
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
    writing = WriteTransaction(catalogue)
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
