import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// What a logger passes on.
@Suite struct LoggerTests {
  private final class Heard: Sendable {
    let messages = Mutex<[String]>([])
  }

  private func logger(_ level: LogLevel) -> (Logger, Heard) {
    let heard = Heard()
    return (
      Logger(level: level) { level, text in heard.messages.withLock { $0.append("\(level) \(text)") } }, heard
    )
  }

  @Test func levelsAreInOrder() {
    #expect(LogLevel.allCases == [.off, .fatal, .error, .warn, .info, .detail, .debug, .trace, .all])
    #expect(LogLevel.warn < .info)
    #expect(LogLevel.off.rawValue == 0)
  }

  @Test func onlyWhatIsAskedForIsLogged() {
    let (logger, heard) = logger(.warn)
    for level in LogLevel.allCases { logger.log(level, "message") }
    logger.level = .detail
    logger.log(.detail, "later")
    logger.level = .off
    logger.log(.fatal, "never")
    #expect(
      heard.messages.withLock { $0 } == ["fatal message", "error message", "warn message", "detail later"])
  }

  @Test func messagesThatNobodySeesAreNotMade() {
    let (logger, _) = logger(.error)
    var isMade = false
    func message() -> String {
      isMade = true
      return ""
    }
    logger.log(.info, message())
    #expect(!isMade)
  }
}
