import Dispatch
import LibC
import Pages

/// The writer lock of a file: one holder among all threads of all processes.
///
/// Unlike a mutex it may be released on another thread than the one that acquired it, because the blocks of actors and
/// queues move between threads. Within the process, requests are granted in order, whether they wait or have a callback;
/// but while a callback has no thread to run on yet, waiting requests go first. Between processes it is `flock` on a
/// descriptor of its own, which the kernel releases when the process dies.
///
/// It is a lock on the file itself, which a process that may read the file can take as well, and so keep all writers away:
/// every user with read permission is trusted not to do that. A lock on what only writers can open would not be seen by
/// processes with an earlier version of this library, which would write at the same time; and the marks that say that the
/// file is open (`LockFile`) must be locks on the file in any case, because read-only openers set them, too.
///
/// If the system cannot grant that lock, requests are granted all the same, so that no thread waits for ever; but the holder
/// must not write, see `checkHeld`.
final class WriteLock: @unchecked Sendable {
  private let file: OwnedDescriptor
  private let path: String
  /// So long threads that wait do so for a request that was granted and waits for a thread to run on.
  fileprivate let courtesy: DispatchTimeInterval
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // Guarded by the mutex. A request that has been granted is not in the queue any more.
  private var isTaken = false
  private var queue = Queue<WriteRequest>()
  /// The one that was granted last, which waits for a thread to run on, and since when.
  private weak var offered: WriteRequest?
  private var offerTime = DispatchTime.now()

  /// How far the lock among processes has come. Belongs to whose turn it is in this process.
  private enum Holding {
    case held
    /// The lock has to be waited for.
    case awaited
    /// With an error number.
    case failed(Int32)
  }
  private var holding = Holding.awaited

  /// The path is for messages.
  init(_ file: OwnedDescriptor, path: String, courtesy: DispatchTimeInterval = .milliseconds(10)) {
    self.file = file
    self.path = path
    self.courtesy = courtesy
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Whether this is the lock of a parent process.
  var isInherited: Bool { !file.isOwn }

  var descriptor: Int32 { file.number }

  /// Waits until no other thread and no other process writes.
  func acquire() {
    if isInherited { return }
    if takeTurn() {
      holding = .awaited
      waitForOtherProcesses()
    } else {
      request().take()
    }
  }

  /// Acquires the lock if it is free. Returns whether it did, and the holder may write.
  func tryAcquire() -> Bool {
    if isInherited || !takeTurn() { return false }
    if tryLockFile() { return true }
    serveNext()
    return false
  }

  /// Throws unless the holder of the right may write.
  func checkHeld() throws(StorageError) {
    if isInherited { throw .inheritedByFork(path: path) }
    if case .failed(let code) = holding { throw .locking(code, path: path) }
  }

  /// Whether a request of this process that is not patient waits for the lock.
  var isWanted: Bool { withMutex { queue.firstOffset { !$0.isPatient } != nil } }

  /// Asks for the right. `granted` is called as soon as it is there, on any thread: perhaps on this one, before
  /// this returns.
  ///
  /// - Parameter isPatient: Whether those who could go on writing for a while need not hurry for it.
  func request(isPatient: Bool = false, _ granted: (@Sendable () -> Void)? = nil) -> WriteRequest {
    let request = WriteRequest(self, isPatient: isPatient, granted)
    // The lock is the parent's: `checkHeld` throws for its holder here.
    if isInherited {
      request.grant()
      return request
    }
    let isNext = withMutex {
      if isTaken {
        queue.append(request)
        return false
      }
      isTaken = true
      return true
    }
    if isNext { grant(request) }
    return request
  }

  func release() {
    // The lock of an inherited descriptor is the parent's.
    if isInherited { return }
    flock(descriptor, LOCK_UN)
    holding = .awaited
    serveNext()
  }

  private func takeTurn() -> Bool {
    withMutex {
      if isTaken { return false }
      isTaken = true
      return true
    }
  }

  private func serveNext() {
    let next = withMutex {
      let next = queue.removeFirst()
      isTaken = next != nil
      return next
    }
    if let next { grant(next) }
  }

  /// Grants a request whose turn it is in this process as soon as no other process writes.
  private func grant(_ request: WriteRequest) {
    if tryLockFile() { return request.grant() }
    if case .failed = holding { return request.grant() }
    // Only one request at a time has its turn, and so at most one thread waits here.
    let wait: @Sendable () -> Void = { [self] in
      waitForOtherProcesses()
      request.grant()
    }
    // Without a thread it is who takes the right that waits. This one may be about to give back something else, which
    // the other process needs.
    if !Thread.start(wait) { request.grant() }
  }

  /// Takes the lock unless another process has it. Returns whether it is held.
  private func tryLockFile() -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
      holding = .held
      return true
    }
    let code = errno
    holding = code == EWOULDBLOCK || code == EINTR ? .awaited : .failed(code)
    return false
  }

  fileprivate func waitForOtherProcesses() {
    guard case .awaited = holding else { return }
    var code: Int32 = 0
    repeat { code = flock(descriptor, LOCK_EX) == 0 ? 0 : errno } while code == EINTR
    holding = code == 0 ? .held : .failed(code)
  }

  fileprivate func withMutex<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Notes that a request waits for a thread. For the holder of the mutex.
  fileprivate func offer(_ request: WriteRequest) {
    offered = request
    offerTime = .now()
  }

  /// Gives the right to the first request that waits on its thread, from one that it was granted to and that has waited for
  /// a thread to run on for a while: all there are may be waiting for the right. The other one is the next then. Returns
  /// whether that was so.
  fileprivate func overtake(_ request: WriteRequest) -> Bool {
    // The last reference to a request is not given up by the holder of the mutex, which its end locks.
    var kept: WriteRequest?
    defer { withExtendedLifetime(kept) {} }
    return withMutex {
      kept = offered
      guard let first = queue.firstOffset(where: \.isSleeping),
        queue.firstOffset(where: { $0 === request }) == first, let offered,
        DispatchTime.now() >= offerTime + courtesy, offered.giveWay(to: request)
      else { return false }
      remove(request)
      queue.prepend(offered)
      self.offered = nil
      return true
    }
  }

  fileprivate func remove(_ request: WriteRequest) {
    if let place = queue.firstOffset(where: { $0 === request }) { queue.remove(at: place) }
  }
}

/// A request for the writer lock of a file: a place in its queue.
///
/// The thread that takes the granted lock has to release it. A lock that was granted and never taken is released when the
/// request is freed, so that a request whose thread has ended blocks no other.
package final class WriteRequest: @unchecked Sendable {
  private enum State {
    case waiting, granted, taken, cancelled
  }

  private let lock: WriteLock
  // Guarded by the lock's mutex.
  private var state = State.waiting
  private var granted: (@Sendable () -> Void)?
  private var sleeper: DispatchSemaphore?

  fileprivate let isPatient: Bool
  /// Whether a thread waits. For the holder of the lock's mutex.
  fileprivate var isSleeping: Bool { sleeper != nil }

  fileprivate init(_ lock: WriteLock, isPatient: Bool, _ granted: (@Sendable () -> Void)?) {
    self.lock = lock
    self.isPatient = isPatient
    self.granted = granted
  }

  deinit { if state == .granted { lock.release() } }

  fileprivate func grant() {
    let (isWanted, callback, sleeper) = lock.withMutex {
      defer { granted = nil }
      if state == .cancelled { return (false, granted, nil as DispatchSemaphore?) }
      state = .granted
      if self.sleeper == nil && !isPatient { lock.offer(self) }
      return (true, granted, self.sleeper)
    }
    if !isWanted {
      lock.release()
    } else if let sleeper {
      sleeper.signal()
    } else {
      callback?()
    }
  }

  /// For the holder of the lock's mutex.
  fileprivate func giveWay(to other: WriteRequest) -> Bool {
    guard state == .granted, other.state == .waiting else { return false }
    state = .waiting
    other.state = .taken
    return true
  }

  /// Takes the lock if it was granted and not taken since. Returns whether it did.
  ///
  /// - Parameter granted: Called on any thread when the lock is granted later, because a waiting thread has taken it
  ///   in between.
  package func tryTake(orLater granted: (@Sendable () -> Void)? = nil) -> Bool {
    let isTaken = lock.withMutex {
      if state == .waiting && self.granted == nil { self.granted = granted }
      if state != .granted { return false }
      state = .taken
      return true
    }
    if isTaken { lock.waitForOtherProcesses() }
    return isTaken
  }

  /// Waits for the lock and takes it. The callback of the request is not called any more.
  ///
  /// - Precondition: The lock of this request was not taken, and the request was not cancelled.
  package func take() {
    let sleeper = lock.withMutex {
      precondition(state == .waiting || state == .granted)
      if state == .granted {
        // At once, since what was granted may be taken away until then.
        state = .taken
      } else {
        self.sleeper = DispatchSemaphore(value: 0)
      }
      return self.sleeper
    }
    if let sleeper {
      while sleeper.wait(timeout: .now() + lock.courtesy) == .timedOut {
        if lock.overtake(self) { break }
      }
      lock.withMutex { state = .taken }
    }
    lock.waitForOtherProcesses()
  }

  /// Cancels the request, and releases the lock if it was granted and not taken.
  package func cancel() {
    let isGranted = lock.withMutex {
      switch state {
      case .waiting:
        state = .cancelled
        granted = nil
        lock.remove(self)
        return false
      case .granted:
        state = .cancelled
        return true
      case .taken, .cancelled: return false
      }
    }
    if isGranted { lock.release() }
  }
}
