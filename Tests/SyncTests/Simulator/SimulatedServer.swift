import Storage
import Sync

/// A database for simulations with the same kinds of properties, one after another, and connections to it that are used again.
///
/// A new connection has to compile and plan each function of the server, which takes several times as long as to run it: a
/// connection that a client gives up is rolled back and given to the next one, as a pooler does it.
final class SimulatedServer {
  private let settings: PostgresSettings
  let model: SyncModel
  /// The connection of the SQL program.
  let outsider: PostgresConnection
  private var unused: [PostgresConnection] = []

  init(_ settings: PostgresSettings, kinds: [any SimulatedKind]) throws {
    self.settings = settings
    model = try SimulatedModel(kinds).model
    outsider = try PostgresConnection(settings)
    try outsider.install(model)
    try outsider.runScript(
      (["alter table app.\"Dog\" add check (age < 1000)"] + kinds.map(\.constraints)).joined(separator: ";\n")
    )
    // Not before: simulations in other databases of the server make the same role.
    try outsider.runScript("set lock_timeout = '50ms'")
  }

  /// Removes what the last simulation has left, and inserts what the next one begins with.
  func begin(_ kinds: [any SimulatedKind]) throws {
    try outsider.runScript(
      """
      do $$ declare place text; begin
        perform set_config('session_replication_role', 'replica', true);
        for place in select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = 'app' loop
          execute 'delete from ' || place;
        end loop;
        delete from realm.client;
        perform setval(oid::regclass, 1, false) from pg_class
          where relkind = 'S' and relnamespace in ('app'::regnamespace, 'realm'::regnamespace);
      end $$
      """)
    try outsider.runScript(
      (["insert into app.\"Dog\" (id, name) select k, 'begin' from generate_series(101, 104) k"]
        + kinds.map(\.preparation)).joined(separator: ";\n"))
  }

  /// Returns a connection for a client.
  ///
  /// - Parameter cut: Where it is cut; nil for a connection that holds.
  func connect(cut: CuttingConnection.Cut?) throws -> CuttingConnection {
    if let connection = unused.popLast() { return wrapped(connection, cut) }
    let connection = try PostgresConnection(settings)
    try connection.run("set lock_timeout = '20ms'")
    return wrapped(connection, cut)
  }

  private func wrapped(_ connection: PostgresConnection, _ cut: CuttingConnection.Cut?) -> CuttingConnection {
    CuttingConnection(
      connection, cut: cut, change: { $0 },
      end: { [weak self] connection in
        guard let self, (try? connection.rollback()) != nil else { return connection.close() }
        unused.append(connection)
      })
  }
}
