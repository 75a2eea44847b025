package import Storage
import Synchronization

/// The thread that keeps one realm file in step with the server: connects, sends, receives, waits, and begins again after
/// failures, for ever.
package final class SyncLoop: Sendable {
  /// The state of the connection.
  package enum Connection: Sendable {
    case disconnected, connecting, connected
  }

  /// What is known of a session, by the clock of this machine where nothing else is said.
  package struct Report: Sendable {
    package var facts = SyncFacts()
    package var connection = Connection.disconnected
    package var isSuspended = false
    /// Why the session sends and receives nothing: the schema, a privilege or the file has to be changed first.
    package var stopReason: String?
    /// Why the connection failed, and since when, in milliseconds since 1970.
    package var failure: (since: Int64, reason: String)?
    /// When the session has last confirmed both directions, in milliseconds since 1970.
    package var lastCycle: Int64?
    /// When the session was made, in milliseconds since 1970.
    package var started: Int64
    /// The version up to which the server has everything, read back from the server.
    package var uploaded: UInt64 = 0
    /// Maximum time between two pulls while the server sends no signal, in seconds.
    package var pollInterval: Double
  }

  /// What a caller waits for.
  package enum Condition: Sendable {
    /// The server has everything up to a version.
    case uploaded(UInt64)
    /// A pull with at least this number has been applied.
    case pulled(UInt64)
    /// An audit that was asked for with this number has ended.
    case audited(UInt64)
  }

  private struct Waiter: Sendable {
    var condition: Condition
    var resume: @Sendable (String?) -> Void
  }

  private struct Control: Sendable {
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
  }

  private let control: Mutex<Control>
  /// Whether the server may have something new.
  private let isPullWanted = Atomic(true)
  package let interrupter = PostgresInterrupter()
  package let observers = TransferObservers()
  private let file: DatabaseFile
  private let auditInterval: Double
  private let makeClient: @Sendable (SyncLoop) throws -> SyncClient
  private let connect: @Sendable (SyncLoop) throws -> SessionConnections

  /// - Parameters:
  ///   - auditInterval: Seconds between two audits in the background; infinite for none.
  ///   - makeClient: Makes the client, on the thread of the loop.
  ///   - connect: Connects to the server.
  package init(
    _ file: DatabaseFile, pollInterval: Double, auditInterval: Double = 86_400,
    makeClient: @escaping @Sendable (SyncLoop) throws -> SyncClient,
    connect: @escaping @Sendable (SyncLoop) throws -> SessionConnections
  ) {
    self.file = file
    self.auditInterval = auditInterval
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

  /// The condition that the server has everything that the file has now.
  package func uploadCondition() -> Condition { .uploaded(file.newestVersion) }

  /// The condition that the file has a state of the server that is later than now.
  package func downloadCondition() -> Condition { .pulled(control.withLock { $0.pullsBegun } + 1) }

  /// Waits for a condition. Returns why it will not hold; nil when it holds.
  package func wait(for condition: Condition) async -> String? {
    await withCheckedContinuation { continuation in
      notify(when: condition) { continuation.resume(returning: $0) }
    }
  }

  /// Calls back, on any thread, when a condition holds, or with the reason why it will not.
  package func notify(when condition: Condition, _ resume: @escaping @Sendable (String?) -> Void) {
    let answer: String?? = control.withLock { control in
      if Self.holds(condition, control) { return .some(nil) }
      if control.isStopped { return "The session has ended." }
      if let reason = control.report.stopReason { return reason }
      control.waiters.append(Waiter(condition: condition, resume: resume))
      return nil
    }
    if let answer { return resume(answer) }
    isPullWanted.store(true, ordering: .relaxed)
    interrupter.wake()
  }

  private static func holds(_ condition: Condition, _ control: Control) -> Bool {
    switch condition {
    case .uploaded(let version): control.report.uploaded >= version
    case .pulled(let number): control.pullsApplied >= number
    case .audited(let number): control.auditsDone >= number
    }
  }

  // MARK: On the thread

  private var isStopped: Bool { control.withLock { $0.isStopped } }

  private func run() {
    let subscription = file.subscribeToCommits { [interrupter] in interrupter.wake() }
    defer {
      withExtendedLifetime(subscription) {}
      answerWaiters("The session has ended.") { _ in true }
    }
    var client: SyncClient?
    var backOff = BackOff()
    var schedule = AuditSchedule(interval: auditInterval)
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
        try serve(client!, &schedule) { backOff = BackOff() }
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

  /// Connects, and sends and receives until the session ends, is suspended, or fails.
  private func serve(
    _ client: SyncClient, _ schedule: inout AuditSchedule, succeeded: () -> Void
  ) throws {
    change { $0.connection = .connecting }
    let connections = try connect(self)
    defer { connections.listener?.close() }
    client.connection = connections.main
    try client.contact()
    change { $0.connection = .connected }
    isPullWanted.store(true, ordering: .relaxed)
    while !isStopped && !report.isSuspended {
      let hasSent = try runCycle(client, &schedule)
      succeeded()
      if hasSent || isPullWanted.load(ordering: .relaxed) { continue }
      if try connections.wait(seconds: schedule.wait(atMost: pollInterval), interrupter) {
        isPullWanted.store(true, ordering: .relaxed)
      }
    }
  }

  /// Sends what is pending, once: a program that never ceases to write would otherwise
  /// keep out the changes of other clients. Then receives
  /// if anything may be new. Returns whether anything was sent, so that more may be pending.
  private func runCycle(_ client: SyncClient, _ schedule: inout AuditSchedule) throws -> Bool {
    client.noteTransfer = observers.isEmpty ? nil : { [observers] in observers.report($0) }
    if control.withLock({ control in
      defer { control.isFullPullWanted = false }
      return control.isFullPullWanted
    }) {
      client.requestFullPull()
    }
    let hasSent = try client.measuredPush()
    reportEnd(.upload, hasSent ? client.transfer.transferred : 0)
    let audit = control.withLock { $0.auditsWanted > $0.auditsDone ? $0.auditsWanted : nil }
    let isAudit = audit != nil || schedule.isDue
    let isWanted = isPullWanted.exchange(false, ordering: .relaxed)
    guard hasSent || isWanted || isAudit || !client.isConfirmed else {
      finish(client, pull: nil)
      return false
    }
    let number = control.withLock { control in
      control.pullsBegun += 1
      return control.pullsBegun
    }
    if isAudit {
      // An audit that fails must not be the first thing after each new connection.
      schedule.noteAttempt()
      let findings = try client.audit()
      if let findings { schedule.note(findings) }
      finish(client, pull: findings == nil ? nil : number, audit: findings == nil ? nil : audit)
    } else {
      try client.pull()
      finish(client, pull: client.isPullApplied ? number : nil)
    }
    if client.isPullApplied {
      reportEnd(.download, client.transfer.transferred)
      schedule.notePull(client.record.audit, now: client.serverTime)
    }
    try client.saveStateNowAndThen()
    if client.isPullApplied { try client.reportCursor() }
    return hasSent
  }

  private func reportEnd(_ direction: Transfer.Direction, _ rows: Int) {
    observers.report(Transfer(direction, transferred: rows, transferrable: rows, isComplete: true))
  }

  private func finish(_ client: SyncClient, pull: UInt64?, audit: UInt64? = nil) {
    control.withLock { control in
      control.report.facts = client.facts
      control.report.failure = nil
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
    answerWaiters(nil) { condition in control.withLock { Self.holds(condition, $0) } }
  }

  private func note(_ error: any Error) {
    change { report in
      // What a transfer finds of a schema that has just changed passes: the next contact says what is missing, if anything is.
      let isTransferring = report.connection == .connected
      report.connection = .disconnected
      let reason = "\(error)"
      if let error = error as? PostgresError,
        !error.needsIntervention || isTransferring && error.kind == .retry
      {
        report.failure = (report.failure?.since ?? SyncClock.systemMilliseconds(), reason)
      } else {
        report.stopReason = reason
      }
    }
    if let reason = report.stopReason { answerWaiters(reason) { _ in true } }
  }

  private func answerWaiters(_ answer: String?, where condition: (Condition) -> Bool) {
    let waiters = control.withLock { control in
      defer { control.waiters = [] }
      return control.waiters
    }
    var others: [Waiter] = []
    for waiter in waiters {
      if condition(waiter.condition) { waiter.resume(answer) } else { others.append(waiter) }
    }
    control.withLock { $0.waiters.append(contentsOf: others) }
  }

  private func change(_ body: (inout Report) -> Void) { control.withLock { body(&$0.report) } }

  /// Maximum time until the next pull, in seconds, with a random part that keeps clients from pulling all at once.
  private var pollInterval: Double { report.pollInterval * Double.random(in: 0.75...1.25) }

  /// Waits until the session is woken by a command, or for some seconds.
  private func pause(seconds: Double?, _ client: SyncClient?) {
    let deadline = seconds.map { Deadline.after($0) } ?? .never
    var count = client.map { WaitingCount($0) }
    while !deadline.hasPassed && !isStopped {
      // What is committed meanwhile waits.
      if let facts = count?.countIfDue() { change { $0.facts = facts } }
      interrupter.wait(until: min(deadline, count?.due ?? .never))
      // Local commits wake it, too; they do not make a server that cannot be reached answer.
      let retries = control.withLock { control in
        defer { control.retriesAtOnce = false }
        return control.retriesAtOnce
      }
      if retries { return }
    }
  }
}
