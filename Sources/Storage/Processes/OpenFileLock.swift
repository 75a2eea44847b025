import LibC

/// Locks on parts of a file that belong to an open file rather than to a process, so that closing another
/// descriptor of the same file does not end them.
///
/// All of these say with an error number what went wrong, because a file system that cannot lock must not be taken
/// for one that has locked.
enum OpenFileLock {
  // `fcntl.h` hides these from Swift.
  private static let get: Int32 = 36
  private static let set: Int32 = 37
  private static let setWaiting: Int32 = 38

  /// Locks a byte exclusively unless it is locked. Returns whether it did; false also if the system cannot lock.
  static func tryLock(_ descriptor: Int32, byte: off_t) -> Bool {
    perform(descriptor, set, F_WRLCK, byte..<byte + 1) == 0
  }

  /// Locks some bytes unless others have any of them. Returns whether that was so; false also when the system cannot
  /// lock.
  static func tryLock(_ descriptor: Int32, bytes: Range<off_t>) -> Bool {
    perform(descriptor, set, F_WRLCK, bytes) == 0
  }

  /// Waits for a byte and locks it.
  static func lock(_ descriptor: Int32, byte: off_t) throws(EntryError) {
    try EntryError.check(perform(descriptor, setWaiting, F_WRLCK, byte..<byte + 1))
  }

  /// Acquires a shared lock on a byte, waiting while it is locked exclusively.
  static func share(_ descriptor: Int32, byte: off_t) throws(EntryError) {
    try EntryError.check(perform(descriptor, setWaiting, F_RDLCK, byte..<byte + 1))
  }

  static func unlock(_ descriptor: Int32, byte: off_t) { unlock(descriptor, byte..<byte + 1) }

  static func unlock(_ descriptor: Int32, _ bytes: Range<off_t>) {
    _ = perform(descriptor, set, F_UNLCK, bytes)
  }

  /// Whether others hold any of these bytes, alone or together.
  static func isHeldByOthers(_ descriptor: Int32, _ bytes: Range<off_t>) throws(EntryError) -> Bool {
    if bytes.isEmpty { return false }
    var request = request(F_WRLCK, bytes)
    while fcntl(descriptor, get, &request) != 0 { if errno != EINTR { throw EntryError(code: errno) } }
    return request.l_type != Int16(F_UNLCK)
  }

  private static func perform(
    _ descriptor: Int32, _ command: Int32, _ type: Int32, _ bytes: Range<off_t>
  ) -> Int32 {
    var request = request(type, bytes)
    while fcntl(descriptor, command, &request) != 0 { if errno != EINTR { return errno } }
    return 0
  }

  private static func request(_ type: Int32, _ bytes: Range<off_t>) -> flock {
    var request = flock()
    request.l_type = Int16(type)
    request.l_whence = Int16(SEEK_SET)
    request.l_start = bytes.lowerBound
    request.l_len = bytes.upperBound - bytes.lowerBound
    return request
  }
}
