import Foundation
import LibC
import Storage
import Sync
import TestSupport
import Testing

@Suite struct ConnectionTests {
  private func connect(_ server: PostgresServer) throws -> PostgresConnection {
    try server.connectToNewDatabase()
  }

  @Test func parametersAndResultsKeepTheirValues() throws {
    let connection = try connect(.shared())
    let rows = try connection.run(
      "select $1::text, $2, $3::bigint is null, $4::bigint[], $5",
      ["it's \"so\"", 5, nil, .integers([1, nil]), .value(.bool(true), .boolean)])
    #expect(rows.count == 1 && rows.columnCount == 5)
    #expect(rows[0].text(0) == "it's \"so\"")
    #expect(try rows[0].integer(1) == 5)
    #expect(rows[0].boolean(2) == true)
    #expect(rows[0].text(3) == "{1,NULL}")
    #expect(rows[0].boolean(4) == true)
  }

  @Test func binaryResultsAreDecoded() throws {
    let connection = try connect(.shared())
    let rows = try connection.run(
      "select 7::smallint, 8::int, 9::bigint, 'ä'::text, array[1, null]::bigint[], null::uuid, 1.50::numeric as d",
      binaryResults: true)
    let row = rows[0]
    #expect(try row.integer(0) == 7 && row.integer(1) == 8 && row.integer(2) == 9)
    #expect(try row.value(3, as: .text) == .string("ä"))
    #expect(try row.integers(4) == [1, nil])
    #expect(try row.value(5, as: .uuid) == .null)
    #expect(rows.columnName(6) == "d")
  }

  @Test func rowsOutliveTheirConnection() throws {
    var connection: PostgresConnection? = try connect(.shared())
    let rows = try #require(try connection?.run("select n::text from generate_series(1, 3) n"))
    connection?.close()
    connection = nil
    #expect(rows.map { $0.text(0) } == ["1", "2", "3"])
  }

  @Test func scriptsReturnTheirLastResult() throws {
    let connection = try connect(.shared())
    let rows = try connection.runScript(
      "create table t (a int); insert into t values (1), (2); select sum(a) from t")
    #expect(try rows[0].integer(0) == 3)
    #expect(try connection.run("update t set a = 5").affectedCount == 2)
  }

  @Test(arguments: [
    ("22003", "select 1::smallint * 40000::smallint * 40000::smallint", PostgresError.Kind.rejected),
    ("23505", "insert into k values (1), (1)", .rejected),
    ("42501", "set role other; select * from k", .rejected),
    ("42P01", "select * from missing", .retry), ("42703", "select missing from k", .retry),
    ("40001", "do $$ begin raise exception using errcode = '40001'; end $$", .retry),
    ("42601", "selec", .other), ("22P02", "select 'a'::int", .rejected),
    ("57014", "select pg_sleep(9)", .other),
  ])
  func errorsHaveTheirKind(state: String, statement: String, kind: PostgresError.Kind) throws {
    let server = try PostgresServer.shared()
    let connection = try connect(server)
    _ = try? server.psql("create role other")
    try connection.runScript("create table k (id int primary key); set statement_timeout = 20")
    let error = try #require(throws: PostgresError.self) { try connection.runScript(statement) }
    #expect(error.sqlState == state)
    #expect(error.kind == kind)
    #expect(!error.isConnectionLost && !error.isOutcomeUnknown)
    #expect(try connection.run("select 1")[0].integer(0) == 1)
  }

  @Test func errorsNameTheConstraintAndTheDetail() throws {
    let connection = try connect(.shared())
    try connection.runScript("create table k (id int constraint \"one of each\" primary key)")
    let error = try #require(throws: PostgresError.self) {
      try connection.run("insert into k values (1), (1)")
    }
    #expect(error.constraint == "one of each")
    #expect(error.description.contains("(id)=(1)") && error.description.contains("23505"))
  }

  @Test func committingAFailedTransactionIsAnError() throws {
    let connection = try connect(.shared())
    try connection.run("begin")
    #expect(throws: PostgresError.self) { try connection.run("select 1 / 0") }
    #expect(connection.isInTransaction)
    let error = try #require(throws: PostgresError.self) { try connection.commit() }
    #expect(error.sqlState == "25P02" && !error.isOutcomeUnknown)
    #expect(!connection.isInTransaction)
    try connection.run("begin")
    try connection.commit()
  }

  @Test func nullCharactersAreNotCutOff() throws {
    let connection = try connect(.shared())
    let error = try #require(throws: PostgresError.self) { try connection.run("select $1::text", ["a\0b"]) }
    #expect(error.kind == .rejected)
    #expect(throws: PostgresError.self) { try connection.run("select 1\0; drop table x") }
    #expect(try connection.run("select 1")[0].integer(0) == 1)
  }

  @Test func copyAsAStatementEndsTheConnection() throws {
    let connection = try connect(.shared())
    try connection.run("create table t (a int)")
    let error = try #require(throws: PostgresError.self) { try connection.run("copy t to stdout") }
    #expect(error.isConnectionLost && !connection.isOpen)
  }

  @Test func notificationsWakeAWaitingThread() throws {
    let server = try PostgresServer.shared()
    let database = try server.makeDatabase()
    let settings = try PostgresSettings(server.connectionString(database: database))
    let (listener, sender) = try (PostgresConnection(settings), PostgresConnection(settings))
    try listener.listen("realm \"app\"")
    #expect(try listener.waitForNotifications(until: .after(0)) == .timedOut)
    try sender.run("notify \"realm \"\"app\"\"\", 'now'")
    let expected = PostgresNotification(
      channel: "realm \"app\"", payload: "now", senderProcess: sender.backendProcess)
    #expect(try listener.waitForNotifications(until: .after(60)) == .notifications([expected]))
  }

  @Test func aSessionDoesNotAnswerItsOwnSignals() throws {
    let server = try PostgresServer.shared()
    let settings = try PostgresSettings(server.connectionString(database: server.makeDatabase()))
    let interrupter = PostgresInterrupter()
    let connections = try SessionConnections.open(settings, schema: "app", interrupter)
    try connections.main.query("notify realm_app", [])
    // With the answer, the server has sent what has happened before.
    try connections.listener?.run("select 1")
    #expect(try connections.wait(seconds: 0, interrupter) == .timedOut)
    try connections.main.query("notify realm_app", [])
    let other = try PostgresConnection(settings)
    try other.run("notify realm_app")
    guard case .notifications(let found) = try connections.wait(seconds: 60, interrupter) else {
      Issue.record("the signal of another program is answered")
      return
    }
    #expect(found.contains { $0.senderProcess == other.backendProcess })
  }

  @Test func anotherThreadInterruptsWaiting() throws {
    let connection = try connect(.shared())
    try connection.listen("c")
    let interrupter = connection.interrupter
    Thread.detachNewThread { interrupter.wake() }
    #expect(try connection.waitForNotifications(until: .after(60)) == .interrupted)
    // An interruption is taken once, and does not disturb statements.
    #expect(try connection.waitForNotifications(until: .after(0)) == .timedOut)
    interrupter.wake()
    #expect(try connection.run("select 1")[0].integer(0) == 1)
    #expect(try connection.waitForNotifications(until: .after(60)) == .interrupted)
  }

  @Test func anotherThreadStopsAStatement() throws {
    let connection = try connect(.shared())
    let interrupter = connection.interrupter
    Thread.detachNewThread { interrupter.stop() }
    let error = try #require(throws: PostgresError.self) { try connection.run("select pg_sleep(60)") }
    #expect(error.isInterrupted && error.isConnectionLost && !connection.isOpen)
  }

  @Test func anotherThreadCancelsAStatement() throws {
    let connection = try connect(.shared())
    let canceller = try #require(connection.canceller())
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // A request that comes before the statement has no effect.
      while (try? canceller.cancel()) != nil && ended.wait(timeout: .now() + 0.001) == .timedOut {}
    }
    let error = try #require(throws: PostgresError.self) { try connection.run("select pg_sleep(60)") }
    ended.signal()
    #expect(error.sqlState == "57014" && !error.isConnectionLost)
  }

  @Test func noticesAreNotPrinted() throws {
    let connection = try connect(.shared())
    try connection.runScript("set client_min_messages = notice; drop table if exists nothing; select 1")
    #expect(connection.serverVersion >= 150_000)
  }
}
