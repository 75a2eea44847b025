import LibC

// Whether the open file is still the one at its path. What is written to a file that was deleted, moved or replaced is lost.
//
// The check takes half a microsecond, which is little beside a durable commit and much beside a relaxed one. So write
// transactions check when the clock, which counts in steps of some milliseconds, has advanced since the last check, and
// durable commits check each time.
extension DatabaseFile {
  /// Throws unless the holder of the writer lock may write.
  func checkWriting() throws(StorageError) {
    try writeLock.checkHeld()
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    let look = now.tv_sec * 1_000_000_000 + now.tv_nsec
    if look == lastLook { return }
    try checkPlace()
    lastLook = look
  }

  /// Throws unless the file is at its place.
  func checkPlace() throws(StorageError) {
    guard isNamed else { return }
    // Where the file alone is mounted, its path leads to it also when it has no name any more.
    if FileIdentity(path: location.resolved) != identity || !FileIdentity.isNamed(writeLock.descriptor) {
      throw .replaced(path: path)
    }
    // Another file may also have been written over this one, in its place.
    do throws(EntryError) {
      if try entries.isIntact() { return }
    } catch {
      throw writingError(error)
    }
    throw .replaced(path: path)
  }
}
