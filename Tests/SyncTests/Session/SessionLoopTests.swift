import LibC
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

/// The thread of a session when a program suspends the session or waits for it.
@Suite struct SessionLoopTests {
  @Test func nothingIsSentThatWasCommittedAfterTheSuspension() async throws {
    let server = try LinkedServer()
    let file = try LinkedFile(server)
    try file.write { _ in file.create(LinkedModel.dog, .int(1)) }
    // The client has looked for what is pending, and is about to send it.
    let commit: @Sendable (SyncLoop) throws -> Void = { [database = file.file!] loop in
      loop.setSuspended(true)
      let writer = try Snapshot(file: database)
      try Writer(writer).begin()
      writer.table(LinkedModel.dog).setValue(0, writer.table(LinkedModel.dog).insertRow(), .int(2))
      try Writer(writer).commit(durability: .deferred)
    }
    let isFirst = Atomic(true)
    let loop = SyncLoop(
      file.file, pollInterval: 1,
      makeClient: Self.client(file),
      connect: { [settings = server.settings] loop in
        let main = CuttingConnection(try PostgresConnection(settings), cut: nil) { sql in
          if sql == "begin", isFirst.exchange(false, ordering: .relaxed) { try commit(loop) }
          return sql
        }
        return SessionConnections(main: main, listener: nil)
      })
    let ends = Atomic(0)
    let observer = loop.observers.add(.upload, isOnce: false) { transfer in
      if transfer.isComplete { ends.add(1, ordering: .relaxed) }
    }
    defer { loop.observers.remove(observer) }
    #expect(loop.start())
    defer { loop.stop() }
    try await eventually { loop.report.isSuspended && loop.report.connection == .disconnected }
    try #require(server.rows("select id from app.\"Dog\"") == [])
    try await eventually { loop.report.facts.waiting == 2 }
    #expect(ends.load(ordering: .relaxed) == 0)
    loop.setSuspended(false)
    #expect(try await loop.wait(for: loop.uploadCondition()) == nil)
    #expect(try server.rows("select id from app.\"Dog\" order by id") == ["1", "2"])
  }

  @Test func anUploadIsConfirmedBeforeTheRowsOfThePullAreRead() async throws {
    let server = try LinkedServer()
    let file = try LinkedFile(server)
    try file.write { _ in file.create(LinkedModel.dog, .int(1)) }
    let isConfirmed = Atomic(false)
    let loop = SyncLoop(
      file.file, pollInterval: 1,
      makeClient: { [database = file.file!, model = file.model] _ in
        try SyncClient(database, model, schema: "app", time: SyncClock.systemMilliseconds, report: { _ in })
      },
      connect: { [settings = server.settings] _ in
        let main = CuttingConnection(try PostgresConnection(settings), cut: nil) { sql in
          // The server takes its time for them.
          while sql.hasPrefix("copy (select"), !isConfirmed.load(ordering: .relaxed) { usleep(1000) }
          return sql
        }
        return SessionConnections(main: main, listener: nil)
      })
    // What the session itself writes into the file later is confirmed by a later pull.
    let condition = loop.uploadCondition()
    #expect(loop.start())
    defer {
      isConfirmed.store(true, ordering: .relaxed)
      loop.stop()
    }
    #expect(try await loop.wait(for: condition) == nil)
    #expect(try server.rows("select id from app.\"Dog\"") == ["1"])
    #expect(loop.report.facts.waiting == 0)
    #expect(loop.report.lastCycle == nil)
    isConfirmed.store(true, ordering: .relaxed)
    #expect(try await loop.wait(for: loop.downloadCondition()) == nil)
    #expect(loop.report.lastCycle != nil)
  }

  /// Otherwise the file grows with each commit while the session is suspended, or the server cannot be reached.
  @Test func aSessionThatWaitsUsesNoVersionOfTheFile() async throws {
    let file = try LinkedFile(LinkedServer())
    let loop = SyncLoop(
      file.file, pollInterval: 1,
      makeClient: { [database = file.file!, model = file.model] _ in
        try SyncClient(database, model, schema: "app", time: SyncClock.systemMilliseconds, report: { _ in })
      },
      connect: { _ in throw PostgresError("there is no server") })
    let others = file.file.readers.count
    #expect(loop.start())
    defer { loop.stop() }
    for number in 1...3 {
      try file.write { _ in file.create(LinkedModel.dog, .int(Int64(number))) }
      try await eventually {
        loop.report.facts.waiting == number && file.file.readers.count == others
      }
    }
    loop.setSuspended(true)
    for number in 4...6 {
      try file.write { _ in file.create(LinkedModel.dog, .int(Int64(number))) }
      try await eventually {
        loop.report.facts.waiting == number && file.file.readers.count == others
      }
    }
  }

  /// The pauses between attempts grow to a minute while no caller waits.
  @Test func aCallerThatWaitsLetsTheSessionConnectAtOnce() async throws {
    let file = try LinkedFile(LinkedServer())
    let attempts = Atomic(0)
    let loop = SyncLoop(
      file.file, pollInterval: 1,
      makeClient: Self.client(file),
      connect: { _ in
        attempts.add(1, ordering: .relaxed)
        throw PostgresError("there is no server")
      })
    #expect(loop.start())
    defer { loop.stop() }
    for _ in 0..<30 {
      try await eventually { loop.report.connection == .disconnected && loop.report.failure != nil }
      let former = attempts.load(ordering: .relaxed)
      let waiting = Task { try await loop.wait(for: loop.downloadCondition()) }
      try await eventually { attempts.load(ordering: .relaxed) > former }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
  }

  /// The pauses after refused pushes grow to a minute while no caller waits.
  @Test func aCallerThatWaitsLetsTheSessionSendAtOnceWhatTheServerHasRefused() async throws {
    let server = try LinkedServer()
    let file = try LinkedFile(server)
    try file.write { _ in file.create(LinkedModel.dog, .int(1)) }
    let attempts = Atomic(0)
    let isFull = Atomic(true)
    let loop = SyncLoop(
      file.file, pollInterval: 3600, auditInterval: .infinity, makeClient: Self.client(file),
      connect: { [settings = server.settings] _ in
        let main = CuttingConnection(try PostgresConnection(settings), cut: nil) { sql in
          if sql == "begin", isFull.load(ordering: .relaxed) {
            attempts.add(1, ordering: .relaxed)
            throw PostgresError("there is no space left", sqlState: "53100")
          }
          return sql
        }
        return SessionConnections(main: main, listener: nil)
      })
    #expect(loop.start())
    defer { loop.stop() }
    for _ in 0..<30 {
      try await eventually { loop.report.failure != nil }
      let former = attempts.load(ordering: .relaxed)
      let waiting = Task { try await loop.wait(for: loop.uploadCondition()) }
      try await eventually { attempts.load(ordering: .relaxed) > former }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
    isFull.store(false, ordering: .relaxed)
    #expect(try await loop.wait(for: loop.uploadCondition()) == nil)
    #expect(try server.rows("select id from app.\"Dog\"") == ["1"])
  }

  /// The caller would otherwise go on after a pull that has read only what has changed.
  @Test func whatTheProgramAsksForDuringAPushIsReadByThePullThatFollows() async throws {
    let server = try LinkedServer()
    let file = try LinkedFile(server)
    try file.write { _ in file.create(LinkedModel.dog, .int(1)) }
    let condition = Mutex<SyncLoop.Condition?>(nil)
    let isReset = Atomic(false)
    let pulls = Mutex<[Bool]>([])
    let loop = SyncLoop(
      file.file, pollInterval: 3600, auditInterval: .infinity,
      makeClient: { [database = file.file!, model = file.model] _ in
        try SyncClient(database, model, schema: "app", time: SyncClock.systemMilliseconds) { event in
          if case .reset(.requested) = event { isReset.store(true, ordering: .relaxed) }
        }
      },
      connect: { [settings = server.settings] loop in
        let main = CuttingConnection(try PostgresConnection(settings), cut: nil) { sql in
          if sql == "begin", condition.withLock({ $0 == nil }) {
            loop.requestFullPull()
            condition.withLock { $0 = loop.downloadCondition() }
          }
          if sql.hasPrefix("begin isolation level") {
            pulls.withLock { $0.append(isReset.load(ordering: .relaxed)) }
          }
          return sql
        }
        return SessionConnections(main: main, listener: nil)
      })
    #expect(loop.start())
    defer { loop.stop() }
    try await eventually { condition.withLock { $0 != nil } }
    #expect(try await loop.wait(for: #require(condition.withLock { $0 })) == nil)
    #expect(pulls.withLock { $0.first } == true)
  }

  @Test func onlySignalsWaitForTheirDelay() async throws {
    let server = try LinkedServer()
    let file = try LinkedFile(server)
    let pulls = Atomic(0)
    // Each signal is answered after an hour.
    let pace = SignalPace(shortest: 3600, longest: 3600, pause: .infinity) { $0 }
    let loop = SyncLoop(
      file.file, pollInterval: 3600, auditInterval: .infinity, pace: pace, makeClient: Self.client(file),
      connect: { [settings = server.settings] loop in
        let main = CuttingConnection(try PostgresConnection(settings), cut: nil) { sql in
          if sql.hasPrefix("begin isolation level") { pulls.add(1, ordering: .relaxed) }
          return sql
        }
        let listener = try PostgresConnection(settings, interrupter: loop.interrupter)
        try listener.listen(SyncClient.channel(of: "app"))
        return SessionConnections(main: main, listener: listener)
      })
    #expect(loop.start())
    defer { loop.stop() }
    #expect(try await loop.wait(for: loop.downloadCondition()) == nil)
    for key in 1...100 {
      try server.outsider.runScript("insert into app.\"Dog\" (id) values (\(key)); notify realm_app")
    }
    #expect(try await loop.wait(for: loop.downloadCondition()) == nil)
    try file.writer.advance()
    #expect((1...100).allSatisfy { file.row(LinkedModel.dog, .int($0)) != nil })
    try file.write { _ in file.create(LinkedModel.dog, .int(101)) }
    try await eventually { try server.rows("select id from app.\"Dog\" where id = 101") == ["101"] }
    // Two for each call that waits, and two for the commit.
    #expect(pulls.load(ordering: .relaxed) <= 6)
  }

  private static func client(_ file: LinkedFile) -> @Sendable (SyncLoop) throws -> SyncClient {
    { [database = file.file!, model = file.model] _ in
      try SyncClient(database, model, schema: "app", time: SyncClock.systemMilliseconds, report: { _ in })
    }
  }
}
