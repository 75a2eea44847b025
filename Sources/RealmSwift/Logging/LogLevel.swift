/// How much is to be logged: a level and all that are more important.
public enum LogLevel: UInt, Sendable, Comparable, CaseIterable {
  case off
  case fatal
  case error
  case warn
  case info
  case detail
  case debug
  case trace
  case all

  /// Whether less is logged at the first level.
  public static func < (first: LogLevel, second: LogLevel) -> Bool { first.rawValue < second.rawValue }
}
