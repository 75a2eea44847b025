import Storage
import Sync
import TestSupport
import Testing

/// A file with its client, a database of its own, and what the client tells.
final class AuditedFile {
  let settings: PostgresSettings
  let outsider: PostgresConnection
  let file: SimulatedFile
  let client: SyncClient
  private(set) var events: [SyncEvent] = []
  /// The statements of the client since the last look at them.
  var statements: [String] = []

  /// - Parameter role: The client's role, a member of `realm_user`; the owner of the database when nil.
  init(_ folder: ScratchFolder, role: String? = nil) throws {
    let server = try PostgresServer.shared()
    let name = try server.makeDatabase()
    let schema = ServerSchema(try SimulatedModel.make()).initialSQL().joined(separator: ";\n")
    try server.psql(schema, database: name)
    outsider = try PostgresConnection(
      PostgresSettings(server.connectionString(database: name), password: .environment))
    if let role {
      try outsider.runScript(
        """
        do $$ begin create role \(role) login in role realm_user;
          exception when duplicate_object or unique_violation then null; end $$
        """)
    }
    settings = try PostgresSettings(
      server.connectionString(role: role ?? "postgres", database: name), password: .environment)
    file = try SimulatedFile(number: 0, path: folder.path("audited.realm"), skew: 0)
    var tell: (SyncEvent) -> Void = { _ in }
    client = try SyncClient(
      file.file, SimulatedModel.make(), schema: "app", time: { SyncClock.systemMilliseconds() },
      report: { tell($0) })
    tell = { [unowned self] in events.append($0) }
    try connect()
  }

  deinit { client.disconnect() }

  func connect() throws {
    client.disconnect()
    client.connection = CuttingConnection(try PostgresConnection(settings), cut: nil) { [unowned self] sql in
      statements.append(sql)
      return sql
    }
    try client.contact()
  }

  /// Sends and receives.
  func synchronise() throws {
    while try client.push() {}
    try client.pull()
  }

  /// Changes the server as a program does that goes round the triggers.
  func corrupt(_ sql: String) throws {
    try outsider.runScript("begin; set local session_replication_role = replica; \(sql); commit")
  }

  /// The ids of the dogs with their names.
  func dogs() throws -> [String] {
    try file.objects(SimulatedModel.dog).map { key, values in
      guard case .int(let id) = key.value, case .string(let name) = values[0].value else { return "?" }
      return "\(id) \(name)"
    }.sorted()
  }

  var resets: [ResetCause] {
    events.compactMap { if case .reset(let cause) = $0 { cause } else { nil } }
  }
}
