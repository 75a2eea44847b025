import CDispatch
import Dispatch
import Synchronization

/// What tells whether a serial queue is the current one. It does not keep the queue alive, and is meaningless once
/// that is gone.
final class QueuePlace: Sendable {
  /// The address of the queue's label, which is the queue's own in memory; 0 until it is known.
  private let label = Atomic<UInt>(0)
  private let key = DispatchSpecificKey<Bool>()
  let mailbox = Mailbox()
  let kept = KeptRealms()
  private static let placeKey = DispatchSpecificKey<QueuePlace>()
  private static let lock = Mutex(())
  static let main = QueuePlace.of(.main)

  private let isMain: Bool
  private let isAsked = Atomic(false)

  private init(_ queue: DispatchQueue) {
    queue.setSpecific(key: key, value: true)
    isMain = queue.label == DispatchQueue.main.label
    // The main queue takes a descriptor when it is first asked for anything, and ends the program when there is none.
    if !isMain { learnLabel(of: queue) }
  }

  private func learnLabel(of queue: DispatchQueue) {
    queue.async { [weak self] in self?.label.store(Self.currentLabel, ordering: .relaxed) }
  }

  /// The one of a queue.
  static func of(_ queue: DispatchQueue) -> QueuePlace {
    lock.withLock { _ in
      if let place = queue.getSpecific(key: placeKey) { return place }
      let place = QueuePlace(queue)
      queue.setSpecific(key: placeKey, value: place)
      return place
    }
  }

  @inline(__always)
  private static var currentLabel: UInt { UInt(bitPattern: dispatch_queue_get_label(nil)) }

  var isCurrent: Bool {
    if Self.currentLabel == label.load(ordering: .relaxed) { return true }
    // Within a queue that targets this one, the label is that of the other.
    guard DispatchQueue.getSpecific(key: key) != nil else { return false }
    if isMain && !isAsked.exchange(true, ordering: .relaxed) { learnLabel(of: .main) }
    return true
  }
}
