import Synchronization

/// Lets one thread at a time compute what all threads that use a frozen realm share.
struct FirstUseLock: ~Copyable {
  private let mutex = Mutex(())

  func withLock<Result>(_ body: () -> Result) -> Result {
    // What comes out is never changed again, which the compiler cannot know.
    nonisolated(unsafe) var result: Result?
    mutex.withLock { _ in result = body() }
    return result.unsafelyUnwrapped
  }
}
