import Synchronization

/// Counts the reads of a snapshot that any number of threads share, so that the values that were decrypted for it can be evicted
/// while there is none.
///
/// A thread is inside while an address of the snapshot is in use: between looking it up and having read the value
/// (`Snapshot.reading`). It may enter several times, one within the other. The last thread to leave evicts the values if it is
/// time; evicted memory is cleared.
///
/// A plain access to a property looks into the pointer tables without a note. So those of such a snapshot stay empty: what
/// it would do when a chunk is touched for the first time, it does each time, and that way leads inside. The addresses
/// are in another half of the tables, where only threads that are inside look (`Table.slot`).
///
/// Invariants: no thread is inside while `emptying` is set; a thread that enters then leaves again, and waits for the lock. A
/// thread that looks an address up without being inside, which is a mistake of this library, stays inside for ever: nothing is
/// evicted any more.
final class ReadersInside: Sendable {
  private static let emptying: UInt = 1
  private static let one: UInt = 2

  /// `emptying`, and the number of entries that were not left yet.
  private let state = Atomic<UInt>(0)
  /// Held by the thread that evicts.
  private let turn = Mutex(())
  /// Number of evictions, which shows whether an address is still valid. For threads that are inside.
  var stamp: Int { emptied.load(ordering: .relaxed) }
  private let emptied = Atomic(0)
  /// What it is all about, not counted: each access asks for it, and the file keeps it.
  private let openedValues: Unmanaged<OpenedValues>
  /// The file's counter of held values at the last check of how much the snapshot holds.
  private let seenHoldCount = Atomic(0)

  /// - Parameter openedValues: Outlives it.
  init(_ openedValues: OpenedValues) { self.openedValues = .passUnretained(openedValues) }

  @inline(__always)
  func enter() {
    while state.add(Self.one, ordering: .acquiring).oldValue & Self.emptying != 0 {
      state.subtract(Self.one, ordering: .relaxed)
      turn.withLock { _ in }
    }
  }

  /// Leaves. Returns whether no thread is inside any more, and it may be time to evict.
  @inline(__always)
  func leave() -> Bool {
    state.subtract(Self.one, ordering: .releasing).newValue == 0
      && openedValues._withUnsafeGuaranteedRef { $0.isTooLarge }
  }

  /// Called where an address is looked for.
  @inline(__always)
  func expectSomebody() {
    if state.load(ordering: .relaxed) >= Self.one { return }
    assertionFailure("An address of a shared snapshot is looked for by who is not inside.")
    enter()
  }

  /// Whether the snapshot may hold more since this was last asked, or letting go was not possible then.
  @inline(__always)
  func isNew(holdCount: Int) -> Bool {
    if seenHoldCount.load(ordering: .relaxed) == holdCount { return false }
    seenHoldCount.store(holdCount, ordering: .relaxed)
    return true
  }

  /// Makes the next thread that leaves as the last try again.
  func tryAgain() { seenHoldCount.store(0, ordering: .relaxed) }

  /// Calls the body while no thread but the caller is inside. Returns false if another one is.
  ///
  /// - Parameters:
  ///   - isInside: Whether the caller is inside, once.
  ///   - body: Returns whether it has evicted anything.
  func empty(isInside: Bool, _ body: () -> Bool) -> Bool {
    turn.withLock { _ in
      let callers = isInside ? Self.one : 0
      let (isAlone, _) = state.compareExchange(
        expected: callers, desired: callers | Self.emptying, ordering: .acquiring)
      guard isAlone else {
        tryAgain()
        return false
      }
      let isDone = body()
      if isDone { emptied.add(1, ordering: .relaxed) }
      state.subtract(Self.emptying, ordering: .releasing)
      return isDone
    }
  }
}

extension Snapshot {
  /// Calls the body, in which addresses of the snapshot may be used. No value is evicted during the call.
  ///
  /// A snapshot of one thread evicts only on request of that thread, see `letGoOfDecrypted`.
  @inlinable @inline(__always)
  package func reading<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if !isGuarded { return try body() }
    enter()
    defer { leave() }
    return try body()
  }

  @usableFromInline @inline(never)
  func enter() { uncountedReaders.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.enter() } }

  @usableFromInline @inline(never)
  func leave() {
    if uncountedReaders.unsafelyUnwrapped._withUnsafeGuaranteedRef({ $0.leave() }) { letGoAfterReading() }
  }

  @inline(never)
  private func letGoAfterReading() {
    guard let readersInside, let opened = file.checkedPlaces.openedValues,
      readersInside.isNew(holdCount: opened.holdCount)
    else { return }
    letGo(readersInside, opened, OpenedValues.heldLimit.load(ordering: .relaxed), isInside: false)
  }
}
