import LibC

extension DatabaseFile {
  /// Acquires the writer lock, waiting for other holders, for `Writer.open`, which throws if the system could not
  /// grant it.
  package func takeWriting() { writeLock.acquire() }

  /// Acquires the writer lock if it is free and no request waits for it. Returns whether it did.
  package func tryTakeWriting() -> Bool { writeLock.tryAcquire() }

  /// Whether another request of this process that is not patient waits for the writer lock.
  package var isWritingWanted: Bool { writeLock.isWanted }

  /// Releases the writer lock without having written.
  package func returnWriting() { writeLock.release() }

  /// Requests the writer lock without waiting for it. `granted` is called as soon as the lock is granted, on any thread:
  /// perhaps on this one, before this returns.
  ///
  /// - Parameter isPatient: Whether the present holder may go on writing for a while although this request waits.
  package func requestWriting(
    isPatient: Bool = false, _ granted: @escaping @Sendable () -> Void
  ) -> WriteRequest {
    writeLock.request(isPatient: isPatient, granted)
  }

  /// The error for a commit that failed. To be called by the holder of the writer lock.
  func writingError(_ error: EntryError) -> StorageError {
    if let failure = synchronisationFailure { return failure }
    let failure = StorageError.of(error, path: path)
    if error.code <= 0 || failure.kind != .access { return failure }
    return StorageError(
      .access, path: path,
      message: "Failed to write Realm file at path '\(path)': \(String(cString: strerror(error.code)))")
  }
}
