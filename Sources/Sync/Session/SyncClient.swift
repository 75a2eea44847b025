package import Storage

/// One realm file as a client of the server: registers, sends what is pending, and applies what has changed there.
///
/// Each operation is one transaction on the server, and can end at any step without loss: what the file says then is what the
/// next one begins with. One thread uses a client at a time.
package final class SyncClient {
  package let file: DatabaseFile
  let snapshot: Snapshot
  let model: SyncModel
  let schema: String
  /// In the order of the model's classes.
  let classes: [LocalClass]
  /// The connection; nil while there is none.
  package var connection: (any ServerConnection)?
  /// What the file says, and what has been learned since then.
  package var state = SessionState()
  /// The state as the file has it.
  private var storedState: [UInt8]?
  /// When the state was stored for no other reason, in milliseconds since 1970.
  private var lastSave: Int64 = 0
  /// Whether the last pull was applied, and not dropped because of what came between.
  package internal(set) var isPullApplied = false
  /// What is pending; nil when it has to be computed again.
  private var knownPending: PendingChanges?
  /// For each class, the numbers of the properties on the server, from 1.
  var propertyNumbers: [[Int]] = []
  var facts = SyncFacts()
  /// Milliseconds since 1970 by the clock of this machine.
  let time: () -> Int64
  let report: (SyncEvent) -> Void

  /// - Parameters:
  ///   - model: The synced classes of the file's catalogue.
  ///   - schema: The schema on the server.
  ///   - time: Milliseconds since 1970 by the clock of this machine.
  ///   - report: Is called with what the program has to know.
  /// - Throws: `StorageError`; `SyncProblem` for a file that is not prepared for sync.
  package init(
    _ file: DatabaseFile, _ model: SyncModel, schema: String, time: @escaping () -> Int64,
    report: @escaping (SyncEvent) -> Void
  ) throws {
    self.file = file
    self.model = model
    self.schema = schema
    self.time = time
    self.report = report
    snapshot = try Snapshot(file: file)
    classes = model.classes.map { LocalClass($0) }
    try loadState()
  }

  // MARK: State

  /// Reads the state in the file, if another process or nobody yet has read it.
  private func loadState() throws {
    guard let bytes = try snapshot.session(.state) else {
      throw SyncProblem("'\(file.path)' has no session: it was not prepared for synchronisation.")
    }
    if bytes == storedState { return }
    guard let loaded = SessionState(bytes) else {
      throw SyncProblem("The session in '\(file.path)' was written by a newer version of this library.")
    }
    if !loaded.synced.isEmpty, loaded.synced.filter({ !$0.value.isEmpty }) != SessionState.synced(model) {
      throw SyncProblem(
        "Another process synchronises '\(file.path)' with other classes or properties: use the same in all processes."
      )
    }
    storedState = bytes
    state = loaded
    knownPending = nil
  }

  /// Moves to the newest version of the file.
  package func refresh() throws {
    try snapshot.advance()
    try loadState()
  }

  /// Returns what is pending at the version of the snapshot.
  package func pending() throws(StorageError) -> PendingChanges {
    var pending = knownPending ?? startOfPending()
    knownPending = nil
    try pending.catchUp(with: snapshot, classes, state)
    knownPending = pending
    return pending
  }

  private func startOfPending() -> PendingChanges {
    var pending = startWithoutLateClasses()
    for late in state.lateClasses {
      guard let localClass = classes.first(where: { $0.name == late.name }) else { continue }
      pending.addAll(
        table: localClass.table, rowLimit: late.rowLimit,
        stamp: state.corrected(late.stamp, version: late.version))
    }
    return pending
  }

  private func startWithoutLateClasses() -> PendingChanges {
    if state.startOfPending > state.baseline { return PendingChanges(after: state.startOfPending) }
    var limits: [Int: Int] = [:]
    for localClass in classes { limits[localClass.table] = state.baselineRows[localClass.name] ?? 0 }
    return PendingChanges(
      everythingAt: state.baseline, stamp: state.corrected(state.baselineStamp, version: 0),
      rowLimits: limits)
  }

  func forgetPending() { knownPending = nil }

  /// Writes the state to the file, if it is not there yet.
  package func saveState() throws {
    if state.encoded == storedState { return }
    try write { _ in }
  }

  /// Runs a transaction of sync on the file, which also stores the state.
  ///
  /// - Throws: `StateConflict` if another process has changed the state: then nothing is written.
  func write(_ body: (WriteTransaction) throws -> Void) throws {
    try snapshot.beginWrite()
    let transaction = snapshot.writing!
    transaction.origin = .sync
    do {
      guard try snapshot.session(.state) == storedState else { throw StateConflict() }
      try body(transaction)
    } catch {
      snapshot.cancelWrite()
      if error is StateConflict { try loadState() }
      throw error
    }
    let bytes = state.encoded
    transaction.setSession(.state, bytes)
    transaction.setTrimBound(state.logBound)
    try snapshot.commitWrite(durability: .deferred)
    storedState = bytes
  }

  /// Another process has changed the state: what this one has read on the server is not what follows any more.
  struct StateConflict: Error {}

  // MARK: What a session asks

  /// Lets the next pull read everything.
  package func requestFullPull() {
    state.needsFullPull = true
    report(.reset(.requested))
  }

  /// Whether the server was read after the last acknowledgement, and still said the same.
  var isConfirmed: Bool { facts.confirmedVersion >= state.acknowledged && facts.lastPull != nil }

  /// The version up to which the server has everything.
  var uploadedVersion: UInt64 { max(state.acknowledged, state.scanned) }

  /// Stores the state if it has not been for a minute.
  package func saveStateNowAndThen() throws {
    let now = time()
    if now - lastSave < 60_000 { return }
    lastSave = now
    do {
      try saveState()
    } catch is StateConflict {
      // The state that the other process has stored is as good.
    }
  }

  /// The connection, for a step that needs one.
  func connected() throws(PostgresError) -> any ServerConnection {
    if let connection { return connection }
    throw PostgresError("there is no connection")
  }

  /// Closes the connection.
  package func disconnect() {
    connection?.close()
    connection = nil
  }
}

extension SessionKey {
  /// The state of the session.
  static let state = SessionKey(Kind(rawValue: 16))
}

extension LocalClass {
  package init(_ syncClass: SyncClass) {
    self.init(
      name: syncClass.name, table: syncClass.table, keyColumn: syncClass.key.column,
      columns: syncClass.properties.map(\.column))
  }
}

/// What a client has observed since it was made.
package struct SyncFacts: Sendable {
  /// When the server last confirmed to have a version, by its clock, in milliseconds since 1970.
  package var lastAcknowledged: Int64?
  /// The time of the server's state that was applied last, by its clock, in milliseconds since 1970.
  package var lastPull: Int64?
  /// The version that was read back as acknowledged.
  package var confirmedVersion: UInt64 = 0
  /// Number of objects that the server has refused.
  package var rejected = 0
  /// What is added to the clock of this machine to get the server's, in milliseconds.
  package var clockOffset: Int64 = 0
  /// Number of objects of which something is pending.
  package var waiting = 0
  /// The stamp of the oldest pending change.
  package var oldestWaiting: Stamp?
}
