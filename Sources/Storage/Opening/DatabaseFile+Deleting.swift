import LibC

/// The identity and state of a file when it was examined, to detect that it was replaced or written to since.
package final class FoundFile {
  fileprivate let location: FileLocation
  /// Where it lies, without symbolic links.
  package var path: String { location.resolved }
  package let identity: FileIdentity
  fileprivate let version: UInt64
  /// As long as it is open, no other file gets the number that tells this one from others.
  private let descriptor: Int32

  /// Nil when the file has lost its name.
  fileprivate init?(_ file: DatabaseFile, version: UInt64) throws(StorageError) {
    location = file.location
    identity = file.identity
    self.version = version
    descriptor = open(location.resolved, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 && errno != ENOENT && errno != ENOTDIR { throw .system(errno, path: location.path) }
    guard descriptor >= 0, FileIdentity(descriptor: descriptor) == identity else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

extension Snapshot {
  /// The file with the version that is read; nil when there is another one at its place, or none.
  ///
  /// - Throws: The errors of opening it.
  package func foundFile() throws(StorageError) -> FoundFile? { try FoundFile(file, version: version) }
}

extension DatabaseFile {
  package enum Deletion {
    case done
    /// There is another one at its place, or none, or it has been written to.
    case changed
    /// This process has it open, or another one.
    case inUse
  }

  /// Deletes a file if it is still as it was found and no process has it open. An opening process waits until then, and
  /// finds no file.
  ///
  /// - Parameter remove: Removes the file and the files beside it.
  package static func delete(_ found: FoundFile, _ remove: () throws -> Void) throws -> Deletion {
    let location = found.location
    func isAtItsPlace() -> Bool { FileIdentity(path: location.resolved) == found.identity }
    // Where there is none, none is made; only when it goes away right now an empty one may be left.
    guard isAtItsPlace() else { return .changed }
    guard case .new(let new) = try FileRegistry.shared.claim(location, readOnly: false) else { return .inUse }
    defer { FileRegistry.shared.finish(new.identity, nil) }
    let lock = WriteLock(new.file, path: location.path)
    lock.acquire()
    defer { lock.release() }
    try lock.checkHeld()
    guard new.identity == found.identity, isAtItsPlace(),
      newestVersion(location) == found.version
    else { return .changed }
    guard LockFile.tryTakeAlone(data: new.file.number) else { return .inUse }
    try remove()
    return .done
  }
}
