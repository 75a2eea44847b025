extension Realm {
  /// Whether a write transaction of this realm is open.
  public var isInWriteTransaction: Bool { core.isInWrite }

  /// Runs a block in a write transaction, commits it, and returns the result of the block.
  ///
  /// ```swift
  /// let count = try realm.write {
  ///   hut.beds += 10
  ///   return realm.objects(Hut.self).count
  /// }
  /// ```
  ///
  /// Waits for the writer lock, which one thread of all processes holds at a time, and moves the realm to the
  /// newest version before the block runs. If the block throws, the transaction is rolled back. The block can
  /// end the transaction itself.
  ///
  /// - Throws: The error of the block; `Realm.Error` with the code `outOfDiskSpace` and others if the changes
  ///   could not be stored, after which none of them is; if the newest version could not be read, in which
  ///   case the block is not called; with the code `fileAccess`, likewise, if the file was deleted, moved or
  ///   replaced or cannot be locked.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
  ) throws -> Result {
    try stoppingMistakes { try core.beginWriteOrThrow() }
    let result: Result
    do {
      result = try block()
    } catch {
      if isInWriteTransaction { cancelWrite() }
      throw error
    }
    if isInWriteTransaction { try commitWrite(withoutNotifying: tokens) }
    return result
  }

  /// Begins a write transaction: waits for the writer lock, and moves the realm to the newest version.
  ///
  /// ```swift
  /// realm.beginWrite()
  /// hut.beds += 10
  /// try realm.commitWrite()
  /// ```
  ///
  /// Stops the program if a write transaction of this realm is open already, or if the realm is read-only. If
  /// the newest version cannot be read, or the file was deleted, the transaction sees the current version and
  /// its commit throws.
  public func beginWrite() {
    core.beginWrite()
    // The next line may open the realm anew.
    core.confinement.kept?.keepWriting(core)
  }

  /// Commits the write transaction that `beginWrite` began.
  ///
  /// ```swift
  /// realm.beginWrite()
  /// realm.add(Hut(value: ["name": "Eyrie"]))
  /// try realm.commitWrite()
  /// ```
  ///
  /// Stops the program if no write transaction is open.
  ///
  /// - Throws: `Realm.Error` if the changes could not be stored; they have been rolled back then.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try core.commitWrite(withoutNotifying: tokens)
  }

  /// Rolls back the write transaction that `beginWrite` began. Objects that were added become invalid.
  ///
  /// ```swift
  /// realm.beginWrite()
  /// hut.beds = 0
  /// realm.cancelWrite()
  /// ```
  ///
  /// Stops the program if no write transaction is open.
  public func cancelWrite() { core.cancelWrite() }
}
