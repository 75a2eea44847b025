import Foundation
import LibC
import Storage
import Sync
import TestSupport
import Testing

/// What a connection does when server or network fail.
@Suite struct FaultTests {
  private let server: PostgresServer
  private let database: String

  init() throws {
    server = try .shared()
    database = try server.makeDatabase()
    try server.psql("create table t (n bigint)", database: database)
  }

  /// Settings with which nothing is given up because the machine is slow.
  private func settings(_ string: String) throws -> PostgresSettings {
    var settings = try PostgresSettings(string)
    (settings.statementTimeout, settings.silenceLimit, settings.connectTimeout) = (0, 600, 600)
    return settings
  }

  private func connect() throws -> PostgresConnection {
    try PostgresConnection(settings(server.connectionString(database: database)))
  }

  /// A connection through a proxy that gives up when there is no answer for half a second: for proxies that let none through.
  private func proxied(_ prepare: String = "select 1") throws -> (PostgresProxy, PostgresConnection) {
    let proxy = try PostgresProxy(server)
    let connection = try PostgresConnection(settings(proxy.connectionString(database: database)))
    try connection.runScript(prepare)
    return (proxy, connection)
  }

  private func rowCount() throws -> String { try server.psql("select count(*) from t", database: database) }

  /// Sends rows until the connection fails.
  private func copyEndlessly(
    _ connection: PostgresConnection, after count: Int = 10_000, _ fault: () throws -> Void
  ) throws -> PostgresError {
    try #require(throws: PostgresError.self) {
      try connection.copyIn("copy t from stdin (format binary)") { writer in
        for number in 0..<50_000_000 {
          if number == count { try fault() }
          try writer.row(fields: 1) { writer.integer(Int64(number)) }
          // What is lost is noticed at the end, when all was sent.
          if number == count + 200_000 { break }
        }
      }
    }
  }

  @Test func aBackendThatIsTerminatedInMidCopyTakesNoRows() throws {
    let connection = try connect()
    try connection.run("begin")
    let error = try copyEndlessly(connection) {
      #expect(kill(connection.backendProcess, SIGTERM) == 0)
    }
    #expect(error.isConnectionLost && [.lost, .retry].contains(error.kind) && !connection.isOpen)
    #expect(!error.isOutcomeUnknown)
    #expect(try rowCount() == "0")
  }

  @Test func aBackendThatIsTerminatedSaysWhy() throws {
    let connection = try connect()
    let process = connection.backendProcess
    let error = try #require(throws: PostgresError.self) {
      try connection.run("select pg_terminate_backend(\(process)), pg_sleep(60)")
    }
    #expect(error.sqlState == "57P01" && error.kind == .retry && error.isConnectionLost)
    let later = try #require(throws: PostgresError.self) { try connection.run("select 1") }
    #expect(later.kind == .lost)
  }

  @Test func aListenerNoticesThatItsBackendIsGone() throws {
    let connection = try connect()
    try connection.listen("c")
    #expect(kill(connection.backendProcess, SIGTERM) == 0)
    let error = try #require(throws: PostgresError.self) {
      while try connection.waitForNotifications(until: .after(600)) != .timedOut {}
    }
    #expect(error.isConnectionLost && !connection.isOpen)
  }

  @Test func aServerThatIsStoppedLosesNothingThatWasCommitted() throws {
    let server = try PostgresServer(isDurable: true)
    let settings = try settings(server.connectionString())
    let connection = try PostgresConnection(settings)
    try connection.runScript("create table t (n bigint); begin; insert into t values (1)")
    try connection.commit()
    try connection.runScript("begin; insert into t values (2)")
    Thread.detachNewThread { server.stop(.immediate) }
    let error = try #require(throws: PostgresError.self) { try connection.run("select pg_sleep(60)") }
    #expect(error.isConnectionLost && [.lost, .retry].contains(error.kind) && !error.isOutcomeUnknown)
    server.stop()
    let refusal = try #require(throws: PostgresError.self) { try PostgresConnection(settings) }
    #expect(refusal.kind == .lost)
    try server.start()
    #expect(try PostgresConnection(settings).run("select n from t").map { try $0.integer(0) } == [1])
  }

  @Test func aStalledServerEndsEachKindOfCall() throws {
    let (proxy, statement) = try proxied()
    statement.silenceLimit = 0.5
    proxy.behaviour = .stall
    let error = try #require(throws: PostgresError.self) { try statement.run("select 1") }
    #expect(error.kind == .lost && error.isOutcomeUnknown && !statement.isOpen)
    let refusal = try #require(throws: PostgresError.self) {
      try PostgresConnection(settings(proxy.connectionString(database: database)), deadline: .after(0.5))
    }
    #expect(refusal.kind == .lost && refusal.message.contains("in time"))

    let (inward, sender) = try proxied()
    let sent = try copyEndlessly(sender) {
      inward.behaviour = .stall
      sender.silenceLimit = 0.5
    }
    #expect(sent.kind == .lost && !sender.isOpen)

    let (outward, receiver) = try proxied()
    var count = 0
    let received = try #require(throws: PostgresError.self) {
      try receiver.copyOut(
        "copy (select n::bigint from generate_series(1, 5000000) n) to stdout (format binary)", fields: 1
      ) { _ in
        count += 1
        if count == 10 {
          outward.behaviour = .stall
          receiver.silenceLimit = 0.5
        }
      }
    }
    #expect(received.kind == .lost && !receiver.isOpen)
    #expect(try rowCount() == "0")
  }

  @Test func deadlinesOfCallersHoldToo() throws {
    let connection = try connect()
    let error = try #require(throws: PostgresError.self) {
      try connection.run("select pg_sleep(60)", deadline: .after(0.2))
    }
    #expect(error.kind == .lost && !connection.isOpen)
  }

  @Test func aStoppedBackendIsGivenUp() throws {
    let connection = try connect()
    let process = connection.backendProcess
    connection.silenceLimit = 0.5
    #expect(kill(process, SIGSTOP) == 0)
    defer { kill(process, SIGCONT) }
    let error = try #require(throws: PostgresError.self) { try connection.run("select 1") }
    #expect(error.kind == .lost && error.message.contains("in time") && !connection.isOpen)
  }

  @Test func aConnectionThatIsCutInMidCopyTakesNoRows() throws {
    let (proxy, connection) = try proxied()
    let error = try copyEndlessly(connection) { proxy.behaviour = .cutAfter(200_000) }
    #expect(error.kind == .lost && error.isConnectionLost && !connection.isOpen)
    #expect(try rowCount() == "0")
  }

  @Test func theOutcomeOfACommitWithoutAnAnswerIsUnknown() throws {
    let (proxy, connection) = try proxied("begin; insert into t values (1)")
    proxy.behaviour = .swallowAnswersAfter("commit")
    connection.silenceLimit = 0.5
    let error = try #require(throws: PostgresError.self) { try connection.commit() }
    #expect(error.kind == .lost && error.isOutcomeUnknown)
    // This one has taken place …
    try waitUntil { try rowCount() == "1" }
    let (other, cut) = try proxied("begin; insert into t values (2)")
    other.behaviour = .cutAfter(0)
    // … and this one has not. The client cannot tell them apart.
    let failure = try #require(throws: PostgresError.self) { try cut.commit() }
    #expect(failure.kind == .lost && failure.isOutcomeUnknown)
    #expect(try rowCount() == "1")
  }

  @Test(arguments: ["insert into t values (1)", "begin; insert into t values (1); commit"])
  func theOutcomeOutsideOfATransactionIsUnknown(script: String) throws {
    let (proxy, connection) = try proxied()
    proxy.behaviour = .swallowAnswers
    connection.silenceLimit = 0.5
    let error = try #require(throws: PostgresError.self) { try connection.runScript(script) }
    #expect(error.isOutcomeUnknown)
  }

  @Test func aTransactionWithoutACommitIsKnownToBeRolledBack() throws {
    let (proxy, connection) = try proxied("begin")
    proxy.behaviour = .swallowAnswers
    connection.silenceLimit = 0.5
    let error = try #require(throws: PostgresError.self) { try connection.run("insert into t values (1)") }
    #expect(error.kind == .lost && !error.isOutcomeUnknown)
    proxy.behaviour = .cut
    #expect(try rowCount() == "0")
  }

  @Test(arguments: [
    "host=no-such-host.invalid", "host=/tmp/no-such-folder", "host=127.0.0.1 port=1",
  ]) func aServerThatIsNotThereIsALostConnection(string: String) throws {
    let error = try #require(throws: PostgresError.self) { try PostgresConnection(PostgresSettings(string)) }
    #expect(error.kind == .lost && error.isConnectionLost && !error.isOutcomeUnknown)
  }

  @Test func aDatabaseThatIsNotThereIsNoLostConnection() throws {
    let string = server.connectionString(database: "missing")
    let error = try #require(throws: PostgresError.self) { try PostgresConnection(PostgresSettings(string)) }
    #expect(error.sqlState == "3D000" && error.kind == .other && error.message.contains("missing"))
  }
}

@Suite struct EncryptionTests {
  private static let server = Result { try PostgresServer(listensOnLoopback: true, acceptsTLS: true) }

  private func connect(_ keywords: String, withRoot: Bool = true) throws -> PostgresConnection {
    let server = try Self.server.get()
    let root = withRoot ? "sslrootcert='\(try #require(server.rootCertificate))'" : ""
    return try PostgresConnection(
      PostgresSettings("\(keywords) \(root) port=\(server.port) user=postgres dbname=postgres"))
  }

  @Test func theServersNameAndCertificateAreVerified() throws {
    let connection = try connect("host=localhost hostaddr=127.0.0.1 sslmode=verify-full")
    #expect(connection.usesTLS)
    try connection.run("create temp table t (a bigint)")
    #expect(
      try connection.copyIn("copy t from stdin (format binary)") { writer in
        for number in 0..<100_000 { try writer.row(fields: 1) { writer.integer(Int64(number)) } }
      } == 100_000)
    #expect(try connection.copyOut("copy t to stdout (format binary)", fields: 1) { _ in } == 100_000)
    let wrongName = try #require(throws: PostgresError.self) {
      try connect("host=db.example hostaddr=127.0.0.1 sslmode=verify-full")
    }
    #expect(wrongName.message.contains("db.example"))
    #expect(throws: PostgresError.self) {
      try connect(
        "host=localhost hostaddr=127.0.0.1 sslmode=verify-full sslrootcert=/missing", withRoot: false)
    }
  }

  @Test func aServerWithoutTLSIsRefusedWhereItIsRequired() throws {
    let proxy = try PostgresProxy(.shared())
    for mode in ["require", "verify-full"] {
      let error = try #require(throws: PostgresError.self) {
        try PostgresConnection(
          PostgresSettings(
            "\(proxy.connectionString()) sslmode=\(mode) sslrootcert='\(Self.server.get().rootCertificate ?? "")'"
          ))
      }
      #expect(error.message.contains("SSL"), "\(error)")
    }
  }
}
