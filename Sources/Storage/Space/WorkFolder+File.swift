import LibC

extension WorkFolder {
  /// Makes a file in a work folder beside the place where it is to be: it is there when it is whole, and on the disk.
  ///
  /// - Parameters:
  ///   - permissions: Those of the file that the new one is made of. They are set before the file leaves the work folder,
  ///     which no other user may enter. Nil for a file that is made of none, which gets those of any new file.
  ///   - write: Writes the file to a place in the work folder, and closes it.
  /// - Throws: `alreadyExists` when something is at the path already; `notFound`, `permissionDenied`, `outOfSpace` and
  ///   others, after which nothing is left there.
  static func makeFile(
    at path: String, for permissions: FilePermissions?,
    _ write: (_ place: String) throws(StorageError) -> Void
  ) throws(StorageError) {
    try checkIsFree(path)
    let folder = try take(beside: FileLocation(path: path).resolved)
    defer { folder.end() }
    // Another process may have written the same file meanwhile.
    try checkIsFree(path)
    try write(folder.file)
    try permissions.map { permissions throws(StorageError) in try folder.set(permissions, path) }
    guard try FileLocation.move(folder.file, unlessThere: path) else { throw .writing(EEXIST, path: path) }
    do throws(StorageError) {
      try folder.synchroniseParent()
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Sets the permissions of what is written, which will be at a path.
  private func set(_ permissions: FilePermissions, _ path: String) throws(StorageError) {
    let descriptor = LibC.open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw .writing(errno, path: path) }
    defer { close(descriptor) }
    guard permissions.pass(toCopy: descriptor), fsync(descriptor) == 0 else {
      throw .writing(errno, path: path)
    }
  }

  private static func checkIsFree(_ path: String) throws(StorageError) {
    var information = stat()
    if lstat(path, &information) == 0 { throw .writing(EEXIST, path: path) }
  }
}

extension DatabaseFile {
  /// Removes what this process is writing beside places where files are to be: for one that a signal is about to end. Nothing
  /// of it may be used any more.
  package static func removeUnfinished() { WorkFolder.endAll() }

  /// Makes a new file, which is there when all its content is, and on the disk.
  ///
  /// - Parameters:
  ///   - permissions: Those of the file that the new one is made of; nil when it is made of none.
  ///   - write: Writes the content in as many transactions as it likes, the last one with full durability.
  /// - Throws: What the body throws; errors as of ``Snapshot/writeCopy(to:encryptionKey:)``. Nothing is left there then.
  package static func make(
    at path: String, encryptionKey: [UInt8]? = nil, for permissions: FilePermissions? = nil,
    _ write: (Snapshot) throws -> Void
  ) throws {
    var failure: (any Error)?
    do throws(StorageError) {
      try WorkFolder.makeFile(at: path, for: permissions) { (place) throws(StorageError) in
        do {
          try writeContent(to: place, encryptionKey: encryptionKey, name: path, write)
        } catch {
          failure = error
          throw StorageError(.other, path: path, message: "The content of a new file could not be written.")
        }
      }
    } catch {
      throw failure ?? error
    }
  }
}
