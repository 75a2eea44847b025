/// How much is to be logged: a level and all that are more important.
public enum LogLevel: UInt, Sendable, Comparable, CaseIterable {
  /// Nothing.
  case off
  /// What ends the program.
  case fatal
  /// What failed.
  case error
  /// What may have to be looked at: files that grow, values that a migration loses.
  case warn
  /// What is worth knowing in production.
  case info
  /// What realms do: opening, changes of the schema, commits.
  case detail
  /// Transactions, queries and notifications one by one.
  case debug
  /// Which classes a transaction has changed.
  case trace
  /// Everything.
  case all

  /// Whether less is logged at the first level.
  public static func < (first: LogLevel, second: LogLevel) -> Bool { first.rawValue < second.rawValue }
}
