import Dispatch
import Glibc

/// The right to write to a file: one holder among all threads of all processes.
///
/// Unlike a mutex it may be released on another thread than it was taken on, because the blocks of actors and
/// queues move between threads. Within the process it goes to those who ask in the order of their asking, whether
/// they wait for it or are called. Between processes it is `flock` on a descriptor of its own, which the kernel
/// releases when the process dies.
final class WriteLock: @unchecked Sendable {
  private let descriptor: Int32
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // Guarded by the mutex. A request that has been granted is not in the queue any more.
  private var isTaken = false
  private var queue = Queue<WriteRequest>()

  /// Takes over the descriptor.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    close(descriptor)
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Waits until no other thread and no other process writes.
  func acquire() {
    if takeTurn() {
      waitForOtherProcesses()
    } else {
      request().take()
    }
  }

  /// Takes the right if nobody has it. Returns whether that was so.
  func tryAcquire() -> Bool {
    if !takeTurn() { return false }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    serveNext()
    return false
  }

  /// Whether somebody in this process waits for the right who is in a hurry.
  var isWanted: Bool { withMutex { queue.firstOffset { !$0.isPatient } != nil } }

  /// Asks for the right. `granted` is called as soon as it is there, on any thread: perhaps on this one, before
  /// this returns.
  ///
  /// - Parameter isPatient: Whether those who could go on writing for a while need not hurry for it.
  func request(isPatient: Bool = false, _ granted: (@Sendable () -> Void)? = nil) -> WriteRequest {
    let request = WriteRequest(self, isPatient: isPatient, granted)
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
    flock(descriptor, LOCK_UN)
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
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return request.grant() }
    // Only one request at a time has its turn, and so at most one thread waits here.
    let wait: @Sendable () -> Void = { [self] in
      waitForOtherProcesses()
      request.grant()
    }
    if !Thread.start(wait) { wait() }
  }

  private func waitForOtherProcesses() {
    while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
  }

  fileprivate func withMutex<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  fileprivate func remove(_ request: WriteRequest) {
    if let place = queue.firstOffset(where: { $0 === request }) { queue.remove(at: place) }
  }
}

/// A place in the queue of those who want to write to a file.
///
/// Who takes the right has to release it. A right that was granted and that nobody took is released when the
/// request goes away, so that one whose thread has ended meanwhile holds up nobody.
public final class WriteRequest: @unchecked Sendable {
  private enum State {
    case waiting, granted, taken, cancelled
  }

  private let lock: WriteLock
  // Guarded by the lock's mutex.
  private var state = State.waiting
  private var granted: (@Sendable () -> Void)?
  private var sleeper: DispatchSemaphore?

  fileprivate let isPatient: Bool

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

  /// Takes the right when it has been granted and nobody else has taken it. Returns whether that was so.
  public func tryTake() -> Bool {
    lock.withMutex {
      if state != .granted { return false }
      state = .taken
      return true
    }
  }

  /// Waits for the right and takes it. Whoever would have been called is called no more.
  ///
  /// - Precondition: Nobody has taken it, and the request was not cancelled.
  public func take() {
    let sleeper = lock.withMutex {
      precondition(state == .waiting || state == .granted)
      if state == .waiting { self.sleeper = DispatchSemaphore(value: 0) }
      return self.sleeper
    }
    sleeper?.wait()
    lock.withMutex { state = .taken }
  }

  /// Gives the place up, and the right as well unless somebody has taken it.
  public func cancel() {
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

extension DatabaseFile {
  /// Waits until nobody else writes, and takes the right to write, for `Snapshot.openWrite`.
  public func takeWriting() { writeLock.acquire() }

  /// Takes the right to write if nobody has it or waits for it. Returns whether that was so.
  public func tryTakeWriting() -> Bool { writeLock.tryAcquire() }

  /// Whether somebody else in this process waits for the right to write who is in a hurry.
  public var isWritingWanted: Bool { writeLock.isWanted }

  /// Gives back a right that was not used.
  public func returnWriting() { writeLock.release() }

  /// Asks for the right to write without waiting for it. `granted` is called as soon as it is there, on any
  /// thread: perhaps on this one, before this returns.
  ///
  /// - Parameter isPatient: Whether those who could go on writing for a while need not hurry for it.
  public func requestWriting(
    isPatient: Bool = false, _ granted: @escaping @Sendable () -> Void
  ) -> WriteRequest {
    writeLock.request(isPatient: isPatient, granted)
  }
}
