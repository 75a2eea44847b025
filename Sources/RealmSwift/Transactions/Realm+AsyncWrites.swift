import Storage

/// Identifies an asynchronous write transaction that waits to begin, or a commit that waits for the disk.
public typealias AsyncTransactionId = UInt32

extension Realm {
  /// Whether asynchronous writes of this realm wait to begin, run, or have not reached the disk.
  public var isPerformingAsynchronousWriteOperations: Bool {
    core.checkThread()
    return core.hasAsyncWrites && !core.asyncWrites.isIdle
  }

  /// Runs a block within a write transaction as soon as nobody else writes, without waiting for that here, and
  /// commits it.
  ///
  ///     realm.writeAsync {
  ///       dog.age += 1
  ///     } onComplete: { error in
  ///       print(error == nil ? "on the disk" : "rolled back")
  ///     }
  ///
  /// Needs a place where the block can be run later: the main thread, a thread with a running run loop, a queue or
  /// an actor. Writes begin in the order they were asked for. The realm stays open until they are done.
  ///
  /// - Parameters:
  ///   - block: Changes the realm. It may end the write transaction itself.
  ///   - onComplete: Is called here when the changes are on the disk, or could not be stored and have been
  ///     rolled back. No write transaction may begin in it.
  /// - Returns: What `cancelAsyncWrite` takes as long as the block has not begun.
  @discardableResult
  public func writeAsync(
    _ block: @escaping () -> Void, onComplete: ((Swift.Error?) -> Void)? = nil
  ) -> AsyncTransactionId {
    beginAsyncWrite {
      block()
      if core.isInWrite { core.asyncWrites.commit(onComplete) } else { onComplete?(nil) }
    }
  }

  /// Opens a write transaction as soon as nobody else writes, without waiting for that here, and runs a block in
  /// it. What the block has not committed when it returns is rolled back.
  ///
  /// - Returns: What `cancelAsyncWrite` takes as long as the block has not begun.
  @discardableResult
  public func beginAsyncWrite(_ asyncWriteBlock: @escaping () -> Void) -> AsyncTransactionId {
    core.checkCanWrite()
    core.checkCanSchedule()
    return core.asyncWrites.enqueue(.block(asyncWriteBlock))
  }

  /// Ends the open write transaction, asynchronous or not. Its changes are visible to all at once, and reach the
  /// disk in the background: commits that come soon after each other share its synchronisation.
  ///
  /// Stops the program when no write transaction is open.
  ///
  /// - Parameters:
  ///   - allowGrouping: Whether the commit may become one version with those of the realm's asynchronous writes that
  ///     are waiting, which makes many small ones several times as fast. Others, and frozen copies, then see its
  ///     changes when the group is committed, some milliseconds later at the most; a failure of the system loses all
  ///     commits of the group or none, and so does a commit that fails. Nobody else can write before the block returns.
  ///     Realms that have observers do not group.
  ///   - onComplete: Is called here when the changes are on the disk. When they could not be stored, it gets the
  ///     error, and they have been rolled back.
  /// - Returns: What `cancelAsyncWrite` takes to drop `onComplete`.
  @discardableResult
  public func commitAsyncWrite(
    allowGrouping: Bool = false, _ onComplete: ((Swift.Error?) -> Void)? = nil
  ) -> AsyncTransactionId {
    core.checkThread()
    if !core.isInWrite { trap(.commitOutsideWrite) }
    core.checkCanSchedule()
    return core.asyncWrites.commit(allowGrouping: allowGrouping, onComplete)
  }

  /// Gives up a write transaction whose block has not begun. Of a commit it only drops the completion; an unknown
  /// number does nothing.
  public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
    core.checkThread()
    if core.hasAsyncWrites { core.asyncWrites.cancel(asyncTransactionId) }
  }
}
