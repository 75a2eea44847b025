import Storage

// Write transactions and versions. Functions that throw an error without a type also throw those of files.
extension NumberedRealm {
  /// Throws unless a write transaction could begin here.
  private func checkCanWrite() throws(Refusal) {
    try check()
    if core.isFrozen { throw Refusal(.frozen, ProgrammerError.writeOnFrozen.message) }
    if core.configuration.readOnly { throw Refusal(.readOnly, ProgrammerError.writeOnReadOnly.message) }
  }

  /// Throws when the realm is one of a migration, which the library begins and ends.
  private func checkNotMigrating() throws(Refusal) {
    if core.migration != nil {
      throw Refusal(.inWrite, "The transaction and the version of a migration belong to `openrealm_open`.")
    }
  }

  private func checkInWrite(_ error: ProgrammerError) throws(Refusal) {
    try check()
    try checkNotMigrating()
    if !core.isInWrite { throw Refusal(.notInWrite, error.message) }
  }

  // MARK: Write transactions

  /// Whether a write transaction is open.
  package func isWriting() throws(Refusal) -> Bool {
    try check()
    return core.isInWrite
  }

  /// Begins a write transaction on the newest version, as soon as other writers are done.
  package func begin() throws {
    try checkCanWrite()
    if core.isInWrite { throw Refusal(.inWrite, ProgrammerError.alreadyInWrite.message) }
    try core.beginWriteOrThrow()
  }

  /// Commits the write transaction.
  ///
  /// - Parameter tokens: Whose observers are not called for it.
  package func commit(withoutNotifying tokens: [NotificationToken] = []) throws {
    try checkInWrite(.commitOutsideWrite)
    for token in tokens {
      if let registration = token.registration, registration.realm !== core {
        throw Refusal(
          .otherRealm, "Incorrect Realm: only notifications for the Realm being modified can be skipped.")
      }
    }
    try core.commitWrite(withoutNotifying: tokens)
  }

  /// Undoes everything that the write transaction has changed, and ends it.
  package func cancel() throws(Refusal) {
    try checkInWrite(.cancelOutsideWrite)
    core.cancelWrite()
  }

  /// Deletes all objects of all classes.
  package func deleteAll() throws(Refusal) {
    try checkCanWrite()
    if !core.isInWrite { throw Refusal(.notInWrite, ProgrammerError.changingOutsideWrite.message) }
    realm.deleteAll()
  }

  /// Refuses all later calls; an open write transaction is cancelled.
  package func close() throws(Refusal) {
    try check()
    try checkNotMigrating()
    if core.isInWrite { core.cancelWrite() }
  }

  // MARK: Versions

  /// Moves to the newest version. Returns whether there was a newer one.
  package func refresh() throws(Refusal) -> Bool {
    try check()
    if core.isFrozen { throw Refusal(.frozen, "Frozen Realms do not change and cannot be refreshed.") }
    if core.configuration.readOnly { throw Refusal(.readOnly, ProgrammerError.refreshReadOnly.message) }
    return core.refresh()
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

  /// Releases the version that is shown; an open write transaction is cancelled.
  package func invalidate() throws(Refusal) {
    try check()
    try checkNotMigrating()
    core.invalidate()
  }

  /// Returns a realm that shows the present version forever.
  package func frozen() throws -> NumberedRealm {
    try check()
    try checkNotMigrating()
    if core.isFrozen { return self }
    if core.snapshot.hasChanges {
      throw Refusal(.inWrite, "Cannot freeze a Realm with uncommitted changes.")
    }
    return NumberedRealm(Realm(core.frozen()))
  }

  /// Returns the live realm of the calling thread.
  package func thawed() throws -> NumberedRealm {
    try check()
    try checkNotMigrating()
    if !core.isFrozen { return self }
    return NumberedRealm(Realm(core.thawed()))
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
