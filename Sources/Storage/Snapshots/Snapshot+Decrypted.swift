// What of an encrypted file is in memory for a snapshot.
extension Snapshot {
  /// Evicts the values that were decrypted for the snapshot if they take much memory: see `OpenedValues`. Addresses in memory
  /// change then, but nothing visible.
  ///
  /// Must be called only where no pointer and no chunk of the snapshot is in use, nor anything derived from them that is valid
  /// until the content stamp changes, unless its user checks that stamp before it continues. Does nothing while a write
  /// transaction is open or staged. For a shared snapshot, the caller is inside exactly once; nothing is evicted while other
  /// threads are inside (see `ReadersInside`), or if the readers of the snapshot are not counted.
  ///
  /// - Parameter size: Number of bytes that may stay in addition to the fixed limit.
  /// - Returns: Whether anything was evicted.
  @inline(__always) @discardableResult
  package func letGoOfDecrypted(beyond size: Int = 0) -> Bool {
    guard let opened = file.checkedPlaces.openedValues else { return false }
    return letGo(opened, size)
  }

  @inline(never)
  private func letGo(_ opened: OpenedValues, _ size: Int) -> Bool {
    let limit = OpenedValues.heldLimit.load(ordering: .relaxed) + size
    if let readersInside { return letGo(readersInside, opened, limit, isInside: true) }
    guard opened.size > limit, !isShared, isAtVersion, opened.size(heldBy: lease.transaction) > limit
    else { return false }
    if isKnownUniquelyReferenced(&lease), lease.ownsTransaction {
      clearPointers()
      indexReaders.renew(transaction: lease.transaction)
      opened.release(lease.transaction)
      noteChange()
    } else {
      // Who shares it may be reading: another transaction of LMDB shows the same, if there is no newer version.
      guard let next = try? file.takeReader() else { return false }
      if next.version != lease.version {
        file.readerPool.give(next)
        return false
      }
      moveOn(to: next)
    }
    shared.pointee.relocationCount &+= 1
    return true
  }

  /// Evicts the decrypted values of a shared snapshot. A walk over a collection that has not ended keeps everything.
  @inline(never) @discardableResult
  func letGo(_ readersInside: ReadersInside, _ opened: OpenedValues, _ limit: Int, isInside: Bool) -> Bool {
    if opened.size <= limit { return false }
    return readersInside.empty(isInside: isInside) {
      if opened.size(heldBy: lease.transaction) <= limit { return false }
      guard isKnownUniquelyReferenced(&lease), lease.ownsTransaction else {
        readersInside.tryAgain()
        return false
      }
      paddedChunks.freeAll()
      for table in tables { table.clearPointers() }
      idleIndexReaders.removeAll()
      opened.release(lease.transaction)
      return true
    }
  }

  /// Whether it may be time to evict something: a quick check.
  @inline(__always)
  package var mayHoldTooMuch: Bool {
    file.checkedPlaces.openedValues?.isTooLarge ?? false
  }

  /// The bytes that are decrypted for the snapshot's transaction.
  package var decryptedSize: Int {
    reading { file.checkedPlaces.openedValues?.size(heldBy: lease.transaction) ?? 0 }
  }

  /// Tells whether an address still holds that was found in a shared snapshot, for who is inside.
  package var sharedStamp: Int { readersInside?.stamp ?? 0 }

  /// Changes whenever anything visible may have changed, and not when only the place of something has.
  package var visibleStamp: Int { shared.pointee.contentStamp &- shared.pointee.relocationCount }
}
