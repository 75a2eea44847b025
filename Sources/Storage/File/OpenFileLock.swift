import Glibc

/// Locks on parts of a file that belong to an open file rather than to a process, so that closing another
/// descriptor of the same file does not end them.
enum OpenFileLock {
  // `fcntl.h` hides these from Swift.
  static let get: Int32 = 36
  private static let set: Int32 = 37
  private static let setWaiting: Int32 = 38

  /// Locks a byte unless somebody has it. Returns whether that was so.
  static func tryLock(_ descriptor: Int32, byte: off_t) -> Bool { perform(descriptor, set, F_WRLCK, byte) }

  static func lock(_ descriptor: Int32, byte: off_t) {
    while !perform(descriptor, setWaiting, F_WRLCK, byte) && errno == EINTR {}
  }

  static func unlock(_ descriptor: Int32, byte: off_t) { _ = perform(descriptor, set, F_UNLCK, byte) }

  private static func perform(_ descriptor: Int32, _ command: Int32, _ type: Int32, _ byte: off_t) -> Bool {
    var request = flock()
    request.l_type = Int16(type)
    request.l_whence = Int16(SEEK_SET)
    request.l_start = byte
    request.l_len = 1
    return fcntl(descriptor, command, &request) == 0
  }
}
