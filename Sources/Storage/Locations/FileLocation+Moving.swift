import CSystemCalls
import LibC

extension FileLocation {
  /// Gives a file another name, unless there is a file with it already. Returns whether that was done.
  ///
  /// - Throws: `outOfSpace`, `permissionDenied` and others when neither is so.
  package static func move(_ path: String, unlessThere target: String) throws(StorageError) -> Bool {
    if openrealm_rename_unless_there(path, target) == 0 { return true }
    var code = errno
    // Not all file systems and systems can do that. With two names the file would be refused, if only for a moment.
    if code == EINVAL || isUnsupported(code) {
      if link(path, target) == 0 {
        if unlink(path) == 0 { return true }
        throw .writing(errno, path: target)
      }
      code = errno
      if isUnsupported(code) { return try take(target, for: path) }
    }
    if code == EEXIST { return false }
    throw .writing(code, path: target)
  }

  /// Whether an error may say that a file system, or who guards it, does not know a call.
  static func isUnsupported(_ code: Int32) -> Bool { [EPERM, ENOSYS, EOPNOTSUPP].contains(code) }

  /// Reserves the target of a move on file systems that have neither a rename without replacement nor hard links: creates an
  /// empty file, which only one process can do, and which the move replaces. A process that opens the empty file to write
  /// waits for its lock, and then finds that another file has replaced it.
  ///
  /// A process that is killed in between leaves the empty file, which openers treat as no file.
  static func take(_ target: String, for path: String) throws(StorageError) -> Bool {
    let descriptor = openBesidesStandard(
      target, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if descriptor < 0 {
      if errno == EEXIST { return false }
      throw .writing(errno, path: target)
    }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
    // A former holder of the lock may have written to the file or removed it.
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_size == 0,
      FileIdentity(path: target) == FileIdentity(information)
    else { return false }
    if rename(path, target) != 0 {
      let code = errno
      unlink(target)
      throw .writing(code, path: target)
    }
    return true
  }
}
