import LibC

/// Tells a file from all others of the system for as long as it is open.
package struct FileNumbers: Equatable, Sendable {
  package let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }

  /// Nil when the system does not tell them.
  package init?(descriptor: Int32) {
    var information = stat()
    if fstat(descriptor, &information) != 0 { return nil }
    self.init(device: UInt64(information.st_dev), inode: UInt64(information.st_ino))
  }
}

/// What a file of pages and its lock file must be. They are found by their names, which other users may be able to change between two looks
/// at them.
package struct ExpectedFiles: Sendable {
  /// Nil for whatever has the name.
  let data: FileNumbers?
  let lock: FileNumbers?
  /// Whether a process that only reads believes what is in a lock file. It gets the descriptors of the lock file and of the data, and
  /// holds none itself: locks end when a file is closed.
  let trustsLockFile: @Sendable (_ lock: Int32, _ data: Int32) -> Bool

  package init(
    data: FileNumbers? = nil, lock: FileNumbers? = nil,
    trustsLockFile: @escaping @Sendable (_ lock: Int32, _ data: Int32) -> Bool = { _, _ in true }
  ) {
    (self.data, self.lock, self.trustsLockFile) = (data, lock, trustsLockFile)
  }
}
