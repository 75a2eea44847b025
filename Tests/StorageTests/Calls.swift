import Foundation
import TestSupport

/// Counts calls, and lets a test wait for them.
final class Calls: Sendable {
  private let condition = NSCondition()
  private let number = Mutex(0)

  var count: Int { number.withLock { $0 } }

  func note() {
    condition.lock()
    number.withLock { $0 += 1 }
    condition.broadcast()
    condition.unlock()
  }

  /// Waits until there were more than `count` calls. Stops the program when they do not come.
  func wait(for count: Int) {
    condition.lock()
    let limit = Date(timeIntervalSinceNow: 600)
    while self.count < count { precondition(condition.wait(until: limit), "\(self.count) calls of \(count)") }
    condition.unlock()
  }
}
