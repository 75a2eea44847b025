import Dispatch
import Foundation

/// Where a live realm may be used: on one thread, or on one serial queue.
struct Confinement {
  /// The thread, or 0 when the queue has to be asked.
  let thread: UInt
  private let queue: DispatchQueue?

  private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

  static var currentThread: Confinement { Confinement(thread: pthread_self(), queue: nil) }

  /// Confined to a serial queue; the main queue is the main thread. Stops the program when called elsewhere.
  static func queue(_ queue: DispatchQueue) -> Confinement {
    if queue === DispatchQueue.main {
      guard Thread.isMainThread else { trap(.incorrectQueue) }
      return currentThread
    }
    queue.setSpecific(key: queueKey, value: ObjectIdentifier(queue))
    let confinement = Confinement(thread: 0, queue: queue)
    if !confinement.isCurrent { trap(.incorrectQueue) }
    return confinement
  }

  var isCurrent: Bool {
    guard let queue else { return thread == pthread_self() }
    return DispatchQueue.getSpecific(key: Self.queueKey) == ObjectIdentifier(queue)
  }

  /// What tells realms of the same file apart in the cache.
  var identity: UInt { queue.map { UInt(bitPattern: ObjectIdentifier($0).hashValue) } ?? thread }
}
