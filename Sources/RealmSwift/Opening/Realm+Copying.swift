public import Foundation
import Storage

extension Realm {
  /// Writes the newest version to another file, without unused space. Others may write meanwhile.
  ///
  /// - Throws: `Realm.Error`: `fileExists` when something is there already; `outOfDiskSpace`; `fail` for an
  ///   encryption key other than the Realm's, and within a write transaction that has changed something, which this
  ///   version can not copy.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    core.checkThread()
    Configuration.check(encryptionKey)
    if encryptionKey != core.configuration.encryptionKey {
      throw Error(
        .fail, "Changing the encryption key of a copy is not available in this version: use the Realm's own.",
        path: fileURL.path)
    }
    core.commitStaged()
    if core.snapshot.hasChanges {
      throw Error(
        .fail,
        "Copying a Realm with uncommitted changes is not available in this version: commit them first.",
        path: fileURL.path)
    }
    do {
      try core.file.copy(to: fileURL.path)
    } catch {
      throw Error(error)
    }
  }

  /// Writes the newest version to the file of a configuration; its other settings are ignored.
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
