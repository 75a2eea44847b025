// The entries of a synced file's session, as a snapshot shows them.
extension Snapshot {
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
      let cursor = try source.openCursor(.main)
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
      return try transaction.value(.main, key: key.bytes)
    } catch {
      throw damagedSession()
    }
  }

  private func damagedSession() -> StorageError { .damaged(path: file.path, "the state of its sync session") }

  /// The first version whose entry of the change log has to be kept, as a transaction of the synced file shows it. It is 0,
  /// so that everything is kept, when the session does not say it.
  func firstKeptVersion(_ target: EntryTransaction) -> UInt64 {
    guard let bytes = try? stored(.trimBound, target), bytes.count == 8 else { return 0 }
    let bound = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    return bound == .max ? bound : bound + 1
  }
}
