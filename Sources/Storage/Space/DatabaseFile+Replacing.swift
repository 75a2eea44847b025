import LibC

extension DatabaseFile {
  /// Replaces a file by a new one, and keeps the old one under another name beside it. At every moment the path leads to one of
  /// them, complete: a process that is killed leaves the old one as it was, or the new one.
  ///
  /// Of several threads and processes that do the same at once, one does it, and the others wait. Processes that open the new
  /// file to write wait until its name is durable.
  ///
  /// - Parameters:
  ///   - former: The other name, at which there may be only the same file or a copy of it, which a killed process may have left.
  ///   - isNeeded: Called after waiting for another thread or process: whether the file still has to be replaced.
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
    let kept = KeptFile(place, as: former)
    try kept.checkIsPossible()
    try writeContent(to: folder.file, encryptionKey: encryptionKey, name: path, write)
    let lock = try lockedForUsers(of: place, folder.file, path: path)
    defer { close(lock) }
    let isNew = try kept.keep(by: folder)
    // Not all file systems bring names to the disk in the order in which they were given.
    try FileLocation.synchroniseFolder(of: place)
    if rename(folder.file, place) != 0 {
      let code = errno
      if isNew { unlink(former) }
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

  /// Makes a new file that of the same owner, for the same users. It is locked, as a writer would, until the descriptor is closed.
  static func lockedForUsers(
    of former: String, _ new: String, path: String
  ) throws(StorageError) -> Int32 {
    let descriptor = openBesidesStandard(new, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .writing(errno, path: path) }
    guard FilePermissions(path: former)?.restore(on: descriptor) == true, fsync(descriptor) == 0 else {
      let code = errno
      close(descriptor)
      throw .writing(code, path: path)
    }
    // A file system without locks has no second process either.
    while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
    return descriptor
  }

  /// Writes a file in a work folder, and closes it.
  ///
  /// - Parameter name: The path that the file will have, for messages.
  static func writeContent(
    to place: String, encryptionKey: [UInt8]?, name: String, _ write: (Snapshot) throws -> Void
  ) throws {
    let file = try DatabaseFile.make(in: place, encryptionKey: encryptionKey, name: name)
    let snapshot = try Snapshot(file: file)
    do {
      try write(snapshot)
    } catch {
      if snapshot.isWriting { Writer(snapshot).cancel() }
      throw error
    }
  }
}
