import LibC

extension Writer {
  /// Ends the open write transaction without publishing a version: the commit of a later transaction does that, or
  /// `commitStaged`. The writer lock is held until then, and the thread must not change.
  ///
  /// - Precondition: It has changes, or others are staged already.
  /// - Throws: `outOfSpace` and other failures of the file: all staged transactions have been rolled back then.
  package func stage(durability: Durability) throws(StorageError) {
    let transaction = transaction
    if transaction.isEmpty {
      precondition(snapshot.session.staged != nil)
      setTransaction(nil)
      return
    }
    let rowLimits = snapshot.session.staged?.rowLimits ?? snapshot.tables.map(\.state.pointee.firstNewRow)
    try stage(transaction, durability: durability)
    snapshot.session.staged!.rowLimits = rowLimits
    // Those of the version would not see it.
    snapshot.indexReaders.removeAll()
  }

  /// Stores the open write transaction in the file's, which is begun for the first one, and ends it. When it throws,
  /// everything has been rolled back and the writer lock released.
  func stage(_ transaction: WriteTransaction, durability: Durability) throws(StorageError) {
    let failure =
      transaction.failure ?? brokenRule ?? unreadableCatalogue(transaction) ?? misplacedSession(transaction)
    // What breaks a rule may only be what stands for values that cannot be read.
    if let failure = snapshot.foundDamage?.error ?? failure {
      cancel()
      throw failure
    }
    do throws(EntryError) {
      if var staged = snapshot.session.staged {
        // Readers have cursors in the transaction, which must not live longer, and know its nodes.
        snapshot.indexReaders.removeAll()
        detachFromNodes(transaction, forStoring: true)
        try store(transaction, &staged)
        snapshot.session.staged = staged
      } else {
        var first = try beginStaging(durability)
        do throws(EntryError) {
          try store(transaction, &first)
        } catch {
          first.target.abort()
          throw error
        }
        snapshot.session.staged = first
      }
    } catch {
      let failure = snapshot.foundDamage?.error ?? snapshot.file.writingError(error)
      if snapshot.session.staged == nil {
        cancel()
      } else {
        // Nothing can be read from a transaction of the file that has failed.
        end(transaction)
        discardStaged()
      }
      throw failure
    }
    end(transaction)
    snapshot.noteChange()
  }

  private func beginStaging(_ durability: Durability) throws(EntryError) -> StagedWrites {
    try snapshot.file.checkSynchronisation()
    let target = try snapshot.file.entries.beginWriting()
    // The changes are those of one version, and no other must have come between.
    if target.version != snapshot.lease.version + 1 {
      target.abort()
      throw EntryError.badTransaction
    }
    return StagedWrites(
      target: target, durability: durability, catalogueAtBegin: transaction.catalogueAtBegin)
  }

  /// Publishes everything that was staged as one new version, and releases the writer lock. An open write transaction continues
  /// on top of that version, and keeps the lock.
  ///
  /// When it throws, all of that has been rolled back, so that what an open write transaction has changed cannot be
  /// committed any more either; unless only the fsync failed, which concurrent commits share.
  ///
  /// - Throws: `outOfSpace` and other failures of the file.
  package func commitStaged(durability: Durability = .full) throws(StorageError) {
    guard let group = snapshot.session.staged else { return }
    if let open = snapshot.writing { detachFromNodes(open, forStoring: false) }
    let next: EntryTransaction
    do {
      // Now, because afterwards it would be too late to fail.
      next = try snapshot.file.takeReader()
    } catch {
      undo(group, because: error)
      throw error
    }
    do {
      if durability != .relaxed { try snapshot.file.checkPlace() }
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
    snapshot.session.staged = nil
    if let stamp = group.catalogueStamp { snapshot.catalogueStamp = stamp }
    snapshot.moveOn(to: next)
    if let open = snapshot.writing { rememberChunks(of: open) } else { snapshot.file.writeLock.release() }
    snapshot.file.commitSignal.announce()
    if group.durability == .deferred && durability == .full {
      try snapshot.file.waitUntilSynced(snapshot.version)
    }
  }

  /// Commits a group. When it throws, there is no such version.
  private func publish(_ group: StagedWrites) throws(StorageError) {
    do throws(EntryError) {
      try group.target.commit(group.durability == .full ? .full : .relaxed)
    } catch {
      throw snapshot.file.writingError(error)
    }
    snapshot.file.noteCommit(snapshot.lease.version + 1, group.durability)
  }

  /// Undoes everything that was staged, and releases the writer lock.
  func discardStaged() {
    // Those of a parent process are its own.
    if snapshot.file.isInherited { return }
    precondition(snapshot.writing == nil)
    if let staged = snapshot.session.staged { undo(staged) }
  }

  /// - Parameters:
  ///   - isOpen: Whether the file's transaction still is.
  ///   - failure: Why what an open write transaction has changed cannot be committed then.
  private func undo(_ group: StagedWrites, isOpen: Bool = true, because failure: StorageError? = nil) {
    let lost = snapshot.writing
    if let lost { end(lost) }
    forgetPages(of: group)
    snapshot.session.staged = nil
    if isOpen { group.target.abort() }
    restore(catalogue: group.catalogueAtBegin)
    guard let lost else { return snapshot.file.writeLock.release() }
    takeUpNextRows()
    let next = WriteTransaction(snapshot.catalogue)
    if !lost.isEmpty { next.failure = failure }
    setTransaction(next)
  }

  private func forgetPages(of group: StagedWrites) {
    if group.rowLimits == nil { return }
    snapshot.indexReaders.removeAll()
    snapshot.clearPointers()
  }

  /// After `clearPointers`.
  private func rememberChunks(of transaction: WriteTransaction) {
    for dirty in transaction.dirtyChunks {
      snapshot.tables[Int(dirty.table)].state.pointee.columns[Int(dirty.column)][Int(dirty.chunk)] =
        UnsafeRawPointer(
          dirty.base)
    }
  }

  /// Copies what a transaction has in nodes that are about to change or go to memory that lives as long as it does.
  ///
  /// - Parameter forStoring: Whether that is because it is stored: then also what that looks at otherwise, and not the
  ///   long values, which it does not look at.
  private func detachFromNodes(_ transaction: WriteTransaction, forStoring: Bool) {
    for dirty in transaction.dirtyChunks where dirty.column >= 0 {
      let table = snapshot.tables[Int(dirty.table)]
      let layout = snapshot.catalogue.tables[table.number].columns[Int(dirty.column)].layout
      if layout == .bytes, dirty.packed == nil {
        dirty.wide.detach(transaction.arena, snapshot.shared, keepsLongValuesOutside: forStoring)
      }
      if !forStoring { continue }
      let presence = table.chunk(-1, number: Int(dirty.chunk))
      if presence.flags & ChunkFlags.isWide == 0 {
        let copy = transaction.arena.copy(
          UnsafeRawBufferPointer(start: presence.base, count: ChunkHeader.size + chunkBitmapSize),
          snapshot.shared)
        // Forgotten with all others when the transaction has been stored.
        table.state.pointee.columns[-1][Int(dirty.chunk)] = copy.baseAddress
      }
    }
    for changes in transaction.collections.values { changes.detachFromNodes() }
  }
}
