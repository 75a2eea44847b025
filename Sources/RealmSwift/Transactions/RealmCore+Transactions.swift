import Storage

// Write transactions: beginning, committing and cancelling them.
extension RealmCore {
  var isInWrite: Bool { snapshot.isWriting }

  /// Stops the program unless a write transaction could begin here.
  func checkCanWrite() { stopping { () throws(ProgrammerError) in try checkWritable() } }

  /// Throws unless a write transaction could begin here.
  func checkWritable() throws(ProgrammerError) {
    try checkUsable()
    if isFrozen { throw .writeOnFrozen }
    if configuration.readOnly { throw .writeOnReadOnly }
  }

  // MARK: Beginning

  /// When the newest version cannot be read, the commit throws.
  func beginWrite() {
    stopping { () throws(ProgrammerError) in try takeWriting() }
    openWrite()
  }

  /// Begins a write transaction.
  ///
  /// - Parameters:
  ///   - writer: The `NumberedRealm` that begins it. Observers are called when it has begun, and may end it.
  ///   - request: A request for the writer lock; nil for a new one.
  /// - Throws: `Realm.Error` if the newest version cannot be read or the lock not be acquired; `ProgrammerError` if the
  ///   realm cannot be written here, is being written already, or more versions are in use than is allowed. The realm
  ///   then has no transaction, and the writer lock is released.
  func beginWriteOrThrow(by writer: ObjectIdentifier? = nil, _ request: WriteRequest? = nil) throws {
    try takeWriting(request)
    if !snapshot.hasStagedWrites {
      do throws(ProgrammerError) {
        try checkVersionLimit()
      } catch {
        file.returnWriting()
        startedAsyncWrites?.serve()
        throw error
      }
    }
    do throws(StorageError) {
      try move(.writeBegun) { () throws(StorageError) in
        try self.writer.open()
        numberedWriter = writer
      }
    } catch {
      throw Realm.Error(error)
    }
  }

  private func takeWriting(_ request: WriteRequest? = nil) throws(ProgrammerError) {
    try checkBeginning()
    commitStaged()
    if let notifier {
      // Observers that are still to be called for the present version expect to find it.
      notifier.finishCalls()
      // They may have begun a transaction, for which this thread would wait for ever, or closed the realm.
      try checkBeginning()
    }
    if let request {
      request.take()
    } else if let startedAsyncWrites {
      startedAsyncWrites.takeWriting()
    } else {
      file.takeWriting()
    }
  }

  private func checkBeginning() throws(ProgrammerError) {
    try checkWritable()
    if snapshot.isWriting { throw .alreadyInWrite }
    if startedAsyncWrites?.isCompleting ?? false { throw .writeInCommitCompletion }
  }

  /// Opens a write transaction for the holder of the writer lock.
  func openWrite() {
    if !snapshot.hasStagedWrites { checkActiveVersions() }
    move(.writeBegun) { writer.openFailingLater() }
  }

  // MARK: Ending

  /// Ends the open write transaction, and commits it with all that were staged. When it throws, they have been rolled
  /// back, unless only the disk may not have them.
  ///
  /// - Parameters:
  ///   - tokens: Whose observers are not to be told of this transaction.
  ///   - waitsForDisk: Whether to wait for the disk where the configuration wants that, rather than leave it to
  ///     `DatabaseFile.whenSynced`.
  func commitWrite(withoutNotifying tokens: [NotificationToken] = [], waitsForDisk: Bool = true) throws {
    try stoppingMistakes { try commitWriteOrThrow(withoutNotifying: tokens, waitsForDisk: waitsForDisk) }
  }

  /// Ends the open write transaction as `commitWrite` does.
  ///
  /// - Throws: What `commitWrite` throws; `ProgrammerError`, with nothing changed, if no transaction is open or a token
  ///   belongs to another realm.
  func commitWriteOrThrow(
    withoutNotifying tokens: [NotificationToken] = [], waitsForDisk: Bool = true
  ) throws {
    try checkUsable()
    if !snapshot.isWriting { throw ProgrammerError.commitOutsideWrite }
    for token in tokens {
      if let registration = token.registration, registration.realm !== self {
        throw ProgrammerError.skippingForeignToken
      }
    }
    try checkRules()
    let durability = waitsForDisk && configuration.durability == .full ? .full : unsyncedDurability
    do throws(StorageError) {
      try move(.committed(skipping: tokens)) { () throws(StorageError) in
        try writer.commit(durability: durability)
      }
    } catch {
      throw Realm.Error(error)
    }
  }

  /// Rolls the open write transaction back when it breaks a rule of the schema. What was staged before stays.
  func checkRules() throws {
    guard let error = writer.brokenRule else { return }
    move(.rolledBack) { writer.cancel() }
    throw Realm.Error(error)
  }

  /// Ends the open write transaction, to be committed together with later ones. When that fails, all that were staged
  /// have been rolled back, as `AsyncWriteQueue` tells their waiters.
  func stageWrite() {
    _ = try? move(.staged) { () throws(StorageError) in
      try writer.stage(durability: unsyncedDurability)
    }
  }

  /// Makes a version of what was staged, for those who can use nothing else; an open write transaction goes on. When
  /// that fails, it is as with `stageWrite`.
  func commitStaged() {
    if !snapshot.hasStagedWrites { return }
    _ = try? move(.committed(skipping: [])) { () throws(StorageError) in
      try writer.commitStaged(durability: unsyncedDurability)
    }
  }

  private var unsyncedDurability: Durability { configuration.durability == .relaxed ? .relaxed : .deferred }

  func cancelWrite() { stopping { () throws(ProgrammerError) in try cancelWriteOrThrow() } }

  /// Rolls the open write transaction back.
  ///
  /// - Throws: If none is open, or the realm cannot be used here.
  func cancelWriteOrThrow() throws(ProgrammerError) {
    try checkUsable()
    if !snapshot.isWriting { throw .cancelOutsideWrite }
    move(.rolledBack) { writer.cancel() }
  }

  // MARK: Asynchronous ones

  /// The asynchronous writes of the realm, from the first one on.
  var asyncWrites: AsyncWriteQueue {
    if let startedAsyncWrites { return startedAsyncWrites }
    let new = AsyncWriteQueue(self)
    startedAsyncWrites = new
    return new
  }

  var hasAsyncWrites: Bool { startedAsyncWrites != nil }

  /// Stops the program unless a write transaction is open.
  func checkWrite() {
    checkThread()
    if !snapshot.isWriting { trap(.changingOutsideWrite) }
  }
}
