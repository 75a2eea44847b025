import Storage

/// What a function of realms has to be isolated to that takes it as `isolated`; the compiler names it where one is not.
public typealias _ActorOfTheRealm = any Actor

extension Realm {
  /// Runs a block in a write transaction as soon as the writer lock is available, and returns when the
  /// changes are durable. No thread blocks in the meantime, and other tasks can use the actor.
  ///
  /// ```swift
  /// try await realm.asyncWrite {
  ///   realm.add(Hut(value: ["name": "Eyrie"]))
  /// }
  /// ```
  ///
  /// For realms of the main actor and of other actors, called from there; stops the program elsewhere. A
  /// function without an actor cannot call it: mark the function `@MainActor`, or make it part of an actor.
  /// Writes begin in the order in which they were requested. Commits that become durable at the same time
  /// share one fsync.
  ///
  /// - Returns: The result of the block.
  /// - Throws: The error of the block, after which the transaction is rolled back; `CancellationError` if the
  ///   task is cancelled before the block begins; `Realm.Error` if the changes could not be stored.
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

  /// Moves the realm to the newest version. Returns whether that was another version.
  ///
  /// Returns false immediately for frozen and read-only realms, in a write transaction, and if the task is
  /// cancelled. For realms of the main actor and of other actors, called from there; stops the program
  /// elsewhere.
  @discardableResult
  public func asyncRefresh(_isolation actor: isolated _ActorOfTheRealm = #isolation) async -> Bool {
    guard core.isFrozen || core.confinement.actor != nil else {
      trap("asyncRefresh() can only be called on main thread or actor-isolated Realms")
    }
    if core.isFrozen || core.configuration.readOnly || core.isInWrite || Task.isCancelled { return false }
    return core.refresh()
  }
}
