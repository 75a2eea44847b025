import LibC
import Pages

/// What can be said of a file before it is opened.
enum FileCheck {
  /// The identity of an existing file, if it is one that can be opened by its name; nil for one that is still to be
  /// made.
  static func identity(_ location: FileLocation, readOnly: Bool) throws(StorageError) -> FileIdentity? {
    var information = stat()
    guard stat(location.resolved, &information) == 0 else {
      if errno == ENOENT && !readOnly { return nil }
      throw openingError(errno, path: location.path)
    }
    let failed = "Failed to open Realm file at path '\(location.path)': "
    if information.st_mode & S_IFMT == S_IFDIR {
      throw StorageError(.access, path: location.path, message: failed + "Is a directory")
    }
    // Opening anything else may wait, or have effects.
    if information.st_mode & S_IFMT != S_IFREG {
      throw StorageError(.access, path: location.path, message: failed + "not a regular file")
    }
    if information.st_nlink == 0 && !readOnly {
      // Unless another file has come to its place just now.
      guard FileIdentity(path: location.resolved) == FileIdentity(information) else {
        return try identity(location, readOnly: readOnly)
      }
      throw StorageError(
        .access, path: location.path,
        message: failed
          + "it was deleted, moved or replaced outside of what is mounted here, so that what is written to it would be lost. Mount the folder instead of the file, and open it again."
      )
    }
    // Each of its names would have a lock file of its own.
    if information.st_nlink > 1 {
      throw StorageError(
        .access, path: location.path,
        message: failed + "it has \(information.st_nlink) names (hard links), and may have only one.")
    }
    return FileIdentity(information)
  }

  static func openingError(_ code: Int32, path: String) -> StorageError {
    if code == ENOTDIR {
      let lock = path + ".lock"
      return StorageError(
        .operationFailed, path: lock,
        message: "Failed to open file at path '\(lock)': parent path is not a directory")
    }
    return .system(code, path: path)
  }

  /// Checks that a file that is not empty begins as a file of pages.
  static func checkContent(descriptor: Int32, path: String, readOnly: Bool) throws(StorageError) {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw .system(errno, path: path) }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw StorageError(
        .access, path: path, message: "Failed to open Realm file at path '\(path)': not a regular file")
    }
    let size = Int(information.st_size)
    if size == 0 {
      if readOnly { throw .invalid(path: path, "file is empty.") }
      return
    }
    if isOfficial(descriptor) {
      throw StorageError(
        .unsupportedFormat, path: path,
        message:
          "Failed to open Realm file at path '\(path)': it is a file of the official Realm SDK. Convert it with `officialFile: .convert` in the configuration, or with the command `realm convert OLD NEW`."
      )
    }
    if !PageStore.mayBePages(descriptor) { throw .invalid(path: path, "not a Realm file.") }
  }

  /// Whether it has the mark that files of the official engine have, unless they are encrypted.
  private static func isOfficial(_ descriptor: Int32) -> Bool {
    var mark = [UInt8](repeating: 0, count: 4)
    return pread(descriptor, &mark, mark.count, 16) == mark.count && mark == Array("T-DB".utf8)
  }
}
