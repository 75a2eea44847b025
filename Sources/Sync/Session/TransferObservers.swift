import Synchronization

/// What a client reports while it sends or receives.
package struct Transfer: Sendable, Hashable {
  /// Where rows are transferred to.
  package enum Direction: Sendable {
    case upload, download
  }

  package var direction: Direction
  /// Number of rows that have been transferred.
  package var transferred: Int
  /// Number of rows that are to be transferred in all, as far as it is known.
  package var transferrable: Int
  /// Whether the transfer has ended.
  package var isComplete = false

  package init(_ direction: Direction, transferred: Int, transferrable: Int, isComplete: Bool = false) {
    self.direction = direction
    self.transferred = transferred
    self.transferrable = max(transferrable, transferred)
    self.isComplete = isComplete
  }
}

/// The functions that are called while a session sends or receives.
package final class TransferObservers: Sendable {
  private struct Observer: Sendable {
    var number: UInt64
    var direction: Transfer.Direction
    /// Whether only the next transfer is of interest.
    var isOnce: Bool
    var body: @Sendable (Transfer) -> Void
  }

  private struct Content: Sendable {
    var last: UInt64 = 0
    var all: [Observer] = []
    /// The rows of the last download that was not empty.
    var downloaded = 0
  }

  private let observers = Mutex(Content())

  init() {}

  /// Whether there is any.
  var isEmpty: Bool { observers.withLock { $0.all.isEmpty } }

  /// Adds a function, which is called on the thread of the session. Returns the number to remove it by.
  ///
  /// - Parameter isOnce: Whether it is removed after the next transfer, also if there is nothing to transfer.
  package func add(
    _ direction: Transfer.Direction, isOnce: Bool, _ body: @escaping @Sendable (Transfer) -> Void
  ) -> UInt64 {
    observers.withLock { observers in
      observers.last += 1
      observers.all.append(
        Observer(number: observers.last, direction: direction, isOnce: isOnce, body: body))
      return observers.last
    }
  }

  package func remove(_ number: UInt64) {
    observers.withLock { $0.all.removeAll { $0.number == number } }
  }

  /// Number of rows of the last download that was not empty.
  package var downloadedRows: Int { observers.withLock { $0.downloaded } }

  /// Calls the functions for a direction. Only observers of one transfer are notified of the end of an
  /// empty one.
  func report(_ transfer: Transfer) {
    let concerned = observers.withLock { observers in
      let concerned = observers.all.filter {
        $0.direction == transfer.direction && ($0.isOnce || transfer.transferred > 0)
      }
      if transfer.isComplete {
        if transfer.direction == .download && transfer.transferred > 0 {
          observers.downloaded = transfer.transferred
        }
        observers.all.removeAll { $0.isOnce && $0.direction == transfer.direction }
      }
      return concerned
    }
    for observer in concerned { observer.body(transfer) }
  }
}
