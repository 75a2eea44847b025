import Dispatch
import Storage
import Synchronization

/// The commits that the disk has, and whose completions are still to be called.
final class FinishedCommits: Sendable {
  private typealias Entry = (AsyncTransactionId, (any Swift.Error)?)
  private let entries = Mutex<[Entry]>([])
  private let arrived = DispatchSemaphore(value: 0)

  /// Returns whether a notification is needed: it is the first since the last `take`.
  func add(_ numbers: [AsyncTransactionId], _ error: (any Swift.Error)?) -> Bool {
    let isFirst = entries.withLock { entries in
      defer { entries.append(contentsOf: numbers.map { ($0, error) }) }
      return entries.isEmpty
    }
    if isFirst { arrived.signal() }
    return isFirst
  }

  func take() -> [(AsyncTransactionId, (any Swift.Error)?)] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }

  /// Waits until there may be something to take.
  func wait() {
    if entries.withLock(\.isEmpty) { arrived.wait() }
  }
}
