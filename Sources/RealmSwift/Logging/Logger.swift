import Foundation
import Synchronization

/// A destination for the messages of the library.
///
/// ```swift
/// Logger.shared = Logger(level: .warn) { level, message in
///   print(level, message)
/// }
/// ```
///
/// Unless the program sets another one, the shared logger writes messages from `info` on to standard error.
/// Messages about realms begin with `DB:` and a number that identifies the realm: opening, schema changes,
/// commits and compaction at `detail`; begin and rollback of transactions, moves to newer versions, queries
/// with their values and notifications at `debug`; the number of changed objects of each class at `trace`.
public final class Logger: Sendable {
  private let storedLevel: Mutex<LogLevel>
  private let logFunction: @Sendable (LogLevel, String) -> Void

  private static let storedShared = Mutex(standardError(.info))

  /// The logger of programs that set no other one.
  package static func standardError(_ level: LogLevel) -> Logger {
    Logger(level: level) { level, message in
      FileHandle.standardError.write(Data("Realm: \(level): \(message)\n".utf8))
    }
  }

  /// The level of the shared one, which is looked at far more often than anything is logged.
  private static let sharedLevel = Atomic(LogLevel.info.rawValue)

  /// The logger of the process.
  public static var shared: Logger {
    get { storedShared.withLock { $0 } }
    set {
      // The former one is released outside of the lock: what its function holds may log.
      let former = storedShared.withLock { shared in
        defer { shared = newValue }
        sharedLevel.store(newValue.level.rawValue, ordering: .relaxed)
        return shared
      }
      withExtendedLifetime(former) {}
    }
  }

  /// Whether the shared logger passes on messages of a level. Costs as much as reading a number.
  @inline(__always)
  static func isShared(_ level: LogLevel) -> Bool {
    level.rawValue <= sharedLevel.load(ordering: .relaxed)
  }

  /// Creates a logger.
  ///
  /// - Parameters:
  ///   - level: The least important level that is logged.
  ///   - logFunction: A function that is called with each message, on any thread, while a realm is in use: it
  ///     must not use realms.
  public init(level: LogLevel, logFunction: @escaping @Sendable (LogLevel, String) -> Void) {
    storedLevel = Mutex(level)
    self.logFunction = logFunction
  }

  /// The least important level that is logged from now on.
  public var level: LogLevel {
    get { storedLevel.withLock { $0 } }
    set {
      Self.storedShared.withLock { shared in
        storedLevel.withLock { $0 = newValue }
        if shared === self { Self.sharedLevel.store(newValue.rawValue, ordering: .relaxed) }
      }
    }
  }

  /// Logs a message, which is only built if its level is logged.
  package func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
    if level <= self.level && level != .off { logFunction(level, message()) }
  }
}
