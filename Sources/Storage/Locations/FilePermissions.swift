import CSystemCalls
import LibC

/// The users that a file is for: its owner, its group, its permission bits and its access control list.
///
/// A file that is made of another one is for the same users: the bytes of the source must not be readable in the copy by a
/// user who cannot read the source.
package struct FilePermissions {
  private let owner: uid_t
  private let group: gid_t
  private let mode: mode_t
  /// The POSIX access control list as the kernel stores it; empty without one. With a list the group bits of the mode are
  /// the list's mask, and grant more than the group itself has.
  private let accessList: [UInt8]

  /// Whether more users than the bits tell of may use the file.
  var hasAccessList: Bool { !accessList.isEmpty }

  func isOwner(_ user: uid_t) -> Bool { owner == user }

  private init(_ information: stat, _ accessList: [UInt8]) {
    owner = information.st_uid
    group = information.st_gid
    mode = information.st_mode & 0o7777
    self.accessList = accessList
  }

  /// Returns nil, with `errno`, when the system does not tell them.
  init?(descriptor: Int32) {
    var information = stat()
    guard fstat(descriptor, &information) == 0, let list = Self.accessList(descriptor, "") else { return nil }
    self.init(information, list)
  }

  /// Follows symbolic links. Returns nil, with `errno`, when the system does not tell them.
  package init?(path: String) {
    var information = stat()
    guard stat(path, &information) == 0, let list = Self.accessList(-1, path) else { return nil }
    self.init(information, list)
  }

  /// Returns nil, with `errno`, when the system does not tell it.
  private static func accessList(_ descriptor: Int32, _ path: String) -> [UInt8]? {
    let size = openrealm_access_list(descriptor, path, nil, 0)
    guard size > 0 else { return size == 0 || hasNoList(errno) ? [] : nil }
    var isRead = true
    let list = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let read = openrealm_access_list(descriptor, path, buffer.baseAddress, buffer.count)
      isRead = read >= 0
      count = max(0, read)
    }
    return isRead ? list : nil
  }

  /// Whether an error says that a file has no access control list, or that its file system has none.
  private static func hasNoList(_ code: Int32) -> Bool {
    code == ENODATA || code == EOPNOTSUPP || code == ENOSYS
  }

  /// A file in a folder with a default list begins with that list, which may name more users.
  private func removeInheritedList(on descriptor: Int32) -> Bool {
    openrealm_remove_access_list(descriptor) == 0 || Self.hasNoList(errno)
  }

  /// Gives them to the file that takes the place of this one. Returns false, with `errno`, when the system refuses any.
  package func restore(on descriptor: Int32) -> Bool {
    var new = stat()
    return fstat(descriptor, &new) == 0
      && (owner == new.st_uid && group == new.st_gid || fchown(descriptor, owner, group) == 0)
      && removeInheritedList(on: descriptor) && fchmod(descriptor, mode) == 0
      && (accessList.isEmpty || setAccessList(on: descriptor))
  }

  /// Gives them to a copy, as `pass` does, unless it has them.
  func keep(on descriptor: Int32) {
    guard let present = FilePermissions(descriptor: descriptor) else { return }
    let isSame =
      (present.owner, present.group, present.mode & 0o777, present.accessList)
      == (owner, group, mode & 0o777 | 0o600, accessList)
    if !isSame { _ = pass(toCopy: descriptor) }
  }

  /// Gives them to a copy, as far as the system allows, and never to more users than the source has. The owner may always
  /// read and write the copy.
  ///
  /// Owner and group are kept where this process may set them. Where the group is another one, it and all other users
  /// get only what the source grants to both.
  ///
  /// - Parameter isFolder: Whether the copy is a folder, which the users who may read it may also enter.
  /// - Returns: False, with `errno`, when the system refuses the permission bits.
  package func pass(toCopy descriptor: Int32, isFolder: Bool = false) -> Bool {
    var new = stat()
    guard fstat(descriptor, &new) == 0 else { return false }
    if new.st_gid != group && fchown(descriptor, uid_t.max, group) == 0 { new.st_gid = group }
    if new.st_uid != owner && fchown(descriptor, owner, gid_t.max) == 0 { new.st_uid = owner }
    let isSameGroup = new.st_gid == group
    var bits = mode & 0o777
    if !accessList.isEmpty {
      bits &= 0o700
    } else if !isSameGroup {
      let both = bits >> 3 & bits & 0o7
      bits = bits & 0o700 | both << 3 | both
    }
    bits |= 0o600
    if isFolder { bits |= bits >> 2 & 0o111 }
    if !removeInheritedList(on: descriptor) || fchmod(descriptor, bits) != 0 { return false }
    // Without the list the copy is for its owner alone.
    if !accessList.isEmpty && isSameGroup && new.st_uid == owner && !isFolder {
      _ = setAccessList(on: descriptor)
    }
    return true
  }

  private func setAccessList(on descriptor: Int32) -> Bool {
    accessList.withUnsafeBytes {
      openrealm_set_access_list(descriptor, $0.baseAddress, $0.count) == 0
    }
  }
}
