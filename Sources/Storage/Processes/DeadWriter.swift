// Readers ask LMDB's lock file for the newest version. A process that dies after its commit is on the disk and
// before it is in the lock file leaves them one version behind; the next one to take LMDB's own lock puts that
// right.
extension DatabaseFile {
  /// Lets the lock file know the last commit. To be called by the holder of the write lock.
  func noteLastCommit() throws(StorageError) {
    try endPanic()
    try StorageError.describing(path) { () throws(EntryError) in try environment.beginWriting() }.abort()
  }

  /// Recovers from a killed writer on behalf of a reader, unless a writer is active. Returns whether it did.
  func recoverFromDeadWriter() throws(StorageError) -> Bool {
    guard !isReadOnly, writeLock.tryAcquire() else { return false }
    defer { writeLock.release() }
    try noteLastCommit()
    return true
  }

  /// Notifies the subscribers of commits of which they may not have been notified, because a process that could write the file
  /// has closed it.
  func lookForUntoldCommits() {
    if isLockFileBehind {
      // The killed process may still hold the writer lock, or a live one may hold it for long.
      let work: @Sendable () -> Void = { [self] in
        writeLock.acquire()
        // A writer that meets the same failure will tell of it.
        if (try? writeLock.checkHeld()) != nil { try? noteLastCommit() }
        writeLock.release()
        commitSignal.tellSubscribers()
      }
      if Thread.start(work) { return }
    }
    commitSignal.tellSubscribers()
  }

  private var isLockFileBehind: Bool {
    guard !isReadOnly, let transaction = try? takeReader() else { return false }
    defer { readerPool.give(transaction) }
    return transaction.version < newestVersion
  }
}
