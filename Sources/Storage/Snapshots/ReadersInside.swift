import Synchronization

/// Who is reading a snapshot that any number of threads share, so that what an encrypted file has decrypted for it can be let
/// go of while nobody is.
///
/// A thread is inside while an address of the snapshot is in use: between looking for it and having read what is there
/// (`Snapshot.reading`). It may come inside several times over. The last who leaves lets go, when it is time; what is let
/// go of is cleared.
///
/// A plain access to a property looks into the pointer tables without a note. So those of such a snapshot stay empty: what
/// it would do when a chunk is touched for the first time, it does each time, and that way leads inside. The addresses
/// are in another half of the tables, where only who is inside looks (`Table.slot`).
///
/// Invariants: nobody is inside while `emptying` is set; who comes then goes back, and waits for the lock. Who takes an
/// address without being inside, which is a mistake of this library, is inside for ever: nothing is let go of any more.
final class ReadersInside: Sendable {
  private static let emptying: UInt = 1
  private static let one: UInt = 2

  /// `emptying`, and how often somebody is inside.
  private let state = Atomic<UInt>(0)
  /// Held by who lets go.
  private let turn = Mutex(())
  /// How often everything was let go of, which tells whether an address still holds. For who is inside.
  var stamp: Int { emptied.load(ordering: .relaxed) }
  private let emptied = Atomic(0)
  /// What it is all about, not counted: each access asks for it, and the file keeps it.
  private let openedValues: Unmanaged<OpenedValues>
  /// How often anybody in the file had come to hold a value when it was last looked at how much the snapshot holds.
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

  /// Returns whether nobody is inside any more, and it may be time to let go.
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

  /// Whoever leaves last tries again.
  func tryAgain() { seenHoldCount.store(0, ordering: .relaxed) }

  /// Calls the body while nobody is inside, but for who calls this. False when somebody is.
  ///
  /// - Parameters:
  ///   - isInside: Whether who calls is inside, once.
  ///   - body: Returns whether it has let go of anything.
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
  /// Calls the body, in which addresses of the snapshot may be used. Nothing of it is let go of meanwhile.
  ///
  /// A snapshot that one thread uses lets go where that thread asks for it, see `letGoOfDecrypted`.
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
