import Glibc

extension DatabaseFile {
  /// The error for a commit that failed. To be called by the holder of the write lock.
  func writingError(_ error: LMDBError) -> StorageError {
    if let failure = synchronisationFailure { return failure }
    // LMDB says EIO when the system wrote only a part, which is how a full disk begins.
    if error.code == EIO, let code = growingError() {
      return .outOfSpace(path: path, text: String(cString: strerror(code)))
    }
    let failure = StorageError.lmdb(error, path: path)
    if error.code <= 0 || failure.kind != .access { return failure }
    return StorageError(
      .access, path: path,
      message: "Failed to write Realm file at path '\(path)': \(String(cString: strerror(error.code)))")
  }

  /// The error number when the file can not grow for want of space.
  private func growingError() -> Int32? {
    var information = stat()
    guard let descriptor = try? environment.descriptor, fstat(descriptor, &information) == 0 else {
      return nil
    }
    // A page, since the rest of the last one may be free.
    let page = [UInt8](repeating: 0, count: 4096)
    let written = pwrite(descriptor, page, page.count, information.st_size)
    let code = errno
    // The pages of the failed transaction are not in use, and the file may stay as long as it is.
    if written > 0 { ftruncate(descriptor, information.st_size) }
    if written == page.count { return nil }
    if written >= 0 { return ENOSPC }
    return [ENOSPC, EDQUOT, EFBIG].contains(code) ? code : nil
  }
}
