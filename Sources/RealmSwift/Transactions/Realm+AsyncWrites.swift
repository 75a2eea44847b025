import Storage

/// The number of an asynchronous write transaction that waits to begin, or of a commit that waits to become
/// durable.
public typealias AsyncTransactionId = UInt32

extension Realm {
  /// Whether asynchronous writes of this realm wait to begin, run, or are not durable yet.
  public var isPerformingAsynchronousWriteOperations: Bool {
    core.checkThread()
    return core.hasAsyncWrites && !core.asyncWrites.isIdle
  }

  /// Runs a block in a write transaction as soon as the writer lock is available, without blocking the
  /// caller, and commits it.
  ///
  /// ```swift
  /// realm.writeAsync {
  ///   hut.beds += 10
  /// } onComplete: { error in
  ///   print(error == nil ? "durable" : "rolled back")
  /// }
  /// ```
  ///
  /// Requires an event loop that can run the block later: the main thread, a thread with a running run loop,
  /// a queue or an actor. Writes begin in the order in which they were requested. The realm stays open until
  /// they are complete.
  ///
  /// - Parameters:
  ///   - block: A block that changes the realm. It can end the write transaction itself.
  ///   - onComplete: A block that is called on the thread, queue or actor of the realm when the changes are
  ///     durable, or with the error after which they were rolled back. No write transaction can begin in it.
  /// - Returns: A number for `cancelAsyncWrite`, valid until the block begins.
  @discardableResult
  public func writeAsync(
    _ block: @escaping () -> Void, onComplete: ((Swift.Error?) -> Void)? = nil
  ) -> AsyncTransactionId {
    beginAsyncWrite {
      block()
      if core.isInWrite { core.asyncWrites.commit(onComplete) } else { onComplete?(nil) }
    }
  }

  /// Begins a write transaction as soon as the writer lock is available, without blocking the caller, and
  /// runs a block in it. Changes that the block has not committed when it returns are rolled back.
  ///
  /// - Returns: A number for `cancelAsyncWrite`, valid until the block begins.
  @discardableResult
  public func beginAsyncWrite(_ asyncWriteBlock: @escaping () -> Void) -> AsyncTransactionId {
    core.checkCanWrite()
    core.checkCanSchedule()
    return core.asyncWrites.enqueue(.block(AsyncWriteQueue.Block(run: asyncWriteBlock)))
  }

  /// Commits the open write transaction, asynchronous or not. Its changes are visible immediately and become
  /// durable in the background: commits in quick succession share one fsync.
  ///
  /// Stops the program if no write transaction is open.
  ///
  /// - Parameters:
  ///   - allowGrouping: Whether the commit can become one version with those of the realm's waiting
  ///     asynchronous writes (group commit), which makes many small commits several times as fast. Other
  ///     realms and frozen copies then see its changes when the group is committed, at most some milliseconds
  ///     later. A power failure, or a failing commit, loses all commits of the group or none. No other realm
  ///     can write before the block returns. Realms with observers do not group.
  ///   - onComplete: A block that is called on the thread, queue or actor of the realm when the changes are
  ///     durable, or with the error after which they were rolled back.
  /// - Returns: A number with which `cancelAsyncWrite` discards `onComplete`.
  @discardableResult
  public func commitAsyncWrite(
    allowGrouping: Bool = false, _ onComplete: ((Swift.Error?) -> Void)? = nil
  ) -> AsyncTransactionId {
    core.checkThread()
    if !core.isInWrite { trap(.commitOutsideWrite) }
    core.checkCanSchedule()
    return core.asyncWrites.commit(allowGrouping: allowGrouping, onComplete)
  }

  /// Cancels a write transaction whose block has not begun. For a commit, only discards the completion block.
  /// An unknown number has no effect.
  public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
    core.checkThread()
    if core.hasAsyncWrites { core.asyncWrites.cancel(asyncTransactionId) }
  }
}
