import Foundation
import LibC
import OfficialConversion
import Storage

extension Realm {
  /// Returns whether the file of a configuration exists.
  public static func fileExists(for config: Configuration) -> Bool {
    config.validate()
    return RealmFiles.exists(config)
  }

  /// Deletes the file of a configuration, the lock file beside it, and the original file that
  /// `officialFile: .convert` has kept. Returns whether there was a file.
  ///
  /// ```swift
  /// let existed = try Realm.deleteFiles(for: configuration)
  /// ```
  ///
  /// - Throws: `Realm.Error`: `alreadyOpen` while the realm is open in this process. Other processes must not
  ///   have it open either.
  public static func deleteFiles(for config: Configuration) throws -> Bool {
    config.validate()
    return try RealmFiles.delete(config)
  }
}

/// The files of a realm: the one with the data, and beside it the lock file.
enum RealmFiles {
  static func exists(_ configuration: Realm.Configuration) -> Bool {
    if configuration.inMemoryIdentifier != nil { return MemoryFiles.isOpen(path: configuration.path) }
    return RealmIdentity(path: configuration.path) != nil
  }

  /// Whether this process has the realm open.
  static func isOpen(_ configuration: Realm.Configuration) -> Bool {
    configuration.inMemoryIdentifier.map { RealmCache.isOpen(.memory($0)) }
      ?? DatabaseFile.isOpen(path: configuration.path)
  }

  /// Releases a realm that only the current turn of the run loop keeps open.
  static func letGoOfKept(_ configuration: Realm.Configuration) {
    let identity =
      configuration.inMemoryIdentifier.map { .memory($0) } ?? RealmIdentity(path: configuration.path)
    Confinement.current.kept?.letGo(path: configuration.path) { $0.cacheIdentity == identity }
  }

  /// Deletes the files. Returns whether there were any.
  ///
  /// - Throws: `alreadyOpen` when this process has the file open, and the errors of deleting.
  static func delete(_ configuration: Realm.Configuration) throws -> Bool {
    letGoOfKept(configuration)
    if isOpen(configuration) { throw stillInUse(configuration) }
    if configuration.inMemoryIdentifier != nil { return false }
    // What a symbolic link names goes, too, and the link last.
    let path = configuration.path
    let location = FileLocation(path: path).resolved
    try checkRegular(location, of: path)
    if configuration.officialFile == .convert {
      _ = try remove(OfficialConversion.formerPath(path), of: path)
    }
    let isFound = try remove(location, of: configuration)
    return try location != path && remove(path, of: path) || isFound
  }

  /// Deletes a file whose schema does not match, so that a new one can be created; keeps the original of a converted file, and
  /// symbolic links. Returns also when another process has deleted or replaced the file.
  ///
  /// - Parameters:
  ///   - found: The identity of the file when that was decided; nil if it was deleted already.
  ///   - deadline: The end of the wait for other openers that are about to close the file.
  /// - Throws: `alreadyOpen` when a realm of this process has the file open, or other processes still have it open at the deadline; and the
  ///   errors of deleting.
  static func deleteUnfitting(
    _ configuration: Realm.Configuration, _ found: FoundFile?, until deadline: ContinuousClock.Instant
  ) throws {
    letGoOfKept(configuration)
    while true {
      let isUsed =
        if configuration.inMemoryIdentifier != nil {
          isOpen(configuration)
        } else {
          found.map { RealmCache.isOpen(RealmIdentity($0.identity)) } ?? false
        }
      if isUsed || ContinuousClock.now >= deadline { throw stillInUse(configuration) }
      guard let found, configuration.inMemoryIdentifier == nil else { return pause() }
      switch try DatabaseFile.delete(found, { _ = try remove(found.path, of: configuration) }) {
      case .done: return
      case .changed: return pause()
      case .inUse: pause()
      }
    }
  }

  /// Maximum time to wait for the processes that have a file open that is to be deleted.
  static let patience = Duration.seconds(2)

  private static func pause() { usleep(1000) }

  static func stillInUse(_ configuration: Realm.Configuration) -> Realm.Error {
    let path = configuration.path
    return Realm.Error(
      .alreadyOpen, "Cannot delete files of an open Realm: '\(path)' is still in use.", path: path)
  }

  /// Removes what lies at a place, with what lies beside it. Returns whether there was something.
  ///
  /// - Parameter location: Without symbolic links.
  private static func remove(_ location: String, of configuration: Realm.Configuration) throws -> Bool {
    let path = configuration.path
    // The lock file must go as well: a new file must not meet readers of the old one in it.
    _ = try remove(location + "-lock", of: path)
    // Earlier versions had it.
    _ = try remove(location + ".note", of: path)
    let isFound = try remove(location, of: path)
    // The journal of a file of an earlier format. It is deleted after that file, which cannot be read without it.
    _ = try remove(location + "-journal", of: path)
    // What a copy or a compaction that was killed has left.
    do {
      try DatabaseFile.cleanUp(beside: location)
    } catch {
      throw Realm.Error(error)
    }
    return isFound
  }

  /// Throws when a device, a pipe or a folder lies at a place, where a realm has never been.
  private static func checkRegular(_ file: String, of path: String) throws {
    var information = stat()
    if lstat(file, &information) == 0, information.st_mode & S_IFMT != S_IFREG {
      throw Realm.Error(
        .fileAccess, "Failed to delete the file at path '\(file)': not a regular file", path: path)
    }
  }

  private static func remove(_ file: String, of path: String) throws -> Bool {
    if unlink(file) == 0 { return true }
    let code = errno
    if code == ENOENT || code == ENOTDIR { return false }
    throw Realm.Error(
      code == EACCES || code == EPERM || code == EROFS ? .filePermissionDenied : .fileAccess,
      "Failed to delete the file at path '\(file)': \(String(cString: strerror(code)))", path: path)
  }
}
