import LibC

/// `fallocate`, which Swift does not see.
@_silgen_name("fallocate")
private func fallocate(
  _ descriptor: Int32, _ mode: Int32, _ offset: off_t, _ length: off_t
) -> Int32

/// Space on the disk for files that are mapped and changed in memory: where it is missing when a page is first touched,
/// the system ends the process.
enum FileSpace {
  /// Makes a file at least so long, and sees to it that all of that is on the disk. What is in it stays.
  ///
  /// - Returns: The error number, or 0.
  static func allocate(_ descriptor: Int32, size: Int) -> Int32 {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { return errno }
    if information.st_size >= size && Int(information.st_blocks) * 512 >= size { return 0 }
    while fallocate(descriptor, 0, 0, off_t(size)) != 0 {
      switch errno {
      case EINTR: continue
      case EOPNOTSUPP, ENOSYS, EINVAL:
        // The file system has no such call. Others may be writing to what is there.
        return information.st_size >= size ? 0 : writeZeros(descriptor, Int(information.st_size)..<size)
      default: return errno
      }
    }
    return 0
  }

  /// Returns the number of bytes that a program may still write to the disk of a file; all when that is not known.
  @Sendable static func available(_ descriptor: Int32) -> Int {
    var information = statvfs()
    guard fstatvfs(descriptor, &information) == 0 else { return .max }
    let (size, isTooLarge) = Int(clamping: information.f_bavail)
      .multipliedReportingOverflow(by: Int(clamping: information.f_frsize))
    return isTooLarge ? .max : size
  }

  /// The error number when a file cannot grow for want of space. To be called by who alone may write to it.
  static func growingError(_ descriptor: Int32) -> Int32? {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { return nil }
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

  private static func writeZeros(_ descriptor: Int32, _ range: Range<Int>) -> Int32 {
    let zeros = [UInt8](repeating: 0, count: min(range.count, 1 << 16))
    var place = range.lowerBound
    while place < range.upperBound {
      let count = pwrite(descriptor, zeros, min(zeros.count, range.upperBound - place), off_t(place))
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return count == 0 ? ENOSPC : errno }
      place += count
    }
    return 0
  }
}
