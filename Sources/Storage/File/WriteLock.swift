import Glibc

/// The right to write to a file: one holder among all threads of all processes.
///
/// Unlike a mutex it may be released on another thread than it was taken on, because the blocks of actors and
/// queues move between threads. Between processes it is `flock` on a descriptor of its own, which the kernel
/// releases when the process dies.
final class WriteLock: @unchecked Sendable {
  private let descriptor: Int32
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let released = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // Tickets make the waiting threads' order first come, first served.
  private var nextTicket: UInt64 = 0
  private var servedTicket: UInt64 = 0

  /// Takes over the descriptor.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(released, nil)
  }

  deinit {
    close(descriptor)
    pthread_cond_destroy(released)
    pthread_mutex_destroy(mutex)
    released.deallocate()
    mutex.deallocate()
  }

  /// Waits until no other thread and no other process writes.
  func acquire() {
    pthread_mutex_lock(mutex)
    let ticket = nextTicket
    nextTicket += 1
    while servedTicket != ticket { pthread_cond_wait(released, mutex) }
    pthread_mutex_unlock(mutex)
    while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
  }

  /// Takes the right if nobody has it. Returns whether that was so.
  func tryAcquire() -> Bool {
    pthread_mutex_lock(mutex)
    let isFree = nextTicket == servedTicket
    if isFree { nextTicket += 1 }
    pthread_mutex_unlock(mutex)
    if !isFree { return false }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    endTurn()
    return false
  }

  func release() {
    flock(descriptor, LOCK_UN)
    endTurn()
  }

  private func endTurn() {
    pthread_mutex_lock(mutex)
    servedTicket += 1
    pthread_cond_broadcast(released)
    pthread_mutex_unlock(mutex)
  }
}
