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
  ///   - post: Asks the place to run something; false when it is gone.
  func add(
    _ work: @escaping @Sendable () -> Void, for realm: UInt64?,
    post: (@escaping @Sendable () -> Void) -> Bool
  ) {
    var unposted: Int? = state.withLock { state in
      state.items.append(Item(realm: realm, work: work))
      if state.isPosted { return nil }
      state.isPosted = true
      return state.items.count
    }
    while let count = unposted, !post({ self.deliver() }) {
      // Released not under the lock: work may be the last to know a realm, which then asks to be forgotten.
      for _ in 0..<count { _ = state.withLock { $0.items.removeFirst() } }
      // What others have added meanwhile relies on this.
      unposted = state.withLock { state in
        if !state.items.isEmpty { return state.items.count }
        state.isPosted = false
        return nil
      }
    }
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

  /// Drops what waits for a realm that is gone.
  func forget(realm: UInt64) {
    // Released not under the lock.
    let dropped = state.withLock { $0.items.removeAll { $0.realm == realm } }
    withExtendedLifetime(dropped) {}
  }
}
