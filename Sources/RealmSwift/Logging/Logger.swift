import Foundation
import Synchronization

/// Where the library tells what it does, and what it noticed.
///
///     Logger.shared = Logger(level: .warn) { level, message in
///       print(level, message)
///     }
///
/// The shared one writes to the standard error, from `info` on, unless the program sets another one. What realms do
/// is told from `detail` on, in messages that begin with `DB:` and a number that stands for the realm: opening,
/// changes of the schema, commits and compaction at `detail`; transactions that begin or are given up, moves to newer
/// versions, queries with their values and notifications at `debug`; how many objects of which class were changed at `trace`.
public final class Logger: Sendable {
  private let storedLevel: Mutex<LogLevel>
  private let logFunction: @Sendable (LogLevel, String) -> Void

  private static let storedShared = Mutex(
    Logger(level: .info) { level, message in
      FileHandle.standardError.write(Data("Realm: \(level): \(message)\n".utf8))
    })
  /// The level of the shared one, which is looked at far more often than anything is logged.
  private static let sharedLevel = Atomic(LogLevel.info.rawValue)

  /// The logger of the whole process.
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

  /// - Parameters:
  ///   - level: How much is logged.
  ///   - logFunction: Called with each message, on any thread, and while a realm is at work: it must not use realms.
  public init(level: LogLevel, logFunction: @escaping @Sendable (LogLevel, String) -> Void) {
    storedLevel = Mutex(level)
    self.logFunction = logFunction
  }

  /// How much is logged from now on.
  public var level: LogLevel {
    get { storedLevel.withLock { $0 } }
    set {
      Self.storedShared.withLock { shared in
        storedLevel.withLock { $0 = newValue }
        if shared === self { Self.sharedLevel.store(newValue.rawValue, ordering: .relaxed) }
      }
    }
  }

  /// Logs a message, which is only made when somebody is to see it.
  func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
    if level <= self.level && level != .off { logFunction(level, message()) }
  }
}
