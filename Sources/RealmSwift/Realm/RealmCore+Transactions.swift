import Storage

// Write transactions: beginning, committing and cancelling them.
extension RealmCore {
  var isInWrite: Bool { snapshot.isWriting }

  /// Stops the program unless a write transaction could begin here.
  func checkCanWrite() {
    checkThread()
    if isFrozen { trap(.writeOnFrozen) }
    if configuration.readOnly { trap(.writeOnReadOnly) }
  }

  /// When the newest version can not be read, the commit throws.
  func beginWrite() {
    takeWriting()
    openWrite()
  }

  /// The same for who can be told at once when the newest version can not be read.
  func beginWriteOrThrow() throws {
    takeWriting()
    do throws(StorageError) {
      try openingWrite { () throws(StorageError) in _ = try snapshot.openWrite() }
    } catch {
      startedAsyncWrites?.serve()
      throw Realm.Error(error)
    }
  }

  private func takeWriting() {
    checkCanWrite()
    if snapshot.isWriting { trap(.alreadyInWrite) }
    commitGroup()
    // Blocks that are still to be called for the present version expect to find it.
    notifier?.finishCalls()
    if let startedAsyncWrites {
      if startedAsyncWrites.isCompleting { trap(.writeInCommitCompletion) }
      startedAsyncWrites.takeWriting()
    } else {
      file.takeWriting()
    }
  }

  /// Opens a write transaction for who holds the right to write.
  func openWrite() {
    openingWrite { snapshot.openWriteFailingLater() }
  }

  private func openingWrite<Failure: Swift.Error>(_ open: () throws(Failure) -> Void) throws(Failure) {
    if !snapshot.hasStagedWrites { checkActiveVersions() }
    let before = snapshot.version
    let tableCount = snapshot.catalogue.tables.count
    // It may have moved although it throws.
    defer {
      if snapshot.catalogue.tables.count != tableCount { makeClassTables() }
      tracking?.versionMoved()
      if let notifier {
        if snapshot.version != before { notifier.advanced() }
        notifier.deliver()
      }
    }
    try open()
  }

  /// - Parameter tokens: Whose observers are not to be told of this transaction.
  func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    checkThread()
    if !snapshot.isWriting { trap(.commitOutsideWrite) }
    for token in tokens {
      if let observer = token.observer, observer.realm !== self {
        trap("Incorrect Realm: only notifications for the Realm being modified can be skipped.")
      }
    }
    try commit(configuration.durability == .relaxed ? .relaxed : .full, withoutNotifying: tokens)
  }

  /// Ends the open write transaction, and commits it with all that were staged, before the disk has it. Returns the
  /// version, for `DatabaseFile.whenSynced`.
  func commitUnsynced() throws -> UInt64 {
    try commit(unsyncedDurability, withoutNotifying: [])
    return snapshot.version
  }

  private var unsyncedDurability: Durability { configuration.durability == .relaxed ? .relaxed : .deferred }

  /// Ends the open write transaction, to be committed together with later ones. When it throws, all that were staged
  /// have been rolled back.
  func stageWrite() throws {
    do throws(StorageError) {
      try snapshot.stageWrite(durability: unsyncedDurability)
    } catch {
      tracking?.rolledBack()
      startedAsyncWrites?.groupEnded(Realm.Error(error))
      throw Realm.Error(error)
    }
  }

  /// Commits what was staged before the disk has it; an open write transaction goes on.
  func commitStaged() throws {
    try committing([]) { () throws(StorageError) in
      try snapshot.commitStagedWrites(durability: unsyncedDurability)
    }
  }

  /// Makes a version of what grouped commits have changed, for those who can use nothing else.
  func commitGroup() {
    if snapshot.hasStagedWrites { startedAsyncWrites?.commitGroup() }
  }

  private func commit(_ durability: Durability, withoutNotifying tokens: [NotificationToken]) throws {
    try committing(tokens) { () throws(StorageError) in try snapshot.commitWrite(durability: durability) }
  }

  private func committing(
    _ tokens: [NotificationToken], _ store: () throws(StorageError) -> Void
  ) throws {
    defer { startedAsyncWrites?.serve() }
    let before = snapshot.version
    var failure: Realm.Error?
    do throws(StorageError) {
      try store()
    } catch {
      failure = Realm.Error(error)
    }
    startedAsyncWrites?.groupEnded(failure)
    // Also there when only the disk may not have it.
    if failure == nil || snapshot.version != before {
      tracking?.versionMoved()
      notifier?.committed(skipping: tokens)
    } else {
      tracking?.rolledBack()
    }
    if let failure { throw failure }
  }

  func cancelWrite() {
    checkThread()
    if !snapshot.isWriting { trap(.cancelOutsideWrite) }
    snapshot.cancelWrite()
    tracking?.rolledBack()
    startedAsyncWrites?.serve()
  }

  /// The asynchronous writes of the realm, from the first one on.
  var asyncWrites: AsyncWrites {
    if let startedAsyncWrites { return startedAsyncWrites }
    let new = AsyncWrites(self)
    startedAsyncWrites = new
    return new
  }

  var hasAsyncWrites: Bool { startedAsyncWrites != nil }

  func checkWrite() {
    checkThread()
    if !snapshot.isWriting { trap(.changingOutsideWrite) }
  }
}
