// Setting the entries of a synced file's session, and what makes a file a synced one.
extension Writer {
  /// Makes the file a synced one, with the open write transaction: from its commit on, the change log says what sync needs, and
  /// is kept. Programs that do not know synced files refuse the file from then on. Does nothing when the file is synced.
  package func markSynced() {
    let transaction = transaction
    if snapshot.catalogue.isSynced { return }
    transaction.isCatalogueChanged = true
    transaction.marksSynced = true
    var new = snapshot.catalogue
    new.isSynced = true
    snapshot.install(new)
  }

  /// Returns the error for session entries that were written to a file that is not synced; nil if there are none.
  func misplacedSession(_ transaction: WriteTransaction) -> StorageError? {
    if snapshot.catalogue.isSynced || transaction.sessionChanges.isEmpty { return nil }
    return StorageError(
      .other, path: snapshot.file.path,
      message:
        "The Realm file at path '\(snapshot.file.path)' is not synced, and can have no state of a sync session."
    )
  }

  /// Writes the session entries of a synced file's transaction, and the transaction's stamp.
  func storeSession(_ transaction: WriteTransaction, _ target: EntryTransaction) throws(EntryError) {
    let main = EntryTree.main
    if transaction.marksSynced {
      if transaction.sessionChanges[.trimBound] == nil { transaction.setTrimBound(target.version - 1) }
    }
    for (key, bytes) in transaction.sessionChanges.sorted(by: { $0.key < $1.key }) {
      let key = key.bytes
      if let bytes {
        try target.store(main, key: key, bytes)
      } else {
        try target.delete(main, key, key.count)
      }
    }
    transaction.storedStamp = transaction.stamp
    if transaction.origin == .sync { return }
    var clock = try storedClock(target)
    if transaction.stamp == 0 {
      transaction.storedStamp = clock.next(snapshot.file.milliseconds())
    } else {
      clock.greatest = max(clock.greatest, transaction.stamp)
    }
    try target.store(main, key: SessionKey.clockBytes, clock.bytes)
  }

  /// Reads the clock without a copy of its entry: every transaction of a user does.
  private func storedClock(_ target: EntryTransaction) throws(EntryError) -> SyncClock {
    let bytes: UnsafeRawBufferPointer?
    do throws(ValueFault) {
      bytes = try target.value(.main, key: SessionKey.clockBytes)
    } catch {
      throw EntryError.corrupted
    }
    guard let bytes else { return SyncClock() }
    guard let clock = SyncClock(bytes) else { throw EntryError.corrupted }
    return clock
  }
}

extension WriteTransaction {
  /// Sets an entry of the session, or removes it with nil, when the transaction commits. The file must be synced.
  package func setSession(_ key: SessionKey, _ bytes: [UInt8]?) { sessionChanges[key] = .some(bytes) }

  /// Sets the state of the file's clock.
  package func setClock(_ clock: SyncClock) { setSession(.clock, clock.bytes) }

  /// Lets entries of the change log be deleted up to a version: what those say is never asked for again.
  package func setTrimBound(_ version: UInt64) {
    var writer = ByteWriter()
    writer.append(version)
    setSession(.trimBound, writer.bytes)
  }
}
