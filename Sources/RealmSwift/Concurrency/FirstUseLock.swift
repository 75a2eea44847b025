import Synchronization

/// Lets one thread at a time compute what all threads that use a frozen realm share.
struct FirstUseLock: ~Copyable {
  private let mutex = Mutex(())
  /// Orders the turns once more, for the thread sanitizer: it does not know `Mutex`.
  private let turns = Atomic(0)

  func withLock<Result>(_ body: () -> Result) -> Result {
    // What comes out is never changed again, which the compiler can not know.
    nonisolated(unsafe) var result: Result?
    mutex.withLock { _ in
      let turn = turns.load(ordering: .acquiring)
      result = body()
      turns.store(turn + 1, ordering: .releasing)
    }
    return result.unsafelyUnwrapped
  }
}
