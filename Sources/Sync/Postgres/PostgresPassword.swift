/// Where the password of a connection is obtained from. It is stored nowhere.
package enum PostgresPassword: Sendable {
  /// `PGPASSWORD`, then the file that `PGPASSFILE` names, or `~/.pgpass`.
  case environment
  /// A file in the format of `.pgpass`. PostgreSQL's library ignores it if other users can read it.
  case passFile(String)
  /// A function that is called for each connection; the argument says whether the server has just refused what the
  /// function returned before.
  case provider(@Sendable (_ wasRefused: Bool) throws -> String)
}
