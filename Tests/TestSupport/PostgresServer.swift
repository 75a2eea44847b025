import Foundation
import LibC

/// A PostgreSQL server of a test's own, in a temporary folder.
///
/// The server listens on a Unix socket in `folder`, and on loopback only if asked for. Run by root, it runs as the
/// user `postgres`, since PostgreSQL refuses to run as root. The server is stopped and its folder removed when the
/// object is released, and by a guard process when the test process ends in any way, also by SIGKILL.
public final class PostgresServer: Sendable {
  /// How a server is stopped.
  public enum StopMode: Sendable {
    /// Open transactions are rolled back, and a checkpoint is written.
    case fast
    /// No checkpoint is written: the next start replays the log, as after a crash.
    case immediate

    var signal: Int32 { self == .fast ? SIGINT : SIGQUIT }
  }

  /// The folder of the data directory and of the Unix socket: `host` of a connection string.
  public let folder: String
  /// The port, which is a part of the socket's name, too.
  public let port: Int
  /// Whether a commit is durable, as in production; else `fsync` is off.
  public let isDurable: Bool
  /// Whether the server listens on 127.0.0.1 as well.
  public let listensOnLoopback: Bool
  /// The certificate of the server's own authority, if it accepts TLS.
  public let rootCertificate: String?
  private let program = Mutex<ChildProgram?>(nil)
  private let databases = Mutex(0)

  /// Creates a server from a copy of the process's template and starts it.
  ///
  /// - Parameters:
  ///   - isDurable: Whether `fsync` is on.
  ///   - listensOnLoopback: Whether the server listens on 127.0.0.1, on a free port.
  ///   - acceptsTLS: Whether the server accepts TLS, with a certificate for `localhost`.
  public init(
    isDurable: Bool = false, listensOnLoopback: Bool = false, acceptsTLS: Bool = false
  ) throws {
    self.isDurable = isDurable
    self.listensOnLoopback = listensOnLoopback
    folder = try PostgresFolders.newFolder()
    port = listensOnLoopback ? try LoopbackPort.free() : 5432
    try PostgresPrograms.run(["/bin/cp", "-a", PostgresFolders.template(), "\(folder)/data"])
    if acceptsTLS {
      let certificate = "\(folder)/data/server.crt"
      try PostgresPrograms.run([
        "/usr/bin/openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
        "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost", "-keyout", "\(folder)/data/server.key", "-out",
        certificate,
      ])
      rootCertificate = "\(folder)/root.crt"
      try PostgresPrograms.run(["/bin/cp", certificate, "\(folder)/root.crt"])
    } else {
      rootCertificate = nil
    }
    try start()
  }

  /// Starts a server with the data that are in its folder, as a standby.
  init(folder: String) throws {
    self.folder = folder
    (isDurable, listensOnLoopback, port, rootCertificate) = (false, false, 5432, nil)
    try start()
  }

  deinit {
    if let program = program.withLock({ $0 }) {
      program.send(SIGQUIT)
      program.wait()
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static let sharedServer = Result { try PostgresServer() }

  /// Returns the server that tests of this process share, started at first use. Each test makes a database of its own.
  public static func shared() throws -> PostgresServer { try sharedServer.get() }

  /// Starts the server and waits until it accepts connections.
  public func start() throws {
    var settings = [
      "listen_addresses": listensOnLoopback ? "127.0.0.1" : "", "port": "\(port)",
      "unix_socket_directories": folder, "max_connections": "300", "max_prepared_transactions": "10",
      "shared_buffers": "64MB", "ssl": rootCertificate == nil ? "off" : "on",
    ]
    if !isDurable {
      settings.merge(["fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"]) { $1 }
    }
    let log = "\(folder)/log"
    guard FileManager.default.createFile(atPath: log, contents: nil) else {
      throw PostgresPrograms.Failure(description: "\(log) cannot be written")
    }
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
    let words =
      try PostgresPrograms.words(for: "postgres") + ["-D", "\(folder)/data"]
      + settings.flatMap { ["-c", "\($0)=\($1)"] }
    let started = try ChildProgram(
      words, folder: URL(fileURLWithPath: "/"), input: .nullDevice, output: output, error: output, limit: nil)
    program.withLock { $0 = started }
    try waitUntil {
      guard started.isRunning else {
        let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        throw PostgresPrograms.Failure(description: "PostgreSQL has not started: \(said)")
      }
      return isReady(started.identifier)
    }
  }

  /// Whether the file by which the postmaster reports its state is of this process and says "ready".
  private func isReady(_ identifier: pid_t) -> Bool {
    let text = try? String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
    guard let lines = text?.split(separator: "\n", omittingEmptySubsequences: false), lines.count >= 8 else {
      return false
    }
    return Int32(lines[0]) == identifier && lines[7].hasPrefix("ready")
  }

  /// Stops the server and waits until it has ended.
  public func stop(_ mode: StopMode = .fast) {
    guard let program = program.withLock({ $0 }) else { return }
    program.send(mode.signal)
    program.wait()
  }

  /// Returns the connection string of a role and a database over the Unix socket.
  public func connectionString(role: String = "postgres", database: String = "postgres") -> String {
    "host='\(folder)' port=\(port) user='\(role)' dbname='\(database)'"
  }

  /// Runs SQL through `psql` and returns its output: fields separated by "|", rows by line feeds, no headers.
  ///
  /// The statements are one transaction. PostgreSQL may end it to break a deadlock with a synchronisation in the background, as it
  /// may for every administrator who changes several tables: it is run again then.
  @discardableResult
  public func psql(_ sql: String, role: String = "postgres", database: String = "postgres") throws -> String {
    let command = try [
      "\(PostgresPrograms.folder())/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d",
      connectionString(role: role, database: database), "-c", sql,
    ]
    while true {
      do {
        return try PostgresPrograms.run(command, asServer: false).trimmingCharacters(in: .newlines)
      } catch let failure as PostgresPrograms.Failure {
        guard failure.description.contains("deadlock detected") else { throw failure }
      }
    }
  }

  /// Creates an empty database and returns its name.
  public func makeDatabase() throws -> String {
    let number = databases.withLock { number in
      number += 1
      return number
    }
    let name = "test_\(number)"
    try psql("create database \(name)")
    return name
  }

  /// Creates a role that may log in. Without a password the server trusts it.
  public func makeRole(_ name: String, password: String? = nil) throws {
    let attributes = password.map { "password '\($0)' in role with_password" } ?? ""
    try psql("create role \"\(name)\" login \(attributes)")
  }

  /// Terminates all backends of a database, or of all, but the one that does it.
  public func terminateBackends(of database: String? = nil) throws {
    let condition = database.map { "datname = '\($0)'" } ?? "backend_type = 'client backend'"
    try psql(
      "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and \(condition)")
  }
}
