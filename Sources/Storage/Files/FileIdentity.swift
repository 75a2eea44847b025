import Glibc

/// What tells a file from all others, whatever it is called.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt
  package let inode: UInt

  init(_ information: stat) {
    device = UInt(information.st_dev)
    inode = UInt(information.st_ino)
  }

  /// That of the file at a path; nil when there is none.
  package init?(path: String) {
    var information = stat()
    guard stat(path, &information) == 0 else { return nil }
    self.init(information)
  }

  init?(descriptor: Int32) {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { return nil }
    self.init(information)
  }
}
