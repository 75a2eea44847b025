// The entries of a synced file's session, and what makes a file a synced one.
extension Snapshot {
  /// Makes the file a synced one, with the open write transaction: from its commit on, the change log says what sync needs, and
  /// is kept. Programs that do not know synced files refuse the file from then on. Does nothing when the file is synced.
  package func markSynced() {
    guard let transaction = writing else { preconditionFailure("changed outside a write transaction") }
    if catalogue.isSynced { return }
    transaction.isCatalogueChanged = true
    transaction.marksSynced = true
    var new = catalogue
    new.isSynced = true
    install(new)
  }

  /// Returns an entry of the session as the snapshot shows it, what an open write transaction has changed included; nil when
  /// there is none.
  ///
  /// - Throws: `invalidDatabase` when the entry is damaged.
  package func session(_ key: SessionKey) throws(StorageError) -> [UInt8]? {
    if let changed = writing?.sessionChanges[key] { return changed }
    return try stored(key, source).map { Array($0) }
  }

  /// Returns all entries of a kind, in the order of their keys.
  package func session(
    of kind: SessionKey.Kind
  ) throws(StorageError) -> [(key: SessionKey, bytes: [UInt8])] {
    var entries: [(key: SessionKey, bytes: [UInt8])] = []
    for key in try sessionKeys(of: kind) {
      if let bytes = try session(key) { entries.append((key: key, bytes: bytes)) }
    }
    return entries
  }

  /// Returns the keys of all entries of a kind, in their order, without reading the entries.
  package func sessionKeys(of kind: SessionKey.Kind) throws(StorageError) -> [SessionKey] {
    var keys: Set<SessionKey> = []
    do throws(EntryError) {
      let cursor = try source.openCursor(file.databases.main)
      defer { cursor.close() }
      let prefix = SessionKey.prefix(kind)
      var entry = try cursor.entry(atOrAfter: prefix)
      while let found = entry, found.key.starts(with: prefix) {
        if let key = SessionKey(found.key) { keys.insert(key) }
        entry = try cursor.nextEntry()
      }
    } catch {
      throw .of(error, path: file.path)
    }
    for (key, bytes) in writing?.sessionChanges ?? [:] where key.kind == kind {
      if bytes == nil { keys.remove(key) } else { keys.insert(key) }
    }
    return keys.sorted()
  }

  /// The state of the file's clock; that of a new clock when the session has none.
  package func syncClock() throws(StorageError) -> SyncClock {
    guard let bytes = try session(.clock) else { return SyncClock() }
    guard let clock = SyncClock(bytes) else { throw damagedSession() }
    return clock
  }

  /// The last version whose entry of the change log may be deleted; nil in a file that is not synced.
  package func trimBound() throws(StorageError) -> UInt64? {
    guard let bytes = try session(.trimBound) else { return nil }
    guard bytes.count == 8 else { throw damagedSession() }
    return bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
  }

  private func stored(
    _ key: SessionKey, _ transaction: EntryTransaction
  ) throws(StorageError) -> UnsafeRawBufferPointer? {
    do throws(ValueFault) {
      return try transaction.value(file.databases.main, key: key.bytes)
    } catch {
      throw damagedSession()
    }
  }

  private func damagedSession() -> StorageError { .damaged(path: file.path, "the state of its sync session") }

  // MARK: Storing

  /// Returns the error for session entries that were written to a file that is not synced; nil if there are none.
  func misplacedSession(_ transaction: WriteTransaction) -> StorageError? {
    if catalogue.isSynced || transaction.sessionChanges.isEmpty { return nil }
    return StorageError(
      .other, path: file.path,
      message: "The Realm file at path '\(file.path)' is not synced, and can have no state of a sync session."
    )
  }

  /// Writes the session entries of a synced file's transaction, and the transaction's stamp.
  func storeSession(_ transaction: WriteTransaction, _ target: EntryTransaction) throws(EntryError) {
    let main = file.databases.main
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
      transaction.storedStamp = clock.next(file.milliseconds())
    } else {
      clock.greatest = max(clock.greatest, transaction.stamp)
    }
    try target.store(main, key: SessionKey.clockBytes, clock.bytes)
  }

  /// Reads the clock without a copy of its entry: every transaction of a user does.
  private func storedClock(_ target: EntryTransaction) throws(EntryError) -> SyncClock {
    let bytes: UnsafeRawBufferPointer?
    do throws(ValueFault) {
      bytes = try target.value(file.databases.main, key: SessionKey.clockBytes)
    } catch {
      throw EntryError.corrupted
    }
    guard let bytes else { return SyncClock() }
    guard let clock = SyncClock(bytes) else { throw EntryError.corrupted }
    return clock
  }

  /// The first version whose entry of the change log has to be kept, as a transaction of the synced file shows it. It is 0,
  /// so that everything is kept, when the session does not say it.
  func firstKeptVersion(_ target: EntryTransaction) -> UInt64 {
    guard let bytes = try? stored(.trimBound, target), bytes.count == 8 else { return 0 }
    let bound = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    return bound == .max ? bound : bound + 1
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
