import Foundation
import Synchronization

/// Where the library tells what it does, and what it noticed.
///
///     Logger.shared = Logger(level: .warn) { level, message in
///       print(level, message)
///     }
///
/// The shared one writes to the standard error, from `info` on, unless the program sets another one.
public final class Logger: Sendable {
  private let storedLevel: Mutex<LogLevel>
  private let logFunction: @Sendable (LogLevel, String) -> Void

  private static let storedShared = Mutex(
    Logger(level: .info) { level, message in
      FileHandle.standardError.write(Data("Realm: \(level): \(message)\n".utf8))
    })

  /// The logger of the whole process.
  public static var shared: Logger {
    get { storedShared.withLock { $0 } }
    set { storedShared.withLock { $0 = newValue } }
  }

  /// - Parameters:
  ///   - level: How much is logged.
  ///   - logFunction: Called with each message, on any thread.
  public init(level: LogLevel, logFunction: @escaping @Sendable (LogLevel, String) -> Void) {
    storedLevel = Mutex(level)
    self.logFunction = logFunction
  }

  /// How much is logged from now on.
  public var level: LogLevel {
    get { storedLevel.withLock { $0 } }
    set { storedLevel.withLock { $0 = newValue } }
  }

  /// Logs a message, which is only made when somebody is to see it.
  func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
    if level <= self.level && level != .off { logFunction(level, message()) }
  }
}
