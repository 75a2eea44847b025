import Storage

// Write transactions that begin as soon as other writers are done, and commits that become durable in the background. The
// thread goes on meanwhile.
extension NumberedRealm {
  /// Throws unless something can be called later on the calling thread.
  private func checkScheduling() throws(Refusal) {
    try check()
    try checkNotMigrating()
    do throws(ProgrammerError) { try core.checkWritable() } catch { throw Refusal(error) }
    if !core.confinement.surelyDelivers { throw Self.noEventLoop }
    core.followCommits()
  }

  /// Calls a closure in a write transaction as soon as the writer lock is available. What it has not committed when it
  /// returns is rolled back.
  ///
  /// - Parameter begun: Is given why no transaction can begin, or nil. Is not called once this handle is closed.
  /// - Returns: A number for `cancelLater`, valid until the closure is called.
  package func beginLater(_ begun: @escaping (Refusal?) -> Void) throws(Refusal) -> AsyncTransactionId {
    try checkScheduling()
    // The realm stays open for the block, but not this handle: its end cancels the transaction that the block waits for.
    let (core, closing, damage) = (core, closing, damage)
    let block = AsyncWriteQueue.Block(
      run: { [weak self] in
        if closing.isSet { return }
        core.numberedWriter = self.map { ObjectIdentifier($0) }
        if !damage.isFound { return begun(nil) }
        // Unless an observer has.
        if core.isInWrite { core.cancelWrite() }
        begun(Self.refusal(of: damage, core))
      },
      refuse: { error in
        if !closing.isSet { begun(Refusal(error)) }
      })
    hasBegunLater.store(true, ordering: .relaxed)
    return core.asyncWrites.enqueue(.block(block))
  }

  /// Commits the open write transaction. Its changes are visible immediately.
  ///
  /// - Parameters:
  ///   - allowsGrouping: Whether it may become one version with those of the waiting transactions.
  ///   - completion: Is called when the changes are durable, or with the reason why they were rolled back.
  /// - Returns: A number with which `cancelLater` discards the completion.
  package func commitLater(
    allowsGrouping: Bool, _ completion: ((Refusal?) -> Void)?
  ) throws(Refusal) -> AsyncTransactionId {
    try checkScheduling()
    if !core.isInWrite { throw Refusal(.notInWrite, ProgrammerError.commitOutsideWrite.message) }
    let number = core.asyncWrites.commit(
      allowGrouping: allowsGrouping,
      completion.map { completion in { completion($0.map { Refusal(of: $0) }) } })
    core.numberedWriter = core.isInWrite ? core.numberedWriter : nil
    return number
  }

  /// Cancels a transaction that has not begun, or discards the completion of a commit. An unknown number has no effect.
  package func cancelLater(_ number: AsyncTransactionId) throws(Refusal) {
    try checkPlace()
    if core.hasAsyncWrites { core.asyncWrites.cancel(number) }
  }

  /// Whether transactions wait to begin, or commits are not durable yet.
  package func hasLaterWrites() throws(Refusal) -> Bool {
    try checkPlace()
    return core.hasAsyncWrites && !core.asyncWrites.isIdle
  }
}
