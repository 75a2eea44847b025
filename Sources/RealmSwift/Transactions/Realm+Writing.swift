extension Realm {
  /// Whether a write transaction is open here.
  public var isInWriteTransaction: Bool { core.isInWrite }

  /// Runs a block within a write transaction and commits it. Returns what the block returned.
  ///
  ///     let count = try realm.write {
  ///       dog.age += 1
  ///       return realm.objects(Dog.self).count
  ///     }
  ///
  /// Waits until no other thread and no other process writes, and shows the newest version to the block. When the
  /// block throws, everything is rolled back. The block may end the transaction itself.
  ///
  /// - Throws: What the block throws; `Realm.Error` with the code `outOfDiskSpace` and others when the changes
  ///   could not be stored, after which nothing of them is there; when the newest version could not be read, so that
  ///   the block was not called; with the code `fileAccess`, likewise, when the file was deleted, moved or replaced or
  ///   can not be locked.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
  ) throws -> Result {
    try core.beginWriteOrThrow()
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

  /// Opens a write transaction: waits until nobody else writes, and shows the newest version.
  ///
  ///     realm.beginWrite()
  ///     dog.age += 1
  ///     try realm.commitWrite()
  ///
  /// Stops the program when one is open here already, or the realm is read-only. When the newest version can not be
  /// read, or nothing can be written because the file was deleted, the transaction sees the present version and its
  /// commit throws.
  public func beginWrite() {
    core.beginWrite()
    // The next line may open the realm anew.
    core.confinement.kept?.keepWriting(core)
  }

  /// Stores what was changed since `beginWrite`, for all to see.
  ///
  /// Stops the program when no write transaction is open.
  ///
  /// - Throws: `Realm.Error` when the changes could not be stored; they have been rolled back then.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try core.commitWrite(withoutNotifying: tokens)
  }

  /// Undoes what was changed since `beginWrite`. Objects that were added become invalid.
  ///
  ///     try realm.write {
  ///       realm.delete(realm.objects(Dog.self))
  ///       if person.dogs.isEmpty { realm.cancelWrite() }
  ///     }
  ///
  /// Stops the program when no write transaction is open.
  public func cancelWrite() { core.cancelWrite() }
}
