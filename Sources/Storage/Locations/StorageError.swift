import LibC

/// Why a file could not be opened, read or written. Each case becomes one public error code.
package struct StorageError: Error, Sendable, Equatable {
  package enum Kind: Sendable {
    case notFound
    case permissionDenied
    case access
    case alreadyExists
    case operationFailed
    case invalidDatabase
    /// A file of an earlier format was not written whole when the system failed, and its journal is missing.
    case unrecovered
    case unsupportedFormat
    case outOfSpace
    case addressSpaceExhausted
    /// What was written breaks a rule of the schema.
    case ruleBroken
    case other
  }

  package let kind: Kind
  package let path: String
  package let message: String

  package init(_ kind: Kind, path: String, message: String) {
    self.kind = kind
    self.path = path
    self.message = message
  }

  /// The error for a failed system call on the file.
  static func system(_ code: Int32, path: String) -> StorageError {
    let text = String(cString: strerror(code))
    let opening = "Failed to open Realm file at path '\(path)': \(text)"
    switch code {
    case ENOENT:
      return StorageError(.notFound, path: path, message: opening + missingFolderAdvice(path))
    case EACCES, EPERM, EROFS:
      return StorageError(
        .permissionDenied, path: path,
        message: opening + ". Please use a path where your app has read-write permissions.")
    case ENOSPC, EDQUOT, EFBIG: return .outOfSpace(path: path, text: text)
    case EEXIST: return StorageError(.alreadyExists, path: path, message: opening)
    default: return StorageError(.access, path: path, message: opening)
    }
  }

  /// The error for a failed system call on a file that is being written.
  static func writing(_ code: Int32, path: String) -> StorageError {
    let kind: Kind
    switch code {
    case ENOENT: kind = .notFound
    case EACCES, EPERM, EROFS: kind = .permissionDenied
    case EEXIST: kind = .alreadyExists
    case ENOSPC, EDQUOT, EFBIG: kind = .outOfSpace
    default: kind = .access
    }
    let advice = kind == .notFound ? missingFolderAdvice(path) : ""
    return StorageError(
      kind, path: path,
      message: "Failed to write file at path '\(path)': \(String(cString: strerror(code)))\(advice)")
  }

  /// Returns a sentence that names the missing folder of a file; an empty text when the folder exists.
  package static func missingFolderAdvice(_ path: String) -> String {
    let folder = FileLocation.folder(of: path)
    if access(folder, F_OK) == 0 || errno != ENOENT { return "" }
    return ". The folder '\(folder)' does not exist: create it first, or use another path."
  }

  /// The error for an access to a file that did not succeed.
  static func of(_ error: EntryError, path: String) -> StorageError {
    switch error {
    case .corrupted: return .damaged(path: path, error.message)
    case .invalid:
      return .invalid(path: path, "not a Realm file (\(error.message))")
    case _ where error.isOfKey:
      return .invalid(path: path, "Realm file decryption failed: \(error.message).")
    case .readersFull:
      return StorageError(
        .other, path: path,
        message: "Too many threads and processes read the Realm file at path '\(path)' at once.")
    case EntryError(code: ENOMEM):
      return StorageError(
        .addressSpaceExhausted, path: path,
        message: "Not enough address space to map the Realm file at path '\(path)'.")
    case _ where error.code > 0: return .system(error.code, path: path)
    default:
      return StorageError(.other, path: path, message: "Realm file at path '\(path)': \(error.message)")
    }
  }

  /// Passes on what a body throws, as the error of the file at a path.
  static func describing<Result>(
    _ path: String, _ body: () throws(EntryError) -> Result
  ) throws(StorageError) -> Result {
    do throws(EntryError) {
      return try body()
    } catch {
      throw .of(error, path: path)
    }
  }

  /// The error for a lock that the system could not give.
  static func locking(_ code: Int32, path: String) -> StorageError {
    StorageError(
      .access, path: path,
      message: "Failed to lock Realm file at path '\(path)': \(String(cString: strerror(code)))")
  }

  /// The error for everything that was to be on the disk after a synchronisation that failed, and for what would have
  /// been built on it.
  static func notSynchronised(_ error: EntryError, path: String) -> StorageError {
    StorageError(
      [ENOSPC, EDQUOT].contains(error.code) ? .outOfSpace : .access, path: path,
      message: """
        The Realm file at path '\(path)' could not be synced: \(error.message). Its newest versions may \
        be lost, and nothing more can be written until all processes have closed it. When it is opened again, it has \
        the last durable version.
        """)
  }

  /// The error for a file that the parent of this process has opened.
  static func inheritedByFork(path: String) -> StorageError {
    StorageError(
      .access, path: path,
      message:
        "The Realm file at path '\(path)' was opened before fork(): a child process has to open it for itself."
    )
  }

  /// The error for a file that is not at its place any more.
  static func replaced(path: String) -> StorageError {
    StorageError(
      .access, path: path,
      message:
        "The Realm file at path '\(path)' was deleted, moved or replaced while it was open: close all its Realms and open it again."
    )
  }

  static func invalid(path: String, _ reason: String) -> StorageError {
    StorageError(
      .invalidDatabase, path: path, message: "Failed to open Realm file at path '\(path)': \(reason)")
  }

  /// What was read contradicts itself.
  static func damaged(path: String, _ fault: String) -> StorageError {
    StorageError(.invalidDatabase, path: path, message: damageMessage(path: path, fault))
  }

  /// How errors and stops name a damaged file.
  static func damageMessage(path: String, _ fault: String) -> String {
    "The Realm file at path '\(path)' is damaged: \(fault)."
  }

  static func outOfSpace(path: String, text: String) -> StorageError {
    StorageError(
      .outOfSpace, path: path, message: "Not enough space to write the Realm file at path '\(path)': \(text)")
  }
}
