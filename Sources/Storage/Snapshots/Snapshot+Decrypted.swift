// What of an encrypted file is in memory for a snapshot.
extension Snapshot {
  /// Lets go of what was decrypted for the snapshot, when that is much: see `OpenedValues`. Where things are in memory has
  /// changed then, but nothing that is visible.
  ///
  /// To be called only where no pointer and no chunk of the snapshot is in use, nor anything that was made of them and holds
  /// until the content stamp changes, unless it looks at that stamp before it goes on. Does nothing while a write
  /// transaction is open or staged. Of a snapshot that is shared, only who is inside once calls this, and nothing
  /// happens while others are (see `ReadersInside`), or if it is one of which nobody takes note who reads it.
  ///
  /// - Parameter size: So many bytes may stay besides those that always may.
  /// - Returns: Whether anything was let go of.
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

  /// The same for a snapshot that is shared. A walk over a collection that has not ended keeps everything.
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

  /// Whether it may be time to let go of something, which is quickly seen.
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
