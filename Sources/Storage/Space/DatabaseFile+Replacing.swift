import Glibc

extension DatabaseFile {
  /// Makes a new file in the place of something else, which gets another name beside it. At every moment one of them is there,
  /// whole; whoever is killed leaves the old one as it was, or the new one.
  ///
  /// Of several threads and processes that do the same at once, one does it, and the others wait. Whoever opens the new
  /// file to write waits until the disk has its name.
  ///
  /// - Parameters:
  ///   - former: The other name, where nothing may be; a second name of the same file, as somebody who was killed may have left.
  ///   - isNeeded: Asked by who has waited for others: whether there is still something else at the place.
  ///   - write: Writes the content in as many transactions as it likes, the last one with full durability.
  /// - Returns: Whether it was needed.
  /// - Throws: What the blocks throw; `alreadyExists` when something has the other name; errors as of
  ///   ``Snapshot/writeCopy(to:encryptionKey:)``. The old file is at its place then, unless it is not sure which one the disk has.
  package static func replace(
    at path: String, keeping former: String, encryptionKey: [UInt8]?, when isNeeded: () throws -> Bool,
    _ write: (Snapshot) throws -> Void
  ) throws -> Bool {
    let place = FileLocation(path: path).resolved
    let folder = try WorkFolder.take(beside: place)
    defer { folder.end() }
    guard try isNeeded() else { return false }
    try checkIsFree(former, of: place)
    try writeContent(to: folder.file, encryptionKey: encryptionKey, write)
    let lock = try lockedForUsers(of: place, folder.file, path: path)
    defer { close(lock) }
    if link(place, former) != 0 {
      let code = errno
      try checkIsFree(former, of: place)
      if code != EEXIST { throw StorageError.writing(code, path: former) }
    }
    // Not all file systems bring names to the disk in the order in which they were given.
    try FileLocation.synchroniseFolder(of: place)
    if rename(folder.file, place) != 0 {
      let code = errno
      unlink(former)
      throw StorageError.writing(code, path: path)
    }
    do throws(StorageError) {
      try folder.synchroniseParent()
    } catch {
      // Who opens the file next tries again.
      folder.leave()
      throw error
    }
    return true
  }

  private static func checkIsFree(_ former: String, of place: String) throws(StorageError) {
    var information = stat()
    if lstat(former, &information) == 0 && FileIdentity(information) != FileIdentity(path: place) {
      throw StorageError(
        .alreadyExists, path: former,
        message:
          "Failed to keep the file '\(place)' as '\(former)', where something else is: move or delete that first."
      )
    }
  }

  /// Makes a new file that of the same owner, for the same users. It is locked, as a writer would, until the descriptor is closed.
  private static func lockedForUsers(
    of former: String, _ new: String, path: String
  ) throws(StorageError) -> Int32 {
    let descriptor = Glibc.open(new, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .writing(errno, path: path) }
    var information = stat()
    guard stat(former, &information) == 0, information.passUsers(to: descriptor), fsync(descriptor) == 0
    else {
      let code = errno
      close(descriptor)
      throw .writing(code, path: path)
    }
    // A file system without locks has no second process either.
    while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
    return descriptor
  }

  /// Writes a file to a place that nobody else knows, and closes it.
  static func writeContent(
    to place: String, encryptionKey: [UInt8]?, _ write: (Snapshot) throws -> Void
  ) throws {
    let file = try DatabaseFile.open(path: place, encryptionKey: encryptionKey)
    let snapshot = try Snapshot(file: file)
    do {
      try write(snapshot)
    } catch {
      if snapshot.isWriting { snapshot.cancelWrite() }
      throw error
    }
  }
}

extension stat {
  /// Gives a new file the owner and the permissions of this one.
  func passUsers(to descriptor: Int32) -> Bool {
    var new = stat()
    return fstat(descriptor, &new) == 0
      && (st_uid == new.st_uid && st_gid == new.st_gid || fchown(descriptor, st_uid, st_gid) == 0)
      && fchmod(descriptor, st_mode & 0o7777) == 0
  }
}
