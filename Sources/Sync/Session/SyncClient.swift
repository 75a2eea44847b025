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
  /// What is noted in the file beside the state.
  package var record = SessionRecord()
  /// The record as the file has it.
  private var storedRecord: [UInt8]?
  /// Whether the next pull reads everything, also what is the same in the file.
  var wantsEverything = false
  /// The transfer that is going on, or the last one.
  package internal(set) var transfer = Transfer(.download, transferred: 0, transferrable: 0)
  /// Is called while rows are transferred; nil when no observer is registered.
  package var noteTransfer: ((Transfer) -> Void)?
  /// Rejected objects that the file does not remember yet.
  var newRejections: [RejectedObject] = []
  /// The values of the server that were reported because they cannot be read, with their stamps.
  var reportedUnreadable: [UnreadableValue.Place: Stamp] = [:]
  /// When the cursor was last reported to the server, in milliseconds since 1970.
  var lastReport: Int64 = 0
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
  /// Whether the server notes by what copies of a file, and of its versions, are recognised: one of an earlier version does not.
  var serverKnowsCopies = false
  /// For each class, the names of the routing properties on the server.
  var routing: [Set<String>] = []
  package internal(set) var facts = SyncFacts()
  /// Links that lead to objects which the file does not have.
  let links: UnresolvedLinks
  /// The lists of the file, and what waits in them.
  var lists: ListStates
  /// Milliseconds since 1970 by the clock of this machine.
  let time: () -> Int64
  let report: (SyncEvent) -> Void
  /// Whether pending changes may be sent now. A program that forbids it, and commits afterwards, has not sent that commit.
  package var maySend: () -> Bool = { true }
  /// Is called when the server has said, in the snapshot of a pull, that it has what was acknowledged, and left all of it as it
  /// was sent. The rows of the pull are read and applied after that.
  package var noteReadBack: () -> Void = {}
  /// The version in which the waiting changes were counted.
  var countedVersion: UInt64 = 0
  /// Maximum number of bytes of a pull's rows that are kept in memory until they are applied, as long as the disk takes the others.
  package var pullMemoryLimit = 16 << 20
  /// Waits until the disk has a version of the file. A test lets it return at once, to show what is lost then.
  package var waitForDurability: (UInt64) throws -> Void

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
    waitForDurability = { try file.waitUntilSynced($0) }
    snapshot = try Snapshot(file: file)
    classes = model.localClasses
    links = UnresolvedLinks(classes, snapshot.catalogue)
    lists = ListStates(model.localLists)
    try loadState()
    try links.load(snapshot, start: state.startOfPending)
    facts.lastAudit = record.audit
  }

  // MARK: State

  /// Reads the state in the file, unless it is the one that was read or written last.
  private func loadState() throws {
    guard let bytes = try snapshot.session(.state) else {
      throw SyncProblem("'\(file.path)' has no session: it was not prepared for synchronisation.")
    }
    let noted = try snapshot.session(.record)
    if noted != storedRecord {
      storedRecord = noted
      record = noted.flatMap { SessionRecord($0) } ?? SessionRecord()
    }
    try lists.load(snapshot)
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
    // What the program has asked for is not in the file.
    if wantsEverything { state.needsFullPull = true }
    newRejections = []
    knownPending = nil
  }

  /// Moves to the newest version of the file.
  package func refresh() throws {
    try snapshot.advance()
    try loadState()
    try links.load(snapshot, start: state.startOfPending)
  }

  /// Lets others use the space of the version that was read last: nothing is read before the next step begins.
  package func releaseVersion() { snapshot.release() }

  /// Returns what is pending at the version of the snapshot.
  package func pending() throws(StorageError) -> PendingChanges {
    var pending: PendingChanges
    if let knownPending { pending = knownPending } else { pending = try startOfPending() }
    knownPending = nil
    try pending.catchUp(with: snapshot, classes, state)
    pending.waitingLists = lists.waitingRows(after: state.acknowledged)
    knownPending = pending
    return pending
  }

  private func startOfPending() throws(StorageError) -> PendingChanges {
    var pending = startWithoutLateClasses()
    for late in state.lateClasses where late.version > state.startOfPending {
      guard let localClass = classes.first(where: { $0.name == late.name }) else { continue }
      pending.addAll(
        table: localClass.table, rowLimit: late.rowLimit,
        stamp: state.corrected(late.stamp, version: late.version))
      if let since = late.since, since < pending.version {
        try pending.add(changesOf: localClass, after: since, in: snapshot, state)
      }
    }
    return pending
  }

  private func startWithoutLateClasses() -> PendingChanges {
    if state.startOfPending > state.baseline { return PendingChanges(after: state.startOfPending) }
    var limits: [Int: Int] = [:]
    for localClass in classes { limits[localClass.table] = state.baselineRows[localClass.name] ?? 0 }
    let stamp = state.stampAtStartOfPending
    var pending = PendingChanges(everythingAt: state.baseline, stamp: stamp, rowLimits: limits)
    pending.newestStamp = stamp
    return pending
  }

  func forgetPending() {
    knownPending = nil
    lists.forgetEdits()
  }

  /// Writes the state to the file, if it is not there yet.
  package func saveState() throws {
    if state.encoded == storedState && noteTimes() == storedRecord && newRejections.isEmpty { return }
    try write { _ in }
  }

  /// Runs a transaction of sync on the file, which also stores the state.
  ///
  /// - Throws: `StateConflict` if another process has changed the state: then nothing is written.
  package func write(_ body: (WriteTransaction) throws -> Void) throws {
    let writer = Writer(snapshot)
    try writer.begin()
    let transaction = writer.transaction
    transaction.origin = .sync
    let formerLists = lists
    do {
      guard try snapshot.session(.state) == storedState, try lists.isCurrent(snapshot) else {
        throw StateConflict()
      }
      let again = try noteLinks()
      try composeLists(transaction)
      try body(transaction)
      if !newRejections.isEmpty {
        try NotedRejection.note(newRejections, time: serverTime, snapshot, transaction)
      }
      state.again.formUnion(again)
    } catch {
      writer.cancel()
      links.forgetAll()
      lists = formerLists
      if error is StateConflict { try loadState() }
      throw error
    }
    let bytes = state.encoded
    transaction.setSession(.state, bytes)
    let noted = noteTimes()
    if noted != storedRecord { transaction.setSession(.record, noted) }
    lists.store(snapshot, transaction, logBound: state.logBound)
    transaction.setTrimBound(min(state.logBound, lists.logBound))
    links.finish(transaction, examined: snapshot.version)
    do {
      try writer.commit(durability: .deferred)
    } catch {
      links.forgetAll()
      lists = formerLists
      throw error
    }
    storedState = bytes
    storedRecord = noted
    newRejections = []
  }

  /// Notes the times of the last transfers in the record. Returns its bytes.
  private func noteTimes() -> [UInt8] {
    record.lastAcknowledged = max(record.lastAcknowledged, facts.lastAcknowledged ?? 0)
    record.lastPull = max(record.lastPull, facts.lastPull ?? 0)
    return record.encoded
  }

  /// Another process has changed the state: what this one has read on the server is not what follows any more.
  struct StateConflict: Error {}

  // MARK: What a session asks

  /// Number of properties of rows that link to objects which the file does not have.
  package var unresolvedCount: Int { links.count }

  /// Lets the next pull read everything.
  package func requestFullPull() {
    state.needsFullPull = true
    wantsEverything = true
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

extension SyncModel {
  /// The classes as the realm file has them, in the same order.
  package var localClasses: [LocalClass] {
    classes.map { syncClass in
      LocalClass(
        name: syncClass.name, table: syncClass.table, keyColumn: syncClass.key.column,
        properties: syncClass.properties.enumerated().map { index, property in
          var local = LocalProperty(
            column: property.column, type: property.type,
            targets: property.isDocument ? [] : targets(of: property.type, property.target),
            isCounter: property.isCounter)
          local.embedded = EmbeddedPlace(property, index: index)
          return local
        },
        collections: syncClass.setsAndMaps.map {
          LocalCollection(
            column: $0.column, kind: $0.kind, element: $0.element, targets: targets(of: $0),
            documents: $0.documents)
        })
    }
  }

  /// Returns the classes whose objects the elements of a collection can link to.
  func targets(of collection: SyncCollection) -> [LinkTarget] {
    collection.documents == nil ? targets(of: collection.element, collection.target) : []
  }

  /// Returns the classes whose objects values of a type can link to.
  ///
  /// - Parameter name: The class that links lead to; nil if the values are no links.
  func targets(of type: ServerType, _ name: String?) -> [LinkTarget] {
    if type == .jsonb { return classes.map { LinkTarget($0) } }
    return name.flatMap { self[$0] }.map { [LinkTarget($0)] } ?? []
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
  /// Number of values of the server that could not be read.
  package var unreadable = 0
  /// What is added to the clock of this machine to get the server's, in milliseconds.
  package var clockOffset: Int64 = 0
  /// Number of objects of which something is pending.
  package var waiting = 0
  /// The stamp of the oldest pending change.
  package var oldestWaiting: Stamp?
  /// The last audit of the file.
  package var lastAudit: AuditFindings?
  /// Number of objects that the last pull has read or compared, and of those that it has changed in the file.
  package var lastPullCounts = (read: 0, changed: 0)
  /// The times from local commits to their acknowledgement.
  package var uploadLag = LagSamples()
  /// The times from the writes of other programs to their appearance here.
  package var downloadLag = LagSamples()
  /// The subscriptions that the server cannot evaluate; nil when it can.
  package var refusedSubscriptions: RefusedSubscriptions?
}
