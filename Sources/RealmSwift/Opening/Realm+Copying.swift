public import Foundation
import Storage

extension Realm {
  /// Writes what the realm shows to another file, without unused space: its version, and within a write transaction also
  /// what that has changed. A frozen realm is copied as it is. Others may write meanwhile.
  ///
  ///     try realm.writeCopy(toFile: folder.appending(path: "copy.realm"))
  ///
  /// The new file is there when it is whole and on the disk. It has the permissions of the realm's own file, and its owner and
  /// group where the system allows that; no other user can read the file meanwhile. Takes time in proportion to the file.
  ///
  /// - Parameters:
  ///   - fileURL: The new file.
  ///   - encryptionKey: That of the new file, whatever the Realm's own is: 64 bytes; nil for a copy that is not
  ///     encrypted.
  /// - Throws: `Realm.Error`: `fileExists` when something is there already; `fileNotFound` when the folder is missing;
  ///   `outOfDiskSpace`, `filePermissionDenied`, after which there is no new file.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    core.checkThread()
    Configuration.check(encryptionKey)
    core.commitStaged()
    do {
      try core.snapshot.writeCopy(
        to: fileURL.path, encryptionKey: encryptionKey.map(Array.init))
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
