import CSystemCalls
package import LibC

/// What tells a file from all others, whatever it is called.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64

  init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }

  package init(_ information: stat) {
    self.init(device: UInt64(information.st_dev), inode: UInt64(information.st_ino))
  }

  /// Creates the identity of the file at a path; nil if there is none.
  package init?(path: String) {
    var information = stat()
    if let identity = path.isEmpty ? nil : Self.identify(-1, path) {
      self.init(identity)
    } else if stat(path, &information) == 0 {
      self.init(information)
    } else {
      return nil
    }
  }

  /// Creates the identity of an open file; nil if the system does not tell it.
  package init?(descriptor: Int32) {
    var information = stat()
    if let identity = Self.identify(descriptor, "") {
      self.init(identity)
    } else if fstat(descriptor, &information) == 0 {
      self.init(information)
    } else {
      return nil
    }
  }

  private init(_ identity: openrealm_identity) {
    self.init(device: UInt64(identity.device), inode: UInt64(identity.inode))
  }

  /// Nil also where the system has no such call, or does not allow it.
  private static func identify(_ descriptor: Int32, _ path: String) -> openrealm_identity? {
    var identity = openrealm_identity()
    return openrealm_identify(descriptor, path, &identity) == 0 ? identity : nil
  }

  /// Whether a file still has a name. Without one no other process can open it.
  package static func isNamed(_ descriptor: Int32) -> Bool {
    if let identity = identify(descriptor, "") { return identity.names > 0 }
    var information = stat()
    return fstat(descriptor, &information) == 0 && information.st_nlink > 0
  }
}
