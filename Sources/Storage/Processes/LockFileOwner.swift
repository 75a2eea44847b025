import LibC

/// Decides whether a lock file is trusted: a user who can write it can replace or take back versions of the data.
///
/// It must be an ordinary file with one name, made by the owner of the data, by this user, by the system's administrator, or by a user
/// of the group that may write the data.
struct LockFileOwner {
  private let location: FileLocation
  private let data: Int32

  /// - Parameter data: The descriptor of the data.
  init(_ location: FileLocation, data: Int32) { (self.location, self.data) = (location, data) }

  /// Why a lock file is not trusted, as the end of a sentence; nil if it is.
  func fault(of lock: stat) -> String? {
    if lock.st_mode & S_IFMT != S_IFREG { return "is not an ordinary file" }
    if lock.st_nlink > 1 { return "has several names" }
    var data = stat()
    if fstat(self.data, &data) != 0 {
      return "cannot be compared with the file (\(String(cString: strerror(errno))))"
    }
    return isOwn(lock, data) || isOfGroup(lock, data) ? nil : "belongs to another user"
  }

  private func isOwn(_ lock: stat, _ data: stat) -> Bool {
    if lock.st_uid == geteuid() || lock.st_uid == 0 { return true }
    return lock.st_uid == data.st_uid && Self.isOne(lock.st_uid, in: "/proc/self/uid_map")
  }

  /// Whether a user of the group that may write the data has made it. Where other users may make files, any of them may have: all of
  /// them, or those whom an access control list names. With such a list, the bits of the group are not its own rights either.
  private func isOfGroup(_ lock: stat, _ data: stat) -> Bool {
    var folder = stat()
    let place = FileLocation.folder(of: location.lockPath)
    guard data.st_mode & S_IWGRP != 0, lock.st_gid == data.st_gid, stat(place, &folder) == 0,
      folder.st_mode & S_IWOTH == 0, Self.isOne(lock.st_gid, in: "/proc/self/gid_map")
    else { return false }
    return FilePermissions(descriptor: self.data)?.hasAccessList == false
      && FilePermissions(path: place)?.hasAccessList == false
  }

  /// The number that stands for all users, or groups, that a user namespace does not have (/proc/sys/kernel/overflowuid).
  private static let others: UInt32 = 65534

  /// Whether a number is that of one user, or group.
  ///
  /// - Parameter map: Which numbers the process's namespace has: all of them outside of any (user_namespaces(7)).
  private static func isOne(_ number: UInt32, in map: String) -> Bool {
    if number != others { return true }
    let descriptor = open(map, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return false }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
      let count = read(descriptor, bytes.baseAddress!, bytes.count)
      let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      return text.split(whereSeparator: \.isWhitespace) == ["0", "0", "4294967295"]
    }
  }
}
