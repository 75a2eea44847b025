import LibC

/// Readers that may not write to the shared memory, because they lack the permission or the file system is read-only for them.
///
/// Each holds a shared lock on a byte of the file itself, far behind its end, whose place says the version. The writer asks for
/// such locks before space is used again. A shared lock needs no more than the right to read, and keeps no process waiting.
enum OutsideReaders {
  private static let firstByte: off_t = 1 << 61
  /// Locked in the name of the process.
  private static let firstName: off_t = 1 << 62

  private static func byte(_ version: UInt64) -> off_t { firstByte + off_t(version) }

  static func hold(_ version: UInt64, _ file: DiskFile) throws(PageError) {
    try ByteLock.lock(file.owned.number, byte(version), .shared)
    ByteLock.lockByName(file.owned.number, firstName + off_t(version), .shared)
  }

  static func release(_ version: UInt64, _ file: DiskFile) {
    ByteLock.unlock(file.owned.number, byte(version))
    ByteLock.unlockByName(file.owned.number, firstName + off_t(version))
  }

  /// All versions that others hold like this, and the number of a process that holds each, if it is known.
  static func all(_ file: DiskFile) -> [HeldVersion] {
    guard let versions = try? versions(file, before: 1 << 47) else { return [] }
    return versions.map {
      HeldVersion(
        isOwn: false, process: ByteLock.nameOfHolder(file.owned.number, firstName + off_t($0)), version: $0)
    }
  }

  /// The versions before the newest one that others hold like this. One call of the system, when there are none.
  static func versions(_ file: DiskFile, before newest: UInt64) throws(PageError) -> Set<UInt64> {
    var versions: Set<UInt64> = []
    var ranges = [byte(0)..<byte(newest)]
    while let range = ranges.popLast() {
      guard let found = try ByteLock.lockedByOthers(file.owned.number, range) else { continue }
      versions.insert(UInt64(found - firstByte))
      // The system tells one of them, not the first one.
      ranges.append(range.lowerBound..<found)
      ranges.append(found + 1..<range.upperBound)
    }
    return versions
  }
}
