public import Foundation
import Storage

extension Realm {
  /// Writes the state of the realm to a new file without unused space: its version and, within a write
  /// transaction, also the uncommitted changes. A frozen realm writes the version that it shows. Other
  /// threads and processes can write at the same time.
  ///
  /// ```swift
  /// try realm.writeCopy(toFile: folder.appending(path: "copy.realm"))
  /// ```
  ///
  /// The new file appears when it is complete and durable. It has the permissions of the realm's file, and
  /// its owner and group where the system allows that; no other user can read the file in the meantime. The
  /// time is proportional to the size of the file.
  ///
  /// - Parameters:
  ///   - fileURL: The new file.
  ///   - encryptionKey: The key of the new file, 64 bytes, whatever the key of the realm is; nil for a copy
  ///     that is not encrypted.
  /// - Throws: `Realm.Error`: `fileExists` if the file exists already; `fileNotFound` if the folder is
  ///   missing; `outOfDiskSpace`, `filePermissionDenied`, after which there is no new file.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    try stoppingMistakes { try writeCopyOrThrow(toFile: fileURL, encryptionKey: encryptionKey) }
  }

  /// Writes a copy as `writeCopy(toFile:encryptionKey:)` does.
  ///
  /// - Throws: What that throws; `ProgrammerError` if the realm cannot be used here or the key has another length than 64
  ///   bytes.
  func writeCopyOrThrow(toFile fileURL: URL, encryptionKey: Data?) throws {
    try core.checkUsable()
    try Configuration.checkKey(encryptionKey)
    core.commitStaged()
    do {
      try core.snapshot.writeCopy(
        to: fileURL.path, encryptionKey: encryptionKey.map(Array.init))
    } catch {
      throw Error(error)
    }
  }

  /// Writes the state of the realm to the file of a configuration. Other settings of the configuration are
  /// ignored.
  ///
  /// - Throws: `Realm.Error`, as `writeCopy(toFile:encryptionKey:)`.
  public func writeCopy(configuration: Configuration) throws {
    configuration.validate()
    guard let fileURL = configuration.fileURL else {
      throw Error(.fail, "A Realm can only be copied to a file.")
    }
    try writeCopy(toFile: fileURL, encryptionKey: configuration.encryptionKey)
  }
}
