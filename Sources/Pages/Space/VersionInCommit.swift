import LibC

/// The version of a commit that waits for the disk: its record is in the file, and no reader may see it yet.
///
/// The writer locks a byte of the file itself, far behind its end, whose place says the version. Readers without access to the
/// shared memory ask for it; the kernel releases the lock of a writer that dies.
enum VersionInCommit {
  private static let firstByte: off_t = 3 << 60
  private static let bytes = firstByte..<firstByte + 1 << 47

  /// To be called before the record is written.
  static func announce(_ version: UInt64, _ file: DiskFile) throws(PageError) {
    try ByteLock.lock(file.owned.number, firstByte + off_t(version), .exclusive)
  }

  /// To be called when the version is published, or its record erased.
  static func withdraw(_ version: UInt64, _ file: DiskFile) {
    ByteLock.unlock(file.owned.number, firstByte + off_t(version))
  }

  /// The version that a writer has announced; nil when none has.
  static func find(_ file: DiskFile) throws(PageError) -> UInt64? {
    try ByteLock.lockedByOthers(file.owned.number, bytes).map { UInt64($0 - firstByte) }
  }
}
