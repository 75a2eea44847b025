import LibC

extension Snapshot {
  /// Whether write transactions have ended that are still to be committed.
  package var hasStagedWrites: Bool { session.staged != nil }

  /// Ends the open write transaction without publishing a version: the commit of a later transaction does that, or
  /// `commitStagedWrites`. The writer lock is held until then, and the thread must not change.
  ///
  /// - Precondition: It has changes, or others are staged already.
  /// - Throws: `outOfSpace` and other failures of the file: all staged transactions have been rolled back then.
  package func stageWrite(durability: Durability) throws(StorageError) {
    guard let transaction = writing else { preconditionFailure("no write transaction") }
    if transaction.isEmpty {
      precondition(session.staged != nil)
      writing = nil
      return
    }
    let rowLimits = session.staged?.rowLimits ?? tables.map(\.state.pointee.firstNewRow)
    try stage(transaction, durability: durability)
    session.staged!.rowLimits = rowLimits
    // Those of the version would not see it.
    indexReaders.removeAll()
  }

  /// Stores the open write transaction in the file's, which is begun for the first one, and ends it. When it throws,
  /// everything has been rolled back and the writer lock released.
  func stage(_ transaction: WriteTransaction, durability: Durability) throws(StorageError) {
    let failure =
      transaction.failure ?? brokenRule ?? unreadableCatalogue(transaction) ?? misplacedSession(transaction)
    // What breaks a rule may only be what stands for values that cannot be read.
    if let failure = foundDamage?.error ?? failure {
      cancelWrite()
      throw failure
    }
    do throws(EntryError) {
      if var staged = session.staged {
        // Readers have cursors in the transaction, which must not live longer, and know its nodes.
        indexReaders.removeAll()
        detachFromNodes(transaction, forStoring: true)
        try store(transaction, &staged)
        session.staged = staged
      } else {
        var first = try beginStaging(durability)
        do throws(EntryError) {
          try store(transaction, &first)
        } catch {
          first.target.abort()
          throw error
        }
        session.staged = first
      }
    } catch {
      let failure = foundDamage?.error ?? file.writingError(error)
      if session.staged == nil {
        cancelWrite()
      } else {
        // Nothing can be read from a transaction of the file that has failed.
        endWrite(transaction)
        discardStagedWrites()
      }
      throw failure
    }
    endWrite(transaction)
    noteChange()
  }

  private func beginStaging(_ durability: Durability) throws(EntryError) -> StagedWrites {
    try file.checkSynchronisation()
    let target = try file.environment.beginWriting()
    // The changes are those of one version, and no other must have come between.
    if target.version != lease.version + 1 {
      target.abort()
      throw EntryError.badTransaction
    }
    return StagedWrites(
      target: target, durability: durability, catalogueAtBegin: writing!.catalogueAtBegin)
  }

  /// Publishes everything that was staged as one new version, and releases the writer lock. An open write transaction continues
  /// on top of that version, and keeps the lock.
  ///
  /// When it throws, all of that has been rolled back, so that what an open write transaction has changed cannot be
  /// committed any more either; unless only the synchronisation with the disk failed, which it waited for together
  /// with others.
  ///
  /// - Throws: `outOfSpace` and other failures of the file.
  package func commitStagedWrites(durability: Durability = .full) throws(StorageError) {
    guard let group = session.staged else { return }
    if let writing { detachFromNodes(writing, forStoring: false) }
    let next: EntryTransaction
    do {
      // Now, because afterwards it would be too late to fail.
      next = try file.takeReader()
    } catch {
      undo(group, because: error)
      throw error
    }
    do {
      if durability != .relaxed { try file.checkPlace() }
    } catch {
      next.reset()
      undo(group, because: error)
      throw error
    }
    forgetPages(of: group)
    do throws(StorageError) {
      try publish(group)
    } catch {
      next.reset()
      undo(group, isOpen: false, because: error)
      throw error
    }
    next.moveToNewest()
    session.staged = nil
    if let stamp = group.catalogueStamp { noteCatalogueWritten(stamp: stamp) }
    moveOn(to: next)
    if let writing { rememberChunks(of: writing) } else { file.writeLock.release() }
    file.commitSignal.announce()
    if group.durability == .deferred && durability == .full { try file.waitUntilSynced(version) }
  }

  /// Commits a group. When it throws, there is no such version.
  private func publish(_ group: StagedWrites) throws(StorageError) {
    do throws(EntryError) {
      try group.target.commit(group.durability == .full ? .full : .relaxed)
    } catch {
      throw file.writingError(error)
    }
    file.noteCommit(lease.version + 1, group.durability)
  }

  /// Undoes everything that was staged, and lets others write.
  func discardStagedWrites() {
    // Those of a parent process are its own.
    if file.isInherited { return }
    precondition(writing == nil)
    if let staged = session.staged { undo(staged) }
  }

  /// - Parameters:
  ///   - isOpen: Whether the file's transaction still is.
  ///   - failure: Why what an open write transaction has changed cannot be committed then.
  private func undo(_ group: StagedWrites, isOpen: Bool = true, because failure: StorageError? = nil) {
    let lost = writing
    if let lost { endWrite(lost) }
    forgetPages(of: group)
    session.staged = nil
    if isOpen { group.target.abort() }
    restore(catalogue: group.catalogueAtBegin)
    guard let lost else { return file.writeLock.release() }
    takeUpNextRows()
    let next = WriteTransaction(catalogue)
    if !lost.isEmpty { next.failure = failure }
    writing = next
  }

  private func forgetPages(of group: StagedWrites) {
    if group.rowLimits == nil { return }
    indexReaders.removeAll()
    clearPointers()
  }

  /// After `clearPointers`.
  private func rememberChunks(of transaction: WriteTransaction) {
    for dirty in transaction.dirtyChunks {
      tables[Int(dirty.table)].state.pointee.columns[Int(dirty.column)][Int(dirty.chunk)] = UnsafeRawPointer(
        dirty.base)
    }
  }

  /// Copies what a transaction has in nodes that are about to change or go to memory that lives as long as it does.
  ///
  /// - Parameter forStoring: Whether that is because it is stored: then also what that looks at otherwise, and not the
  ///   long values, which it does not look at.
  private func detachFromNodes(_ transaction: WriteTransaction, forStoring: Bool) {
    for dirty in transaction.dirtyChunks where dirty.column >= 0 {
      let table = tables[Int(dirty.table)]
      let layout = catalogue.tables[table.number].columns[Int(dirty.column)].layout
      if layout == .bytes, dirty.packed == nil {
        dirty.wide.detach(transaction.arena, shared, keepsLongValuesOutside: forStoring)
      }
      if !forStoring { continue }
      let presence = table.chunk(-1, number: Int(dirty.chunk))
      if presence.flags & ChunkFlags.isWide == 0 {
        let copy = transaction.arena.copy(
          UnsafeRawBufferPointer(start: presence.base, count: ChunkHeader.size + chunkBitmapSize), shared)
        // Forgotten with all others when the transaction has been stored.
        table.state.pointee.columns[-1][Int(dirty.chunk)] = copy.baseAddress
      }
    }
    for changes in transaction.collections.values { changes.detachFromNodes() }
  }
}
