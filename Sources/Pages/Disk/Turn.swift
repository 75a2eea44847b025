import LibC

/// Lets one thread of this process in at a time. It may leave on another thread.
final class Turn: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Guarded by the mutex.
  private var isTaken = false

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func enter() {
    pthread_mutex_lock(mutex)
    while isTaken { pthread_cond_wait(condition, mutex) }
    isTaken = true
    pthread_mutex_unlock(mutex)
  }

  func leave() {
    pthread_mutex_lock(mutex)
    isTaken = false
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }
}
