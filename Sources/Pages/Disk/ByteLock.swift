import LibC

/// Locks on bytes of a file that belong to an open file rather than to a process, so that processes are told apart by what they
/// hold, not by their numbers, and the kernel releases what a dead one held.
enum ByteLock {
  // `fcntl.h` hides these from Swift.
  private static let get: Int32 = 36
  private static let set: Int32 = 37
  private static let setWaiting: Int32 = 38

  enum Kind: Int32 {
    case shared, exclusive

    fileprivate var type: Int32 { self == .shared ? F_RDLCK : F_WRLCK }
  }

  /// Locks a byte unless others hold it. Returns whether it did.
  static func tryLock(_ descriptor: Int32, _ byte: off_t, _ kind: Kind) throws(PageError) -> Bool {
    let code = perform(descriptor, set, kind.type, byte)
    if code == 0 { return true }
    if code == EAGAIN || code == EACCES { return false }
    throw .system(code)
  }

  /// Waits for a byte and locks it.
  static func lock(_ descriptor: Int32, _ byte: off_t, _ kind: Kind) throws(PageError) {
    let code = perform(descriptor, setWaiting, kind.type, byte)
    if code != 0 { throw .system(code) }
  }

  static func unlock(_ descriptor: Int32, _ byte: off_t) { _ = perform(descriptor, set, F_UNLCK, byte) }

  /// The first byte of some that was found locked by others, in no order; nil when none is.
  static func lockedByOthers(_ descriptor: Int32, _ bytes: Range<off_t>) throws(PageError) -> off_t? {
    if bytes.isEmpty { return nil }
    var request = request(F_WRLCK, bytes.lowerBound, bytes.upperBound - bytes.lowerBound)
    while fcntl(descriptor, get, &request) != 0 { if errno != EINTR { throw .system(errno) } }
    return request.l_type == Int16(F_UNLCK) ? nil : max(request.l_start, bytes.lowerBound)
  }

  static func isHeldByOthers(_ descriptor: Int32, _ byte: off_t) throws(PageError) -> Bool {
    try lockedByOthers(descriptor, byte..<byte + 1) != nil
  }

  // MARK: Locks that name their process

  /// Locks a byte in the name of this process, unless another process has: the kernel tells its number, as each PID namespace
  /// knows it. The lock ends as soon as this process closes any descriptor of the file, so nothing may depend on it.
  static func lockByName(_ descriptor: Int32, _ byte: off_t, _ kind: Kind) {
    _ = perform(descriptor, F_SETLK, kind.type, byte)
  }

  static func unlockByName(_ descriptor: Int32, _ byte: off_t) {
    _ = perform(descriptor, F_SETLK, F_UNLCK, byte)
  }

  /// The number of the process that has a byte locked in its name; nil when none has, or in a PID namespace that this process
  /// cannot see.
  static func nameOfHolder(_ descriptor: Int32, _ byte: off_t) -> Int32? {
    var request = request(F_WRLCK, byte, 1)
    guard fcntl(descriptor, F_GETLK, &request) == 0, request.l_type != Int16(F_UNLCK), request.l_pid > 0
    else { return nil }
    return request.l_pid
  }

  private static func perform(_ descriptor: Int32, _ command: Int32, _ type: Int32, _ byte: off_t) -> Int32 {
    var request = request(type, byte, 1)
    while fcntl(descriptor, command, &request) != 0 { if errno != EINTR { return errno } }
    return 0
  }

  private static func request(_ type: Int32, _ start: off_t, _ length: off_t) -> flock {
    var request = flock()
    request.l_type = Int16(type)
    request.l_whence = Int16(SEEK_SET)
    request.l_start = start
    request.l_len = length
    return request
  }
}
