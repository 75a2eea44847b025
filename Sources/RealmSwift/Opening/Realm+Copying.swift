public import Foundation
import Storage

extension Realm {
  /// Writes what the realm shows to another file, without unused space: its version, and within a write transaction also
  /// what that has changed. A frozen realm is copied as it is. Others may write meanwhile.
  ///
  /// The new file is there when it is whole and on the disk. Takes time in proportion to the file.
  ///
  /// - Throws: `Realm.Error`: `fileExists` when something is there already; `fileNotFound` when the folder is missing;
  ///   `outOfDiskSpace`, `filePermissionDenied`, after which there is no new file; `fail` for an encryption key.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    core.checkThread()
    if let encryptionKey {
      if encryptionKey.count != 64 { trap("Encryption key must be exactly 64 bytes long") }
      throw Error(
        .fail, "Encryption is not available in this version: copy the Realm without an encryption key.",
        path: fileURL.path)
    }
    core.commitStaged()
    do {
      try core.snapshot.writeCopy(to: fileURL.path)
    } catch {
      throw Error(error)
    }
  }

  /// Writes what the realm shows to the file of a configuration; its other settings are ignored.
  ///
  /// - Throws: As `writeCopy(toFile:encryptionKey:)`.
  public func writeCopy(configuration: Configuration) throws {
    configuration.validate()
    guard let fileURL = configuration.fileURL else {
      throw Error(.fail, "A Realm can only be copied to a file.")
    }
    try writeCopy(toFile: fileURL, encryptionKey: configuration.encryptionKey)
  }
}
