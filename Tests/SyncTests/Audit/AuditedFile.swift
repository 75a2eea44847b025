import Storage
import Sync
import TestSupport

/// A file whose client is connected, with a database of its own, and the statements of the client.
final class AuditedFile: SimulatedFile {
  let outsider: PostgresConnection
  /// The statements of the client since the last look at them.
  var statements: [String] = []

  /// - Parameter role: The client's role, a member of `realm_user`; the owner of the database when nil.
  init(role: String? = nil) throws {
    let server = try ModelServer(SimulatedModel.make())
    outsider = server.outsider
    try super.init()
    if let role { try outsider.makeRole(role) }
    settings = try role.map { try server.settings(role: $0) } ?? server.settings
    try reconnect()
  }

  deinit { client.disconnect() }

  func reconnect() throws {
    client.disconnect()
    client.connection = CuttingConnection(try PostgresConnection(settings!), cut: nil) { [unowned self] sql in
      statements.append(sql)
      return sql
    }
    try client.contact()
  }

  /// Changes the server as a program does that goes round the triggers.
  func corrupt(_ sql: String) throws {
    try outsider.runScript("begin; set local session_replication_role = replica; \(sql); commit")
  }
}
