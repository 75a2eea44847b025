import LibC
import Pages

// How a file of pages is opened, and what is in it.
extension DatabaseFile {
  static func openEntries(
    _ location: FileLocation, _ expected: ExpectedFiles, readOnly: Bool, encryptionKey: [UInt8]?,
    mapSize: Int
  ) throws(StorageError) -> EntryStore {
    do throws(EntryError) {
      return try EntryStore.open(
        location.resolved, mapSize: mapSize, isReadOnly: readOnly, encryptionKey: encryptionKey,
        hasWriterLock: true, expected: expected)
    } catch {
      throw openingError(error, location)
    }
  }

  private static func openingError(_ error: EntryError, _ location: FileLocation) -> StorageError {
    switch error {
    case .invalid: return .invalid(path: location.path, "not a Realm file.")
    case .truncated:
      var information = stat()
      _ = stat(location.resolved, &information)
      return .invalid(path: location.path, "file is truncated (\(information.st_size) bytes).")
    default: return .of(error, path: location.path)
    }
  }

  static func makeCheckedPlaces(
    _ entries: EntryStore, path: String
  ) throws(StorageError) -> CheckedPlaces {
    var information = stat()
    let descriptor = try StorageError.describing(path) { () throws(EntryError) in try entries.descriptor }
    guard fstat(descriptor, &information) == 0 else { throw .system(errno, path: path) }
    return CheckedPlaces(entries, fileSize: Int(information.st_size))
  }

  /// The newest version of a file that no process has open; nil when it has none.
  static func newestVersion(_ location: FileLocation) -> UInt64? {
    PageViewer.newestVersion(ofFileAt: location.resolved)
  }

  // MARK: Processes that died

  /// Puts right what a process has left that died while it was writing. To be called by the holder of the write lock.
  func noteLastCommit() throws(StorageError) {
    try writeLock.checkHeld()
    try StorageError.describing(path) { () throws(EntryError) in try entries.beginWriting() }.abort()
  }

  /// Puts right what a killed writer has left on behalf of a reader, unless a writer is active: it may have made a version that no
  /// reader has seen. Returns whether it did.
  @discardableResult
  func recoverFromDeadWriter() throws(StorageError) -> Bool {
    guard entries.store?.isBeingWritten ?? false, writeLock.tryAcquire() else { return false }
    defer { writeLock.release() }
    try noteLastCommit()
    return true
  }

  /// Puts right what a process has left that died while it was writing: it may have made a version that no reader has seen. To be
  /// called by the holder of the write lock, before a transaction begins.
  func repairAfterDeadWriter() throws(StorageError) {
    if entries.store?.isBeingWritten ?? false { try noteLastCommit() }
  }

  // MARK: Encryption

  /// Sets how much of encrypted files stays decrypted, for tests.
  ///
  /// - Parameters:
  ///   - held: Maximum number of bytes for a snapshot that can release them.
  ///   - idle: Maximum number of bytes that no reader needs, for files that are opened afterwards.
  static func setDecryptedLimits(held: Int, idle: Int) {
    DecryptedLimits.held.store(held, ordering: .relaxed)
    DecryptedLimits.idle.store(idle, ordering: .relaxed)
  }

  /// Throws `invalidDatabase` unless the file is open with the same key.
  func check(encryptionKey: [UInt8]?) throws(StorageError) {
    try StorageError.describing(path) { () throws(EntryError) in try entries.checkKey(encryptionKey) }
  }
}
