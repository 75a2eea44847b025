import Foundation
import Synchronization

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

  /// Waits until there were more than `count` calls. Never returns when they do not come.
  func wait(for count: Int) {
    condition.lock()
    while self.count < count { condition.wait() }
    condition.unlock()
  }
}
