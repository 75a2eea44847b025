import Synchronization

// Callers that wait for a transfer or an audit.
extension SyncLoop {
  /// What a caller waits for.
  package enum Condition: Sendable {
    /// The server has everything up to a version.
    case uploaded(UInt64)
    /// A pull with at least this number has been applied.
    case pulled(UInt64)
    /// An audit that was asked for with this number has ended.
    case audited(UInt64)
  }

  /// A caller that waits.
  struct Waiter: Sendable {
    var number: UInt64
    var condition: Condition
    var resume: @Sendable (WaitResult) -> Void
  }

  /// How a wait has ended.
  package enum WaitResult: Sendable {
    /// The condition holds.
    case reached
    /// The condition will not hold, for a reason.
    case failed(String)
    /// The caller has ended the wait.
    case cancelled
  }

  /// The condition that the server has everything that the file has now.
  package func uploadCondition() -> Condition { .uploaded(file.newestVersion) }

  /// The condition that the file has a state of the server that is later than now.
  package func downloadCondition() -> Condition { .pulled(control.withLock { $0.pullsBegun } + 1) }

  /// Waits for a condition. Returns why it will not hold; nil when it holds.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  package func wait(for condition: Condition) async throws -> String? {
    let number = control.withLock { control in
      control.waitsBegun += 1
      return control.waitsBegun
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        add(Waiter(number: number, condition: condition) { continuation.resume(returning: $0) })
        // The handler may have been called before there was anything to end.
        if Task.isCancelled { endWait(number) }
      }
    } onCancel: {
      endWait(number)
    }
    switch result {
    case .reached: return nil
    case .failed(let reason): return reason
    case .cancelled: throw CancellationError()
    }
  }

  private func endWait(_ number: UInt64) {
    answerWaiters(.cancelled) { waiter, _ in waiter.number == number }
  }

  private func add(_ waiter: Waiter) {
    let result: WaitResult? = control.withLock { control in
      if Self.holds(waiter.condition, control) { return .reached }
      if control.isStopped { return .failed("The session has ended.") }
      if let reason = control.report.stopReason { return .failed(reason) }
      control.waiters.append(waiter)
      // A caller that waits does not wait for the end of a pause, too.
      control.retriesAtOnce = true
      return nil
    }
    if let result { return waiter.resume(result) }
    wake()
  }

  static func holds(_ condition: Condition, _ control: Control) -> Bool {
    switch condition {
    case .uploaded(let version): control.report.uploaded >= version
    case .pulled(let number): control.pullsApplied >= number
    case .audited(let number): control.auditsDone >= number
    }
  }

  func answerWaiters(_ answer: WaitResult, where isMeant: (Waiter, Control) -> Bool) {
    let answered = control.withLock { control in
      let answered = control.waiters.filter { isMeant($0, control) }
      control.waiters.removeAll { waiter in answered.contains { $0.number == waiter.number } }
      return answered
    }
    for waiter in answered { waiter.resume(answer) }
  }
}
