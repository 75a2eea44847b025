// What of an encrypted file is in memory for a snapshot.
//
// A snapshot of one thread releases it at moments at which none of its addresses is in use: when it is asked to move, between two steps
// of a walk over objects, and between two chunks of a scan. A shared snapshot, which any number of threads read, keeps what it has read.
extension Snapshot {
  /// Releases what was decrypted for the snapshot if it takes much memory. Addresses in memory change then, but nothing visible.
  ///
  /// Must be called only where no pointer and no chunk of the snapshot is in use, nor anything derived from them that is valid
  /// until the content stamp changes, unless its user checks that stamp before it continues. Does nothing while a write
  /// transaction is open or staged, nor for a shared snapshot.
  ///
  /// - Parameter size: Number of bytes that may stay in addition to the fixed limit.
  /// - Returns: Whether anything was released.
  @inline(__always) @discardableResult
  package func letGoOfDecrypted(beyond size: Int = 0) -> Bool {
    file.entries.isEncrypted && letGo(size)
  }

  @inline(never)
  private func letGo(_ size: Int) -> Bool {
    let limit = DecryptedLimits.held.load(ordering: .relaxed) + size
    guard decryptedSize > limit, !isShared, isAtVersion else { return false }
    if isKnownUniquelyReferenced(&lease) {
      clearPointers()
      indexReaders.renew(transaction: lease.transaction)
      lease.transaction.releaseDecrypted()
      noteChange()
    } else {
      // A snapshot that shares it may be reading: another transaction shows the same, if there is no newer version.
      guard let next = try? file.takeReader() else { return false }
      if next.version != lease.version {
        next.reset()
        return false
      }
      moveOn(to: next)
    }
    shared.pointee.relocationCount &+= 1
    return true
  }

  /// Releases what was decrypted for a shared snapshot that no thread reads at present, if it takes much memory.
  func releaseShared() {
    guard decryptedSize > DecryptedLimits.held.load(ordering: .relaxed), isKnownUniquelyReferenced(&lease)
    else { return }
    paddedChunks.freeAll()
    for table in tables { table.clearPointers() }
    idleIndexReaders.removeAll()
    lease.transaction.releaseDecrypted()
    noteChange()
    shared.pointee.relocationCount &+= 1
  }

  /// Whether it may be time to release something: a quick check.
  @inline(__always)
  package var mayHoldTooMuch: Bool { decryptedSize > DecryptedLimits.held.load(ordering: .relaxed) }

  /// The bytes that are decrypted for the snapshot's version.
  package var decryptedSize: Int { lease.transaction.decryptedSize }

  /// Tells whether an address still holds that was found in a shared snapshot: it changes only in a migration.
  package var sharedStamp: Int { shared.pointee.relocationCount }

  /// Changes whenever anything visible may have changed, and not when only the place of something has.
  package var visibleStamp: Int { shared.pointee.contentStamp &- shared.pointee.relocationCount }
}
