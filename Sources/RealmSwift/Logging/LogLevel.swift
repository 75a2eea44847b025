/// The least important level that is logged: messages of this level and of more important levels are written.
public enum LogLevel: UInt, Sendable, Comparable, CaseIterable {
  /// No messages.
  case off
  /// Failures that stop the program.
  case fatal
  /// Errors.
  case error
  /// Warnings about problems that may need attention: growing files, values that a migration loses.
  case warn
  /// Information for operation in production.
  case info
  /// Opening of realms, schema changes, commits.
  case detail
  /// Individual transactions, queries and notifications.
  case debug
  /// The classes that each transaction has changed.
  case trace
  /// All messages.
  case all

  /// Returns whether the first level logs less.
  public static func < (first: LogLevel, second: LogLevel) -> Bool { first.rawValue < second.rawValue }
}
