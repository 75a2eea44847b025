package import Storage

// Write transactions and versions. Functions that throw an error without a type also throw those of files.
extension NumberedRealm {
  /// Throws when the realm is one of a migration, which the library begins and ends.
  func checkNotMigrating() throws(Refusal) {
    if core.migration != nil {
      throw Refusal(
        .inWrite, "The realms of a migration, and their transaction, belong to the library.")
    }
  }

  // MARK: Write transactions

  /// Whether a write transaction is open.
  package func isWriting() throws(Refusal) -> Bool {
    try check()
    return core.isInWrite
  }

  /// Requests the writer lock for `begin` without waiting for it. `granted` is called as soon as the lock is granted, on any
  /// thread: perhaps on this one, before this returns.
  package func requestWriting(_ granted: @escaping @Sendable () -> Void) throws -> WriteRequest {
    try check()
    try checkNotMigrating()
    return core.file.requestWriting(granted)
  }

  /// Begins a write transaction on the newest version, as soon as other writers are done.
  ///
  /// - Parameter request: A request for the writer lock that was granted; nil to wait for the lock. The caller cancels it
  ///   afterwards, which has no effect when it was taken.
  package func begin(_ request: WriteRequest? = nil) throws {
    try check()
    try checkNotMigrating()
    try core.beginWriteOrThrow(by: ObjectIdentifier(self), request)
    if isClosed || damage.isFound { cancelOwn() }
    // An observer may have closed the handle, before the transaction began or then.
    try checkPlace()
    try checkDamage()
  }

  /// Cancels the open write transaction if this handle has begun it. An observer may have ended it, and begun another one.
  private func cancelOwn() {
    if core.isInWrite && core.numberedWriter == ObjectIdentifier(self) { core.cancelWrite() }
  }

  /// Commits the write transaction.
  ///
  /// - Parameter tokens: Whose observers are not called for it.
  package func commit(withoutNotifying tokens: [NotificationToken] = []) throws {
    try check()
    try checkNotMigrating()
    try core.commitWriteOrThrow(withoutNotifying: tokens)
    core.numberedWriter = core.isInWrite ? core.numberedWriter : nil
  }

  /// Undoes everything that the write transaction has changed, and ends it.
  package func cancel() throws(Refusal) {
    // Also of a damaged file.
    try checkPlace()
    try checkNotMigrating()
    do throws(ProgrammerError) { try core.cancelWriteOrThrow() } catch { throw Refusal(error) }
  }

  /// Deletes all objects of all classes.
  package func deleteAll() throws(Refusal) {
    try checkWrite()
    realm.deleteAll()
    try checkDamage()
  }

  /// Refuses all later calls with this handle. A write transaction that it has begun is cancelled.
  package func close() throws(Refusal) {
    try checkPlace()
    try checkNotMigrating()
    if !core.isFrozen { cancelOwn() }
    markClosed()
  }

  // MARK: Versions

  /// Moves to the newest version. Returns whether there was a newer one.
  package func refresh() throws(Refusal) -> Bool {
    try check()
    try checkNotMigrating()
    if core.isFrozen { throw Refusal(.frozen, "Frozen Realms do not change and cannot be refreshed.") }
    do throws(ProgrammerError) { return try core.refreshOrThrow() } catch { throw Refusal(error) }
  }

  package func setAutorefresh(_ refreshes: Bool) throws(Refusal) {
    try check()
    if core.isFrozen {
      if refreshes { throw Refusal(.frozen, "Auto-refresh cannot be enabled for frozen Realms.") }
      return
    }
    core.autorefresh = refreshes
  }

  package func autorefresh() throws(Refusal) -> Bool {
    try check()
    return core.isFrozen ? false : core.autorefresh
  }

  /// Releases the version that is shown; an open write transaction is cancelled. The handle of a frozen realm is closed.
  package func invalidate() throws(Refusal) {
    try check()
    try checkNotMigrating()
    // Other handles and threads share a frozen realm.
    if core.isFrozen { markClosed() } else { core.invalidate() }
  }

  /// Returns a realm that shows the present version forever.
  package func frozen() throws -> NumberedRealm {
    try check()
    try checkNotMigrating()
    if core.isFrozen { return self }
    try core.checkFreezable()
    return NumberedRealm(Realm(try core.frozenOrThrow()))
  }

  /// Returns the live realm of the calling thread.
  package func thawed() throws -> NumberedRealm {
    try check()
    try checkNotMigrating()
    if !core.isFrozen { return self }
    return try FilesInUse.using(core.configuration.path) {
      NumberedRealm(Realm(try core.thawedOrThrow()))
    }
  }

  package func versionNumber() throws(Refusal) -> UInt64 {
    try check()
    return core.snapshot.version
  }

  package func schemaVersion() throws(Refusal) -> UInt64 {
    try check()
    return core.snapshot.catalogue.schemaVersion
  }
}
