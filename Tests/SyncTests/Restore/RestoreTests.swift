import Storage
import Sync
import TestSupport
import Testing

/// Databases that were restored, servers that took over, and clients that were away for long: real clusters.
@Suite(.serialized) struct RestoreTests {
  /// Without transactions of other tests, which would keep departures.
  private static let server = Result { try PostgresServer() }

  /// Two files that are clients of one database.
  private struct Fleet {
    let files: [SimulatedFile]

    init() throws {
      files = try (0..<2).map { try SimulatedFile(number: $0) }
    }

    /// Connects a client anew, and sends and receives.
    func synchronise(_ number: Int, _ server: PostgresServer, _ database: String) throws {
      let file = files[number]
      file.client.disconnect()
      file.settings = try server.settings(database)
      try file.transfer()
      // What the push did not leave as it was sent, and what had to be sent first.
      try file.transfer()
      file.client.disconnect()
    }

    func name(_ number: Int, _ id: Int64, _ name: String) throws { try files[number].name(id, name) }

    func delete(_ number: Int, _ id: Int64) throws { try files[number].deleteDog(id) }

    func dogs(_ number: Int) throws -> [String] { try files[number].dogs() }
  }

  private func prepare(_ server: PostgresServer) throws -> String {
    try server.makeDatabase(SimulatedModel.make())
  }

  private func dogs(_ server: PostgresServer, _ database: String) throws -> [String] {
    try server.psql("select id || ' ' || name from app.\"Dog\" order by id", database: database)
      .split(separator: "\n").map(String.init)
  }

  @Test func whatADumpLacksIsSentAgain() throws {
    let server = try PostgresServer.shared()
    let database = try prepare(server)
    let fleet = try Fleet()
    for id in 1...4 { try fleet.name(0, Int64(id), "first") }
    for number in [0, 1] { try fleet.synchronise(number, server, database) }
    let dump = try server.dump(database)
    try fleet.name(0, 1, "after the dump")
    try fleet.name(0, 5, "added after the dump")
    try fleet.delete(0, 2)
    for number in [0, 1] { try fleet.synchronise(number, server, database) }
    try fleet.name(1, 3, "not sent yet")
    // The numbers of the transactions begin anew there.
    let other = try PostgresServer()
    try other.psql("create role realm_user nologin")
    try other.restore(dump, as: "restored")
    #expect(try other.psql("select realm.rehistory()", database: "restored") == "4")
    #expect(try dogs(other, "restored") == ["1 first", "2 first", "3 first", "4 first"])
    for number in [1, 0, 1] { try fleet.synchronise(number, other, "restored") }
    let expected = ["1 after the dump", "3 not sent yet", "4 first", "5 added after the dump"]
    #expect(try fleet.dogs(0) == expected)
    #expect(try fleet.dogs(1) == expected)
    #expect(try dogs(other, "restored") == expected)
    #expect(fleet.files.map(\.resets) == [[.historyChanged], [.historyChanged]])
  }

  @Test func commitsThatAStandbyLacksAreSentAgain() throws {
    let primary = try PostgresServer()
    let database = try prepare(primary)
    let fleet = try Fleet()
    for id in 1...3 { try fleet.name(0, Int64(id), "first") }
    for number in [0, 1] { try fleet.synchronise(number, primary, database) }
    let standby = try primary.standby()
    try fleet.name(0, 1, "lost")
    try fleet.name(1, 2, "also lost")
    try fleet.delete(0, 3)
    for number in [0, 1, 0] { try fleet.synchronise(number, primary, database) }
    primary.stop(.immediate)
    try standby.promote()
    // It uses the numbers of the lost transactions again.
    for id in 10..<30 {
      try standby.psql("insert into app.\"Dog\" (id, name) values (\(id), 'new')", database: database)
    }
    for number in [0, 1, 0] { try fleet.synchronise(number, standby, database) }
    let expected = (["1 lost", "2 also lost"] + (10..<30).map { "\($0) new" }).sorted()
    #expect(try fleet.dogs(0) == expected)
    #expect(try fleet.dogs(1) == expected)
    #expect(try dogs(standby, database).sorted() == expected)
    #expect(fleet.files.map(\.resets) == [[.historyChanged], [.historyChanged]])
  }

  /// A transaction that was rolled back is not durable when snapshots show it as ended: after a crash, its number is used again.
  @Test func whatIsWrittenWithNumbersThatACrashTookBackArrives() throws {
    let server = try PostgresServer(isDurable: true)
    try server.psql("alter system set wal_writer_delay = '10 s'")
    try server.psql("select pg_reload_conf()")
    let database = try prepare(server)
    let fleet = try Fleet()
    try fleet.name(0, 1, "first")
    for number in [0, 1] { try fleet.synchronise(number, server, database) }
    for _ in 0..<5 { try server.psql("begin; select pg_current_xact_id(); rollback", database: database) }
    try fleet.synchronise(1, server, database)
    server.stop(.immediate)
    try server.start()
    for id in 2...4 {
      try server.psql("insert into app.\"Dog\" (id, name) values (\(id), 'later')", database: database)
    }
    for number in [1, 0] { try fleet.synchronise(number, server, database) }
    let expected = ["1 first", "2 later", "3 later", "4 later"]
    #expect(try fleet.dogs(1) == expected && fleet.dogs(0) == expected)
    // A server that was stopped in good order takes nothing back.
    let resets = fleet.files[1].resets.count
    server.stop()
    try server.start()
    try fleet.synchronise(1, server, database)
    #expect(fleet.files[1].resets.count == resets)
  }

  @Test func aClientThatWasAwayForLongLearnsOfWhatWasForgotten() throws {
    let server = try Self.server.get()
    let database = try prepare(server)
    let fleet = try Fleet()
    for id in 1...3 { try fleet.name(0, Int64(id), "first") }
    for number in [0, 1] { try fleet.synchronise(number, server, database) }
    try fleet.delete(0, 1)
    try fleet.synchronise(0, server, database)
    try fleet.name(1, 2, "written while away")
    // No client was seen within no time: what is remembered of the deletion goes.
    #expect(try server.psql("select realm.collect('0 s')", database: database) == "1")
    try fleet.synchronise(1, server, database)
    #expect(try fleet.dogs(1) == ["2 written while away", "3 first"])
    #expect(fleet.files[1].resets.count == 1)
    try fleet.synchronise(0, server, database)
    #expect(try fleet.dogs(0) == ["2 written while away", "3 first"])
  }

  @Test func departuresThatAllClientsHaveAreRemoved() throws {
    let server = try Self.server.get()
    let database = try prepare(server)
    let fleet = try Fleet()
    try fleet.name(0, 1, "first")
    try fleet.synchronise(0, server, database)
    try fleet.delete(0, 1)
    try fleet.synchronise(0, server, database)
    #expect(try server.psql("select realm.collect('1 day')", database: database) == "0")
    let client = fleet.files[0].client!
    client.connection = try server.connect(database)
    try client.contact()
    try client.pull()
    try client.reportCursor()
    #expect(try server.psql("select cursor is not null from realm.client", database: database) == "t")
    #expect(try server.psql("select realm.collect('1 day')", database: database) == "1")
    // It is told once an hour at most.
    try server.psql("update realm.client set cursor = null", database: database)
    try client.reportCursor()
    #expect(try server.psql("select cursor is null from realm.client", database: database) == "t")
    client.disconnect()
  }
}
