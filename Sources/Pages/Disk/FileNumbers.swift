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
