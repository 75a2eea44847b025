extension Writer {
  /// Waits for the writer lock, moves to the newest version and opens a write transaction on it. Returns
  /// whether the version changed.
  ///
  /// - Precondition: No write transaction is open, and the file is not read-only.
  @discardableResult
  package func begin() throws(StorageError) -> Bool {
    snapshot.file.takeWriting()
    return try open()
  }

  /// Opens a write transaction on the newest version for a caller that holds the writer lock already, which is released when
  /// this throws. On top of staged transactions there is no newer version.
  @discardableResult
  package func open() throws(StorageError) -> Bool {
    let (hasAdvanced, failure) = openIfPossible()
    guard let failure else { return hasAdvanced }
    snapshot.file.writeLock.release()
    throw failure
  }

  /// Opens a write transaction for a caller that has no way to report a failure before the commit: after a failure the
  /// transaction is open on the version of the snapshot, and its commit throws.
  @discardableResult
  package func openFailingLater() -> Bool {
    let (hasAdvanced, failure) = openIfPossible()
    if let failure {
      takeUpNextRows()
      let transaction = WriteTransaction(snapshot.catalogue)
      transaction.failure = failure
      setTransaction(transaction)
    }
    return hasAdvanced
  }

  private func openIfPossible() -> (hasAdvanced: Bool, StorageError?) {
    precondition(snapshot.writing == nil && !snapshot.file.isReadOnly)
    var hasAdvanced = false
    if snapshot.session.staged == nil {
      do {
        try snapshot.file.repairAfterDeadWriter()
        hasAdvanced = try snapshot.advance()
        if snapshot.lease.version != snapshot.file.newestVersion {
          try snapshot.file.noteLastCommit()
          if try snapshot.advance() { hasAdvanced = true }
        }
        try snapshot.file.checkWriting()
      } catch {
        return (hasAdvanced, error)
      }
    }
    takeUpNextRows()
    setTransaction(WriteTransaction(snapshot.catalogue))
    return (hasAdvanced, nil)
  }

  /// Undoes everything since `begin` and releases the writer lock, unless transactions are staged.
  package func cancel() {
    guard let transaction = snapshot.writing, !snapshot.file.isInherited else { return }
    end(transaction)
    restore(catalogue: transaction.catalogueAtBegin)
    if snapshot.session.staged == nil { snapshot.file.writeLock.release() }
  }

  /// Skips the row numbers that were handed out in this process by transactions that were rolled back.
  func takeUpNextRows() {
    for (number, limit) in snapshot.file.nextRows where number < snapshot.tables.count {
      let table = snapshot.tables[number]
      if table.rowLimit < limit {
        table.state.pointee.rowLimit = limit
        table.ensureCapacity(rows: limit)
        snapshot.session.hasUnstoredRowLimits = true
      }
    }
  }

  /// Makes the changes, and those that were staged, permanent as one new version, and releases the writer lock.
  ///
  /// When it throws, the transaction has been rolled back; unless only the fsync failed, which concurrent commits share.
  ///
  /// - Throws: `outOfSpace` and other failures of the file.
  package func commit(durability: Durability = .full) throws(StorageError) {
    let transaction = transaction
    if !transaction.isEmpty {
      try stage(transaction, durability: durability)
    } else {
      setTransaction(nil)
      if snapshot.session.staged == nil { return snapshot.file.writeLock.release() }
    }
    try commitStaged(durability: durability)
  }

  /// What is left of a write transaction when it has been stored, or is undone.
  func end(_ transaction: WriteTransaction) {
    snapshot.file.rememberNextRows(of: snapshot.tables)
    snapshot.clearPointers()
    for dirty in transaction.dirtyChunks where Int(dirty.table) < snapshot.tables.count {
      snapshot.tables[Int(dirty.table)].state.pointee.columns[Int(dirty.column)][Int(dirty.chunk)] = nil
    }
    setTransaction(nil)
  }

  /// Makes a transaction the open one; nil for none.
  func setTransaction(_ transaction: WriteTransaction?) {
    snapshot.session.setTransaction(transaction)
    let shared = snapshot.shared
    shared.pointee.isWriting = transaction != nil
    shared.pointee.arenaNext = nil
    shared.pointee.arenaFree = 0
    for table in snapshot.tables {
      table.state.pointee.insertionChunk = -1
      table.state.pointee.sequence = -1
      table.state.pointee.firstNewRow = table.rowLimit
    }
  }

  /// Reads the catalogue and the row counts of the version again, after a rollback.
  func restore(catalogue old: Catalogue) {
    // Tables that the transaction created.
    while snapshot.tables.count > old.tables.count { snapshot.tables.removeLast().deallocate() }
    snapshot.install(old)
    do throws(StorageError) {
      snapshot.take(try snapshot.readRowCounts(snapshot.source, old))
    } catch {
      // Was sound when the version was first read.
      endProcess(error.message)
    }
    for table in snapshot.tables { table.state.pointee.vanishStamp &+= 1 }
    snapshot.noteChange()
  }
}
