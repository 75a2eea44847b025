import Storage
import Synchronization

/// Work that waits to be done in one place, in the order in which it came.
///
/// The place itself is asked only once for all that waits. Where nothing ever runs, as the main queue of a program
/// that just works its way down `main.swift`, realms that come and go must not leave anything behind.
///
/// Invariant: when something waits, the place has been asked and has not come to it yet, or is about to do the work.
final class Mailbox: Sendable {
  private struct Item {
    /// The number of the realm without which the work is pointless, if there is one.
    let realm: UInt64?
    let work: @Sendable () -> Void
    /// What is done instead when the place is gone.
    let otherwise: (@Sendable () -> Void)?
  }

  private struct State {
    var items = Queue<Item>()
    var isPosted = false
  }

  private let state = Mutex(State())

  /// Adds work, which is dropped where the place is gone.
  ///
  /// - Parameters:
  ///   - realm: The number of the realm that the work is for, unless the work keeps it alive.
  ///   - otherwise: Is called instead, on any thread, when the place is gone.
  ///   - post: Asks the place to run something; false when it is gone.
  func add(
    _ work: @escaping @Sendable () -> Void, for realm: UInt64?, otherwise: (@Sendable () -> Void)? = nil,
    post: (@escaping @Sendable () -> Void) -> Bool
  ) {
    var unposted: Int? = state.withLock { state in
      state.items.append(Item(realm: realm, work: work, otherwise: otherwise))
      if state.isPosted { return nil }
      state.isPosted = true
      return state.items.count
    }
    while let count = unposted, !post({ self.deliver() }) {
      drop(count)
      // What others have added meanwhile relies on this.
      unposted = state.withLock { state in
        if !state.items.isEmpty { return state.items.count }
        state.isPosted = false
        return nil
      }
    }
  }

  /// Asks another place for what waits, if the place that was asked does not come to it.
  func postAgain(_ post: (@escaping @Sendable () -> Void) -> Bool) {
    if state.withLock(\.isPosted) { _ = post { self.deliver() } }
  }

  /// How much waits.
  var count: Int { state.withLock { $0.items.count } }

  /// Does what waits now. What comes meanwhile has its turn later, as has what the place was asked for in between.
  private func deliver() {
    var rest = state.withLock { state in
      state.isPosted = false
      return state.items.count
    }
    // One by one: work that lets the place run others may add some, and these go on with the next.
    while rest > 0, let item = state.withLock({ $0.items.removeFirst() }) {
      rest -= 1
      item.work()
    }
  }

  /// The place is gone: drops all that waits. What comes later is dropped as well, because it cannot be posted.
  func close() {
    let count = state.withLock { state in
      state.isPosted = false
      return state.items.count
    }
    drop(count)
  }

  /// Not under the lock: work may be the last to know a realm, which then asks to be forgotten.
  private func drop(_ count: Int) {
    for _ in 0..<count { state.withLock { $0.items.removeFirst() }?.otherwise?() }
  }

  /// Drops what waits for a realm that is gone.
  func forget(realm: UInt64) {
    // Released not under the lock.
    let dropped = state.withLock { $0.items.removeAll { $0.realm == realm } }
    withExtendedLifetime(dropped) {}
  }
}
