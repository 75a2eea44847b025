import Foundation

// Servers that begin with what another one had at some time.
extension PostgresServer {
  /// Writes what a database has to a file, as `pg_dump` does, and returns the path.
  public func dump(_ database: String) throws -> String {
    let path = "\(folder)/\(database).sql"
    try PostgresPrograms.run([
      "\(PostgresPrograms.folder())/pg_dump", "-d", connectionString(database: database), "-f", path,
    ])
    return path
  }

  /// Creates a database from a file that `dump` wrote.
  public func restore(_ path: String, as database: String) throws {
    try psql("create database \(database)")
    try PostgresPrograms.run([
      "\(PostgresPrograms.folder())/psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d",
      connectionString(database: database), "-f", path,
    ])
  }

  /// Creates a standby that has what this server has now, and gets nothing more.
  public func standby() throws -> PostgresServer {
    let copy = try PostgresFolders.newFolder()
    try PostgresPrograms.run([
      "\(PostgresPrograms.folder())/pg_basebackup", "-D", "\(copy)/data", "-d", connectionString(), "-c",
      "fast", "-X", "fetch", "--no-sync",
    ])
    try PostgresPrograms.run(["/usr/bin/touch", "\(copy)/data/standby.signal"])
    return try PostgresServer(folder: copy)
  }

  /// Makes a standby a server that is written to.
  public func promote() throws { try psql("select pg_promote()") }
}
