import Storage

/// What a function of realms has to be isolated to that takes it as `isolated`; the compiler names it where one is not.
public typealias _ActorOfTheRealm = any Actor

extension Realm {
  /// Runs a block within a write transaction as soon as nobody else writes, and returns when the changes are on the
  /// disk. No thread waits meanwhile, and others may use the actor.
  ///
  ///     try await realm.asyncWrite {
  ///       realm.add(Dog(value: ["name": "Wolfie"]))
  ///     }
  ///
  /// For realms of the main thread and of actors, from there; stops the program elsewhere. A function that belongs to no
  /// actor can not call it: mark that `@MainActor`, or make it part of an actor. Writes begin in the
  /// order they were asked for, and those that wait for the disk at the same time share its synchronisation.
  ///
  /// - Returns: What the block returns.
  /// - Throws: What the block throws, after which everything is rolled back; `CancellationError` when the task is
  ///   cancelled before the block began; `Realm.Error` when the changes could not be stored.
  @discardableResult
  public func asyncWrite<Result>(
    _isolation actor: isolated _ActorOfTheRealm = #isolation, _ block: () throws -> Result
  ) async throws -> Result {
    guard core.confinement.actor != nil else {
      trap("asyncWrite() can only be called on main thread or actor-isolated Realms")
    }
    core.checkCanWrite()
    try Task.checkCancellation()
    let turn = TaskTurn()
    _ = core.asyncWrites.enqueue(.task(turn))
    repeat {
      await withTaskCancellationHandler {
        await turn.wait()
      } onCancel: {
        turn.cancel()
      }
      if turn.isCancelled {
        core.asyncWrites.remove(turn)
        throw CancellationError()
      }
    } while !core.asyncWrites.begin(turn)
    defer { core.asyncWrites.end(turn) }
    let result: Result
    do {
      result = try block()
    } catch {
      if core.isInWrite { core.cancelWrite() }
      throw error
    }
    if core.isInWrite {
      try core.commitWrite(waitsForDisk: false)
      try await core.asyncWrites.sync(core.snapshot.version)
    }
    return result
  }

  /// Shows the newest version, which others may have written. Returns whether it was another one.
  ///
  /// False at once for frozen and read-only realms, within a write transaction, and when the task is cancelled. For
  /// realms of the main thread and of actors, from there; stops the program elsewhere.
  @discardableResult
  public func asyncRefresh(_isolation actor: isolated _ActorOfTheRealm = #isolation) async -> Bool {
    guard core.isFrozen || core.confinement.actor != nil else {
      trap("asyncRefresh() can only be called on main thread or actor-isolated Realms")
    }
    if core.isFrozen || core.configuration.readOnly || core.isInWrite || Task.isCancelled { return false }
    return core.refresh()
  }
}
