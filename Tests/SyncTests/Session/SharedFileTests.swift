import Foundation
import Storage
import Sync
import TestSupport
import Testing

/// Two clients of one file, as two processes have them; and rows that no client has written.
@Suite struct SharedFileTests {
  private let folder = ScratchFolder()

  private func makeSettings() throws -> PostgresSettings {
    try ModelServer(SimulatedModel.make()).settings
  }

  private func makeClient(_ file: DatabaseFile, _ settings: PostgresSettings) throws -> SyncClient {
    let client = try SyncClient(
      file, SimulatedModel.make(), schema: "app", time: { SyncClock.systemMilliseconds() },
      report: { _ in })
    client.connection = try PostgresConnection(settings)
    return client
  }

  /// A file with two clients, which have what the server has.
  private func makeShared() throws -> (PostgresSettings, SimulatedFile, SyncClient, SyncClient) {
    let settings = try makeSettings()
    let file = try SimulatedFile()
    let clients = try (0..<2).map { _ in try makeClient(file.file, settings) }
    for client in clients {
      try client.contact()
      try client.pull()
    }
    return (settings, file, clients[0], clients[1])
  }

  private func addDog(_ key: Int64, to file: SimulatedFile) throws {
    try file.write { addDog(key, $0) }
  }

  private func addDog(_ key: Int64, _ snapshot: Snapshot) {
    let table = snapshot.table(SimulatedModel.dog)
    let row = table.insertRow()
    table.setInteger(0, row, key)
    table.setString(1, row, "Rex")
    table.setInteger(2, row, 1)
  }

  /// A machine that is busy would otherwise put its changes before those that they follow.
  @Test func aLateAnswerOfTheServerDoesNotChangeTheClock() throws {
    let file = try SimulatedFile()
    let client = try SyncClient(
      file.file, SimulatedModel.make(), schema: "app",
      time: {
        usleep(300_000)
        return SyncClock.systemMilliseconds()
      }, report: { _ in })
    client.connection = try PostgresConnection(try makeSettings())
    for _ in 0..<2 {
      try client.contact()
      #expect(try file.writer.syncClock().offset == 0 && client.facts.clockOffset == 0)
    }
    client.disconnect()
  }

  @Test func aPullThatMeetsThePushOfAnotherProcessGoesOn() throws {
    let (settings, file, first, second) = try makeShared()
    // The other process commits and sends when this one has looked at the file, before it asks the server.
    var isFirst = true
    first.connection = CuttingConnection(try PostgresConnection(settings), cut: nil) { sql in
      if sql.hasPrefix("begin isolation level"), isFirst {
        isFirst = false
        do {
          try addDog(1, to: file)
          try second.push()
        } catch {
          Issue.record(error)
        }
      }
      return sql
    }
    try first.pull()
    #expect(!isFirst)
    try first.pull()
    #expect(first.isPullApplied)
    #expect(try first.push() == false)
    for client in [first, second] { client.disconnect() }
  }

  @Test func aStateThatAnotherProcessHasStoredIsNoError() throws {
    let (settings, file, first, second) = try makeShared()
    try first.refresh()
    // Another snapshot, and nothing to apply: the cursors move in memory.
    try PostgresConnection(settings).runScript("create table public.unrelated ()")
    for client in [first, second] { try client.pull() }
    try addDog(1, to: file)
    try second.push()
    try second.pull()
    try second.saveState()
    try first.saveStateNowAndThen()
    try first.pull()
    #expect(first.state.acknowledged == second.state.acknowledged)
    for client in [first, second] { client.disconnect() }
  }

  @Test func whatAProgramAsksForIsNotForgottenWhenAnotherProcessStoresItsState() throws {
    let (_, file, first, second) = try makeShared()
    first.requestFullPull()
    try addDog(1, to: file)
    try second.push()
    try second.pull()
    try second.saveState()
    try first.refresh()
    #expect(first.state.needsFullPull && !second.state.needsFullPull)
    for client in [first, second] { client.disconnect() }
  }

  /// Both would otherwise be one client for the server, and each would take the other's acknowledgements for its own.
  @Test func aCopyIsAClientOfItsOwn() throws {
    let settings = try makeSettings()
    let original = try SimulatedFile()
    let first = try makeClient(original.file, settings)
    try synchronise(first)
    try addDog(1, to: original)
    try Snapshot(file: original.file).writeCopy(to: folder.path("copy.realm"))
    let copy = try DatabaseFile.open(path: folder.path("copy.realm"))
    for key in 100..<115 { try addDog(Int64(key), to: original) }
    try synchronise(first)
    let writer = try Snapshot(file: copy)
    for key in 10..<40 {
      try Writer(writer).begin()
      addDog(Int64(key), writer)
      try Writer(writer).commit()
    }
    let second = try makeClient(copy, settings)
    try synchronise(second)
    try synchronise(first)
    #expect(first.state.client != second.state.client)
    for file in [original.file!, copy] {
      let snapshot = try Snapshot(file: file)
      #expect(snapshot.liveCount(table: SimulatedModel.dog) == 1 + 15 + 30)
    }
  }

  /// The server has a version of one file, and the same version of the other one is not the same.
  @Test(arguments: [0, 1]) func whatBothFilesWriteInOneMillisecondIsSent(first: Int) throws {
    let settings = try makeSettings()
    let original = try SimulatedFile()
    original.settings = settings
    try original.pull()
    try addDog(1, to: original)
    let files = [original, try original.copy(number: 1, isClosed: true)]
    let now = SyncClock.systemMilliseconds() + 10
    for file in files {
      file.settings = settings
      file.file.milliseconds = { now }
    }
    var key: Int64 = 1
    var stamps: Set<UInt64> = []
    // Once in 4096 cases, both get the same stamp.
    while key < 7 && stamps.count < 2 {
      stamps = []
      for file in files {
        key += 1
        stamps.insert(try file.write { addDog(key, $0) })
      }
    }
    for turn in 0..<4 { try files[(first + turn) % 2].transfer() }
    for file in files { #expect(try file.keys(table: SimulatedModel.dog).count == key) }
  }

  @Test func aCopyGoesOnWithADatabaseThatWasRestored() throws {
    let settings = try makeSettings()
    let original = try SimulatedFile()
    let first = try makeClient(original.file, settings)
    try synchronise(first)
    try addDog(1, to: original)
    try synchronise(first)
    try Snapshot(file: original.file).writeCopy(to: folder.path("copy.realm"))
    try PostgresConnection(settings).runScript("select realm.rehistory()")
    let copy = try DatabaseFile.open(path: folder.path("copy.realm"))
    let writer = try Snapshot(file: copy)
    try Writer(writer).begin()
    addDog(2, writer)
    try Writer(writer).commit()
    let second = try makeClient(copy, settings)
    try synchronise(second)
    first.disconnect()
    let again = try makeClient(original.file, settings)
    try synchronise(again)
    #expect(again.state.client != second.state.client)
    for file in [original.file!, copy] {
      #expect(try Snapshot(file: file).liveCount(table: SimulatedModel.dog) == 2)
    }
  }

  @Test func anotherDatabaseTakesNothingFromTheFile() throws {
    let file = try SimulatedFile()
    try addDog(1, to: file)
    try synchronise(makeClient(file.file, makeSettings()))
    let settings = try makeSettings()
    // The other database knows a client with the same number.
    let other = try SimulatedFile(number: 1)
    try synchronise(makeClient(other.file, settings))
    let moved = try makeClient(file.file, settings)
    let problem = #expect(throws: SyncProblem.self) { try moved.contact() }
    #expect(problem.map { "\($0)".contains("not the one with which") } == true)
    #expect(try Snapshot(file: file.file).liveCount(table: SimulatedModel.dog) == 1)
  }

  private func synchronise(_ client: SyncClient) throws {
    try client.contact()
    while try client.push() {}
    try client.pull()
  }

  @Test func aRowOfTheFarFutureDoesNotMoveTheClockOfTheFile() throws {
    let settings = try makeSettings()
    let file = try SimulatedFile()
    let client = try makeClient(file.file, settings)
    try client.contact()
    let outsider = try PostgresConnection(settings)
    try outsider.runScript(
      """
      begin; set local realm.push = 'on';
      insert into app."Dog" (id, name, _at, _rx) values (1, 'Future', 9223372036854775807, pg_current_xact_id());
      commit
      """)
    try client.pull()
    try addDog(2, to: file)
    try file.write { snapshot in
      // A deletion and a creation with one stamp.
      let table = snapshot.table(SimulatedModel.dog)
      table.deleteRow(file.row(SimulatedModel.dog, .int(2))!)
      let row = table.insertRow()
      table.setInteger(0, row, 2)
      table.setString(1, row, "Later")
      table.setInteger(2, row, 1)
    }
    try client.push()
    try outsider.runScript("update app.\"Dog\" set name = 'Last' where id = 2")
    try client.pull()
    let stamp = Stamp(rawValue: Int64(bitPattern: try file.writer.syncClock().greatest))
    #expect(abs(stamp.milliseconds - SyncClock.systemMilliseconds()) < 600_000)
    #expect(try file.objects(SimulatedModel.dog)[ExactValue(.int(2))]?.first == ExactValue(.string("Last")))
    client.disconnect()
  }

  @Test func searchingForRejectedRowsHasAnIndex() throws {
    let settings = try makeSettings()
    let file = try SimulatedFile()
    let client = try makeClient(file.file, settings)
    let connection = try PostgresConnection(settings)
    try connection.runScript("alter table app.\"Dog\" add check (id <> 7)")
    client.connection = connection
    try client.contact()
    for key in 1...300 { try addDog(Int64(key), to: file) }
    try client.push()
    // Without it, each step of the search reads the whole input.
    let indexes = try connection.run("select count(*) from pg_indexes where tablename = 'Dog$in'")
    #expect(try indexes[0].integer(0) == 1)
    try client.pull()
    #expect(try file.objects(SimulatedModel.dog).count == 299)
    client.disconnect()
  }
}
