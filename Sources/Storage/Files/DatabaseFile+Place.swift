import LibC

// Whether the file that is open is still the one that others find at its place. Who writes to a file that was deleted,
// moved or replaced writes for nobody.
//
// The system needs half a microsecond to tell, which a durable commit does not notice, and a relaxed one would. So
// write transactions look when the clock, which counts in steps of some milliseconds, has moved on since the last
// time, and durable commits each time.
extension DatabaseFile {
  /// Throws unless the holder of the right to write may use it, on top of the given version.
  func checkWriting(on version: UInt64) throws(StorageError) {
    try writeLock.checkHeld()
    // Another file may also have been written over this one, in its place.
    if let table = commitSignal.table, !table.holds(version: version) { throw .replaced(path: path) }
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
    if FileIdentity(path: location.resolved) != identity { throw .replaced(path: path) }
  }
}
