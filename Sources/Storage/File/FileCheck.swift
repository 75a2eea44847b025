import CLMDB
import Glibc

/// What can be said of a file before LMDB touches it: LMDB itself would map a truncated file and crash when a
/// missing page is read.
enum FileCheck {
  /// The identity of an existing file, if it is one that can be opened by its name; nil for one that is still to be
  /// made.
  static func identity(_ location: FileLocation, readOnly: Bool) throws(StorageError) -> FileIdentity? {
    var information = stat()
    guard stat(location.resolved, &information) == 0 else {
      if errno == ENOENT && !readOnly { return nil }
      throw openingError(errno, path: location.path, readOnly: readOnly)
    }
    let failed = "Failed to open Realm file at path '\(location.path)': "
    if information.st_mode & S_IFMT == S_IFDIR {
      throw StorageError(.access, path: location.path, message: failed + "Is a directory")
    }
    // Opening anything else may wait, or have effects.
    if information.st_mode & S_IFMT != S_IFREG {
      throw StorageError(.access, path: location.path, message: failed + "not a regular file")
    }
    // Each of its names would have a lock file of its own.
    if information.st_nlink > 1 {
      throw StorageError(
        .access, path: location.path,
        message: failed + "it has \(information.st_nlink) names (hard links), and may have only one.")
    }
    return FileIdentity(information)
  }

  static func openingError(_ code: Int32, path: String, readOnly: Bool) -> StorageError {
    if code == ENOTDIR {
      let lock = path + ".lock"
      return StorageError(
        .operationFailed, path: lock,
        message: "Failed to open file at path '\(lock)': parent path is not a directory")
    }
    return .system(code, path: path)
  }

  /// Checks that a file that is not empty begins as an LMDB file and is as long as it says.
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
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    guard size >= 2 * pageSize else {
      throw .invalid(
        path: path, "file is non-empty but too small (\(size) bytes) to be a valid Realm.")
    }
    var newest: (transaction: UInt64, lastPage: UInt64, roots: [UInt64])?
    for page in 0..<2 {
      var header = [UInt8](repeating: 0, count: 192)
      guard pread(descriptor, &header, header.count, off_t(page * pageSize)) == header.count else {
        throw .system(errno, path: path)
      }
      // MDB_meta follows the 16-byte page header: magic, version, address, map size, two databases of 48
      // bytes, last page, transaction.
      let (magic, roots, lastPage, transaction) = header.withUnsafeBytes {
        (
          $0.loadUnaligned(fromByteOffset: 16, as: UInt32.self),
          // Each record of a database ends with its root page: the free pages', then the main one's.
          [
            $0.loadUnaligned(fromByteOffset: 16 + 24 + 40, as: UInt64.self),
            $0.loadUnaligned(fromByteOffset: 16 + 24 + 48 + 40, as: UInt64.self),
          ],
          $0.loadUnaligned(fromByteOffset: 16 + 24 + 96, as: UInt64.self),
          $0.loadUnaligned(fromByteOffset: 16 + 24 + 104, as: UInt64.self)
        )
      }
      guard magic == 0xBEEF_C0DE else { throw .invalid(path: path, "not a Realm file.") }
      if transaction >= newest?.transaction ?? 0 { newest = (transaction, lastPage, roots) }
    }
    if let newest, newest.lastPage >= UInt64(size / pageSize),
      !PageWalk(descriptor: descriptor, pageSize: pageSize, fileSize: size).isComplete(roots: newest.roots)
    {
      throw .invalid(
        path: path,
        "file is truncated (\(size) bytes instead of at least \((newest.lastPage + 1) * UInt64(pageSize))).")
    }
  }
}
