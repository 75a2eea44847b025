import LibC
import Synchronization

/// Notifies the subscribers of a file of every commit to it, by this process and by others.
///
/// The committing thread notifies the subscribers of its own process directly, and other processes through the listener
/// table, on which one of their threads waits as long as they have subscribers. If a process is killed after its commit and
/// before the notification, others notice that by its descriptors, which the kernel closes.
final class CommitSignal: Sendable {
  private struct Subscribers: Sendable {
    var callbacks = NumberTable<@Sendable () -> Void>()
    var nextNumber = 0
    var listener: CommitListener?
  }

  fileprivate let path: String
  /// Whether other processes can have the file open, too.
  fileprivate let isShared: Bool
  private let lock: WriteLock
  private let subscribers = Mutex(Subscribers())
  private let subscriberCount = Atomic<Int>(0)
  private let tableReference = OnceReference<ListenerTable>()
  private let hasNoTable = Atomic<Bool>(false)

  /// - Parameter path: Where the file lies.
  init(path: String, isShared: Bool, lock: WriteLock) {
    self.path = path
    self.isShared = isShared
    self.lock = lock
  }

  /// To be called after every commit, without locks.
  @inline(__always)
  func announce() {
    if subscriberCount.load(ordering: .sequentiallyConsistent) != 0 { tellSubscribers() }
    table?.wakeOthers()
  }

  func tellSubscribers() {
    let callbacks = subscribers.withLock { $0.callbacks.values }
    for callback in callbacks { callback() }
  }

  /// The table in the file, which the first write transaction or subscription looks for.
  @inline(__always)
  var table: ListenerTable? { tableReference.load() ?? makeTable() }

  @inline(never)
  private func makeTable() -> ListenerTable? {
    if hasNoTable.load(ordering: .relaxed) { return nil }
    guard let table = ListenerTable(lock) else {
      hasNoTable.store(true, ordering: .relaxed)
      return nil
    }
    return tableReference.storeIfNil(table)
  }

  /// - Parameter closed: Called when a process may have died without telling of its commit.
  func add(
    _ callback: @escaping @Sendable () -> Void, closed: @escaping @Sendable () -> Void
  ) -> Int {
    subscribers.withLock { subscribers in
      let number = subscribers.nextNumber
      subscribers.nextNumber += 1
      subscribers.callbacks[number] = callback
      subscriberCount.store(subscribers.callbacks.count, ordering: .sequentiallyConsistent)
      if subscribers.listener == nil { subscribers.listener = CommitListener(self, closed) }
      return number
    }
  }

  func remove(_ number: Int) {
    // The callback, and what it retains, is released outside the lock.
    let (ended, callback) = subscribers.withLock { subscribers in
      let callback = subscribers.callbacks.removeValue(for: number)
      subscriberCount.store(subscribers.callbacks.count, ordering: .sequentiallyConsistent)
      guard subscribers.callbacks.isEmpty else { return (nil as CommitListener?, callback) }
      defer { subscribers.listener = nil }
      return (subscribers.listener, callback)
    }
    ended?.stop()
    withExtendedLifetime(callback) {}
  }
}

/// A thread that waits for the commits of other processes.
private final class CommitListener: Sendable {
  private struct State {
    var slot: Int?
    var isStopped = false
  }

  private let signal: CommitSignal
  private let closed: @Sendable () -> Void
  private let state = Mutex(State())

  /// Starts the thread, which also makes the table, so that opening a file does not have to wait for that. Nil when the system
  /// has no more threads: the next subscription tries again.
  init?(_ signal: CommitSignal, _ closed: @escaping @Sendable () -> Void) {
    self.signal = signal
    self.closed = closed
    if !Thread.start({ [self] in run() }) { return nil }
  }

  private func run() {
    guard signal.isShared, let table = signal.table, let slot = table.claim() else {
      // No thread waits for the table then: the subscribers here are notified directly, as for a file of this process alone.
      signal.tellSubscribers()
      return
    }
    let watch = CloseWatch(path: signal.path, closed)
    defer { withExtendedLifetime(watch) {} }
    let isStopped = state.withLock { state in
      state.slot = slot
      return state.isStopped
    }
    if !isStopped {
      // Others may have committed before the slot was there.
      var isWaiting = true
      while isWaiting {
        let announcement = table.announcement
        signal.tellSubscribers()
        isWaiting = !state.withLock(\.isStopped) && table.wait(after: announcement)
      }
    }
    state.withLock { $0.slot = nil }
    table.release(slot)
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      if state.slot != nil { signal.table?.announce() }
    }
  }
}
