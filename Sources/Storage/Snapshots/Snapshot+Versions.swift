// Moving from version to version.
extension Snapshot {
  /// Moves to the newest version. Returns whether that was another one. When it throws, the snapshot is what it was.
  ///
  /// Where things are in memory may change in any case.
  ///
  /// - Precondition: No write transaction is open, and nothing is staged.
  @discardableResult
  package func advance() throws(StorageError) -> Bool {
    precondition(isAtVersion)
    try file.recoverFromDeadWriter()
    if file.newestVersion == lease.version && !isReleased {
      letGoOfDecrypted()
      return false
    }
    let next = try file.takeReader()
    do throws(StorageError) {
      if next.version < file.newestVersion, try file.recoverFromDeadWriter() {
        next.reset()
        try file.pin(next)
      }
      if next.version <= lease.version && !isReleased {
        next.reset()
        return false
      }
      // From here on nothing fails any more.
      let content = try readContent(next)
      // What others read keeps what is decrypted for it.
      let isKept = !isReleased && (!file.isEncrypted || isKnownUniquelyReferenced(&lease))
      let gone = isKept ? next.extentsGone(since: lease.transaction) : nil
      if gone != nil { lease.transaction.moveDecrypted(to: next) }
      moveLease(to: next)
      if let gone { keepPointers { gone.isUnchanged($0) } } else { clearPointers() }
      take(content)
      if isReleased {
        isReleased = false
        file.readerList.withLock { $0[ObjectIdentifier(reader)] = reader }
      }
    } catch {
      next.reset()
      throw error
    }
    for table in tables { table.state.pointee.vanishStamp &+= 1 }
    letGoOfDecrypted()
    return true
  }

  /// Reads the version of a read transaction from now on, which is that of the snapshot's own last commit, or its
  /// own. What was read before is forgotten.
  func moveOn(to next: EntryTransaction) {
    clearPointers()
    moveLease(to: next)
  }

  /// Moves to another version, which is pinned before the old one is released.
  private func moveLease(to next: EntryTransaction) {
    indexReaders.renew(transaction: next)
    if isKnownUniquelyReferenced(&lease) {
      lease.move(to: next)
    } else {
      lease = VersionLease(file: file, transaction: next)
    }
    reader.note(version: lease.version)
    noteChange()
  }

  /// Releases the version until the snapshot advances, or begins to write: nothing may be read before that. A snapshot that is
  /// read only now and then does not let the file grow meanwhile.
  ///
  /// - Precondition: No write transaction is open, and nothing is staged.
  package func release() {
    precondition(isAtVersion)
    if isReleased { return }
    isReleased = true
    retire()
  }

  /// Releases the version permanently: nothing may be read any more. The memory of the snapshot stays.
  ///
  /// - Parameter other: A snapshot of the same file that was retired before. This one then shares its lease, so that none is taken
  ///   only to be released.
  package func retire(after other: Snapshot? = nil) {
    endReading()
    clearPointers()
    indexReaders.removeAll()
    if let other {
      lease = other.lease
    } else if isKnownUniquelyReferenced(&lease) {
      lease.end()
    } else if let ended = try? VersionLease(file: file) {
      // The present one stays with those who share it.
      ended.end()
      lease = ended
    }
  }

  /// Counts its changes on from those of a snapshot whose place it takes, so that no stamp stands for the content of both.
  package func continueStamps(of other: Snapshot) {
    shared.pointee.contentStamp &+= other.contentStamp &+ 1
  }

  /// Others do not learn of the snapshot any more.
  func endReading() {
    file.readerList.withLock { $0[ObjectIdentifier(reader)] = nil }
  }
}
