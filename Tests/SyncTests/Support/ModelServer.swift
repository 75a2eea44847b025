import Storage
import Sync
import TestSupport

/// A database of a test's own, in which the classes of a model are installed.
class ModelServer {
  let server: PostgresServer
  let database: String
  /// The settings of a connection of the owner.
  let settings: PostgresSettings
  /// The connection of an SQL program, which is the owner's.
  let outsider: PostgresConnection

  init(_ model: SyncModel) throws {
    server = try .shared()
    database = try server.makeDatabase()
    settings = try server.settings(database)
    outsider = try PostgresConnection(settings)
    try outsider.install(model)
  }

  /// Returns the settings of a connection of a role.
  func settings(role: String) throws -> PostgresSettings { try server.settings(database, role: role) }

  /// Returns the rows of a query as texts.
  ///
  /// - Parameter connection: The connection that runs the query; the owner's, when nil.
  @discardableResult
  func rows(_ sql: String, _ connection: PostgresConnection? = nil) throws -> [String] {
    try (connection ?? outsider).runScript(sql).map { row in
      (0..<row.count).map { row.text($0) ?? "-" }.joined(separator: " ")
    }
  }
}

extension PostgresServer {
  func settings(_ database: String, role: String = "postgres") throws -> PostgresSettings {
    try PostgresSettings(connectionString(role: role, database: database))
  }

  func connect(_ database: String, role: String = "postgres") throws -> PostgresConnection {
    try PostgresConnection(settings(database, role: role))
  }

  /// Creates an empty database, and returns a connection to it.
  func connectToNewDatabase() throws -> PostgresConnection {
    try connect(makeDatabase())
  }

  /// Creates a database in which the classes of a model are installed, and returns its name.
  func makeDatabase(_ model: SyncModel) throws -> String {
    let database = try makeDatabase()
    try connect(database).install(model)
    return database
  }
}

extension PostgresConnection {
  /// Installs the classes of a model, in place of those that are there: a new database takes longer.
  ///
  /// - Parameter change: Changes the statements: the identity, or a mutant.
  func install(_ model: SyncModel, changing change: (String) -> String = { $0 }) throws {
    try runScript("drop schema if exists app cascade; drop schema if exists realm cascade")
    try runScript(change(ServerSchema(model).initialSQL().joined(separator: ";\n")))
  }

  /// Creates a role that may log in, unless it is there.
  func makeRole(_ name: String, isMember: Bool = true) throws {
    try runScript(
      """
      do $$ begin create role \(name) login \(isMember ? "in role realm_user" : "");
        exception when duplicate_object or unique_violation then null; end $$
      """)
  }
}
