/// What identifies the past of a database: another one has lost transactions that files may have, or never had them.
struct SyncHistory {
  /// The history in `realm.server`, the system's identifier and the timeline. Restoring the database changes it.
  var database: String
  /// When the server's statistics were reset, in seconds since 1970: recovery from a crash does that, and takes back numbers of
  /// transactions that were not durable.
  var recovery: String

  /// What a file notes.
  var text: String { "\(database):\(recovery)" }

  /// Whether a file that has noted a text was synchronised with this database, and not with one that has been restored since then.
  func isDatabase(of noted: String) -> Bool { noted == database || noted.hasPrefix(database + ":") }

  /// Whether a file that has noted a text knows all that has happened to the database. An earlier version did not note recoveries.
  func isKnown(by noted: String) -> Bool { noted == text || noted == database }
}
