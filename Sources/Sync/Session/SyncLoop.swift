package import Storage
import Synchronization

/// The thread that keeps one realm file in step with the server: connects, sends, receives, waits, and begins again after
/// failures, for ever.
package final class SyncLoop: Sendable {
  struct Control: Sendable {
    var report: Report
    var isStopped = false
    var isFullPullWanted = false
    var retriesAtOnce = false
    /// Number of pulls that have begun.
    var pullsBegun: UInt64 = 0
    /// Number of the last pull that was applied.
    var pullsApplied: UInt64 = 0
    /// Number of audits that were asked for.
    var auditsWanted: UInt64 = 0
    /// Number of the last one that has ended.
    var auditsDone: UInt64 = 0
    var waiters: [Waiter] = []
    /// Number of waits that have begun.
    var waitsBegun: UInt64 = 0
  }

  let control: Mutex<Control>
  /// Whether the server may have something new.
  private let isPullWanted = Atomic(true)
  /// Whether the thread is to be woken when something is committed: not while it knows of a commit that it will look at later.
  private let listensToCommits = Atomic(true)
  package let interrupter = PostgresInterrupter()
  package let observers = TransferObservers()
  let file: DatabaseFile
  private let auditInterval: Double
  private let pace: SignalPace
  private let makeClient: @Sendable (SyncLoop) throws -> SyncClient
  private let connect: @Sendable (SyncLoop) throws -> SessionConnections

  /// - Parameters:
  ///   - auditInterval: Seconds between two audits in the background; infinite for none.
  ///   - pace: When signals of the server are answered.
  ///   - makeClient: Makes the client, on the thread of the loop.
  ///   - connect: Connects to the server.
  package init(
    _ file: DatabaseFile, pollInterval: Double, auditInterval: Double = 86_400,
    pace: SignalPace = SignalPace(),
    makeClient: @escaping @Sendable (SyncLoop) throws -> SyncClient,
    connect: @escaping @Sendable (SyncLoop) throws -> SessionConnections
  ) {
    self.file = file
    self.auditInterval = auditInterval
    self.pace = pace
    self.makeClient = makeClient
    self.connect = connect
    control = Mutex(
      Control(report: Report(started: SyncClock.systemMilliseconds(), pollInterval: pollInterval)))
  }

  // MARK: From any thread

  /// What is known now.
  package var report: Report { control.withLock { $0.report } }

  /// Starts the thread. Returns false when the system has no more threads.
  package func start() -> Bool { Thread.start(stackSize: Self.stackSize) { self.run() } }

  /// TLS needs more than other threads have.
  private static let stackSize = 1 << 20

  /// Ends the thread when its present step has ended. Every waiting caller is answered.
  package func stop() {
    control.withLock { $0.isStopped = true }
    interrupter.stop()
  }

  /// Suspends or resumes the session.
  package func setSuspended(_ isSuspended: Bool) {
    control.withLock { control in
      control.report.isSuspended = isSuspended
      control.retriesAtOnce = true
    }
    isPullWanted.store(true, ordering: .relaxed)
    interrupter.wake()
  }

  /// Lets the next pull read everything.
  package func requestFullPull() {
    control.withLock { $0.isFullPullWanted = true }
    isPullWanted.store(true, ordering: .relaxed)
    interrupter.wake()
  }

  /// Lets the file be compared with the server. Returns the condition that this has been done.
  package func requestAudit() -> Condition {
    let number = control.withLock { control in
      control.auditsWanted += 1
      return control.auditsWanted
    }
    isPullWanted.store(true, ordering: .relaxed)
    interrupter.wake()
    return .audited(number)
  }

  /// Whether the file has ever had a whole state of the server.
  package func hasDownloaded() throws -> Bool {
    try SessionRecord.read(Snapshot(file: file)).map { $1.cursor != SessionState.emptyCursor } ?? false
  }

  /// Lets the session pull now.
  package func wake() {
    isPullWanted.store(true, ordering: .relaxed)
    interrupter.wake()
  }

  // MARK: On the thread

  private var isStopped: Bool { control.withLock { $0.isStopped } }

  private func run() {
    let subscription = file.subscribeToCommits { [weak self] in self?.noteCommit() }
    defer {
      withExtendedLifetime(subscription) {}
      answerWaiters(.failed("The session has ended.")) { _, _ in true }
    }
    var client: SyncClient?
    var backOff = BackOff()
    var schedule = AuditSchedule(interval: auditInterval)
    var attempts = PushAttempts()
    while !isStopped {
      if report.isSuspended {
        change { $0.connection = .disconnected }
        pause(seconds: nil, client)
        continue
      }
      do {
        if client == nil {
          client = try makeClient(self)
          client!.maySend = { [unowned self] in !report.isSuspended }
        }
        try serve(client!, &schedule, &attempts) { backOff = BackOff() }
        client!.disconnect()
      } catch is SyncClient.StateConflict {
        // Another process has synchronised the file at the same time: begin with what it has stored.
        client?.disconnect()
        change { $0.connection = .disconnected }
        pause(seconds: backOff.next(), client)
      } catch {
        client?.disconnect()
        if client != nil, !(error is PostgresError), !(error is SyncProblem) { client = nil }
        note(error)
        if isStopped { break }
        pause(seconds: backOff.next(), client)
      }
    }
    change { $0.connection = .disconnected }
    try? client?.saveState()
    client?.disconnect()
  }

  /// Maximum time for which a connection is used, in seconds. The server cannot freeze the transaction numbers of the temporary tables
  /// of a connection.
  private static let connectionTime = 86_400.0

  /// Connects, and sends and receives until the session ends, is suspended, or fails, or the connection is a day old.
  private func serve(
    _ client: SyncClient, _ schedule: inout AuditSchedule, _ attempts: inout PushAttempts,
    succeeded: () -> Void
  ) throws {
    change { $0.connection = .connecting }
    let connections = try connect(self)
    defer { connections.listener?.close() }
    client.connection = connections.main
    try client.contact()
    change { $0.connection = .connected }
    attempts.retryAtOnce()
    isPullWanted.store(true, ordering: .relaxed)
    let renewal = Deadline.after(Self.connectionTime)
    var pace = pace
    while !isStopped && !report.isSuspended && !renewal.hasPassed {
      if takesRetry() { attempts.retryAtOnce() }
      let (pulls, began) = (control.withLock { $0.pullsBegun }, Deadline.clock)
      let hasSent = try runCycle(client, &schedule, &attempts)
      succeeded()
      if control.withLock({ $0.pullsBegun }) > pulls { pace.notePull(began: began, now: Deadline.clock) }
      if hasSent || isPullWanted.load(ordering: .relaxed) { continue }
      let limit = min(pollInterval, attempts.wait, pace.wait(now: Deadline.clock))
      let end = try connections.wait(seconds: schedule.wait(atMost: limit), interrupter)
      if case .notifications = end { pace.noteSignal(now: Deadline.clock) }
      if end == .timedOut || pace.wait(now: Deadline.clock) == 0 {
        isPullWanted.store(true, ordering: .relaxed)
      }
    }
  }

  /// Sends what is pending, once: a program that never ceases to write would otherwise keep out the changes of other clients. Then
  /// receives if anything may be new. Returns whether anything was sent, so that more may be pending.
  private func runCycle(
    _ client: SyncClient, _ schedule: inout AuditSchedule, _ attempts: inout PushAttempts
  ) throws -> Bool {
    client.noteTransfer = observers.isEmpty ? nil : { [observers] in observers.report($0) }
    let hasSent = try attempts.push(client)
    let failure = attempts.failure
    if let failure { change { $0.failure = failure } }
    client.noteReadBack = { [unowned self, unowned client] in answerUploads(client, failure) }
    // What the server has not accepted, or the program has withheld, is still to be sent.
    if hasSent || client.facts.waiting == 0 { reportEnd(.upload, hasSent ? client.transfer.transferred : 0) }
    let (audit, isAwaited) = control.withLock { control in
      (control.auditsWanted > control.auditsDone ? control.auditsWanted : nil, !control.waiters.isEmpty)
    }
    let isAudit = audit != nil || schedule.isDue(isBusy: hasSent || isAwaited)
    let isWanted = isPullWanted.exchange(false, ordering: .relaxed)
    guard hasSent || isWanted || isAudit || !client.isConfirmed else {
      finish(client, attempts, pull: nil)
      return false
    }
    // Together: a caller that asks for everything waits for the next pull that has not begun.
    let (number, isFull) = control.withLock { control in
      defer { control.isFullPullWanted = false }
      control.pullsBegun += 1
      return (control.pullsBegun, control.isFullPullWanted)
    }
    if isFull { client.requestFullPull() }
    if isAudit {
      // An audit that fails must not be the first thing after each new connection.
      schedule.noteAttempt()
      let findings = try client.audit()
      if let findings { schedule.note(findings) }
      if client.isPullApplied { reportEnd(.download, client.transfer.transferred) }
      finish(client, attempts, pull: findings == nil ? nil : number, audit: findings == nil ? nil : audit)
    } else {
      try client.pull()
      // Before a caller goes on that waits for the end.
      if client.isPullApplied { reportEnd(.download, client.transfer.transferred) }
      finish(client, attempts, pull: client.isPullApplied ? number : nil)
    }
    if client.isPullApplied {
      schedule.notePull(client.record.audit, now: client.serverTime)
    }
    try client.saveStateNowAndThen()
    if client.isPullApplied { try client.reportCursor() }
    return hasSent
  }

  private func reportEnd(_ direction: Transfer.Direction, _ rows: Int) {
    observers.report(Transfer(direction, transferred: rows, transferrable: rows, isComplete: true))
  }

  private func finish(
    _ client: SyncClient, _ attempts: PushAttempts, pull: UInt64?, audit: UInt64? = nil
  ) {
    control.withLock { control in
      control.report.facts = client.facts
      control.report.failure = attempts.failure
      control.report.stopReason = nil
      if client.isConfirmed {
        // It goes back when the server was restored.
        control.report.uploaded = client.uploadedVersion
      }
      if let pull {
        control.pullsApplied = pull
        control.report.lastCycle = SyncClock.systemMilliseconds()
      }
      if let audit { control.auditsDone = audit }
    }
    answerWaiters(.reached) { Self.holds($0.condition, $1) }
  }

  /// Answers the callers that wait for an upload, before the rows of the pull are applied that has confirmed it.
  ///
  /// - Parameter failure: Why the last push was not accepted; nil if it was. What has kept the session from the server is over.
  private func answerUploads(_ client: SyncClient, _ failure: Failure?) {
    change { report in
      report.facts = client.facts
      report.failure = failure
      report.stopReason = nil
      report.uploaded = client.uploadedVersion
    }
    answerWaiters(.reached) { waiter, control in
      if case .uploaded = waiter.condition { Self.holds(waiter.condition, control) } else { false }
    }
  }

  private func note(_ error: any Error) {
    change { report in
      // What a transfer finds of a schema that has just changed passes: the next contact says what is missing, if anything is.
      let isTransferring = report.connection == .connected
      report.connection = .disconnected
      report.failures += 1
      let reason = "\(error)"
      if let error = error as? PostgresError,
        !error.needsIntervention || isTransferring && error.kind == .retry
      {
        let former = report.failure.flatMap { $0.isRefusal == error.isAuthenticationFailure ? $0.since : nil }
        report.failure = Failure(
          since: former ?? SyncClock.systemMilliseconds(), reason: reason,
          isRefusal: error.isAuthenticationFailure)
      } else {
        let advice = (error as? PostgresError)?.advice
        report.stopReason = reason + (advice.map { "\n" + $0 } ?? "")
      }
    }
    if let reason = report.stopReason { answerWaiters(.failed(reason)) { _, _ in true } }
  }

  private func change(_ body: (inout Report) -> Void) { control.withLock { body(&$0.report) } }

  /// Maximum time until the next pull, in seconds, with a random part that keeps clients from pulling all at once.
  private var pollInterval: Double { report.pollInterval * Double.random(in: 0.75...1.25) }

  private func noteCommit() {
    if listensToCommits.load(ordering: .sequentiallyConsistent) { interrupter.wake() }
  }

  /// Waits until the session is woken by a command, or for some seconds.
  private func pause(seconds: Double?, _ client: SyncClient?) {
    let deadline = seconds.map { Deadline.after($0) } ?? .never
    var count = client.map { WaitingCount($0) }
    defer { listensToCommits.store(true, ordering: .sequentiallyConsistent) }
    while !deadline.hasPassed && !isStopped {
      // What is committed meanwhile waits.
      if let facts = count?.countIfDue() { change { $0.facts = facts } }
      // To be woken by each commit costs its writer more than the count.
      listensToCommits.store(count.map { !$0.hasNews } ?? false, ordering: .sequentiallyConsistent)
      // What was committed before that is news here.
      interrupter.wait(until: min(deadline, count?.due ?? .never))
      // Local commits wake it, too; they do not make a server that cannot be reached answer.
      if takesRetry() { return }
    }
  }

  /// Whether a pause between two attempts is to end because the program has asked for it since the last call.
  private func takesRetry() -> Bool {
    control.withLock { control in
      defer { control.retriesAtOnce = false }
      return control.retriesAtOnce
    }
  }
}
