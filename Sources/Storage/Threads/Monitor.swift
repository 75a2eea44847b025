import LibC

/// A value that threads share, and the waiting for what others make of it.
///
/// Invariants: the value lies in memory of its own, and is touched only by who holds the mutex, within the closure that
/// is given it. No access to it outlives the closure, so that none is open while a thread waits: what a thread knew of
/// the value before it waited has to be looked up again, which is why waiting calls the whole closure again.
final class Monitor<Value>: @unchecked Sendable {
  private let value: UnsafeMutablePointer<Value>
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ initialValue: Value) {
    value = .allocate(capacity: 1)
    value.initialize(to: initialValue)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
    value.deinitialize(count: 1)
    value.deallocate()
  }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value.pointee)
  }

  /// Calls the body until it returns something: at once, and then after each signal.
  func wait<Result>(for body: (inout Value) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value.pointee) { return result }
      pthread_cond_wait(changed, mutex)
    }
  }

  /// Wakes a thread that waits. For after a change.
  func signal() {
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }
}
