import LibC
import Pages

/// Whether a file that is being opened is to be compacted, and what came of it.
package final class Compaction {
  /// What has happened.
  package enum Outcome {
    case unasked
    case unwanted
    /// Another process has the file open.
    case inUse
    case done
    /// The file is as it was.
    case failed(StorageError)
  }

  private let isWanted: (_ total: Int, _ used: Int) -> Bool
  package private(set) var outcome = Outcome.unasked

  /// - Parameter isWanted: Decides by the size of the file and the part of it that is in use, in bytes. Called at most once: if
  ///   this process does not have the file open yet, and the file has been used before.
  package init(_ isWanted: @escaping (_ total: Int, _ used: Int) -> Bool) { self.isWanted = isWanted }

  /// Compacts a file that no other code of the process knows yet; the caller holds the writer lock. Returns the file that has
  /// replaced it, which this process has claimed then; the caller closes the former one.
  ///
  /// - Throws: If it is uncertain which of the two files the path leads to on the disk.
  ///
  /// - Parameter encryptionKey: That of the file.
  func run(
    on file: DatabaseFile, openCount: Int, encryptionKey: [UInt8]?
  ) throws(StorageError) -> FileRegistry.NewFile? {
    guard case .unasked = outcome, file.hasCatalogue else { return nil }
    let size = file.sizeForCompaction
    guard isWanted(size.total, size.used) else {
      outcome = .unwanted
      return nil
    }
    guard let lock = file.lockIdentity, LockFile.takeAlone(data: file.writeLock.descriptor) else {
      outcome = .inUse
      return nil
    }
    let replacement: Replacement
    do throws(StorageError) {
      replacement = try Replacement(of: file, openCount: openCount, encryptionKey: encryptionKey)
    } catch {
      LockFile.shareAgain(data: file.writeLock.descriptor, lock: lock)
      outcome = .failed(error)
      return nil
    }
    try replacement.finish()
    outcome = .done
    return replacement.new
  }
}

/// A compact copy of a file in its place.
///
/// A new file is written beside the old one, synced, and renamed to it: at every moment the path leads to a complete file.
/// Processes that wait for the old one, to write or to mark it as open, then find another file at the path, and start again.
private struct Replacement {
  let new: FileRegistry.NewFile
  private let folder: WorkFolder

  init(of file: DatabaseFile, openCount: Int, encryptionKey: [UInt8]?) throws(StorageError) {
    folder = try WorkFolder.take(beside: file.location.resolved)
    do throws(StorageError) {
      try Snapshot(file: file).writeContent(
        to: folder.file, encryptionKey: encryptionKey, name: file.path)
      new = try Self.open(folder.file, as: file, openCount: openCount)
      // Other openers in this process wait until it is open.
      FileRegistry.shared.reserve(new.identity)
      if rename(folder.file, file.location.resolved) != 0 {
        let code = errno
        FileRegistry.shared.finish(new.identity, nil)
        throw .writing(code, path: file.path)
      }
    } catch {
      folder.end()
      throw error
    }
  }

  /// Makes the new file that of the same owner, for the same users.
  private static func open(
    _ path: String, as file: DatabaseFile, openCount: Int
  ) throws(StorageError) -> FileRegistry.NewFile {
    var information = stat()
    guard let new = OwnedDescriptor.open(path, O_RDWR | O_NOFOLLOW) else {
      throw .writing(errno, path: file.path)
    }
    let isAlike =
      FilePermissions(descriptor: file.writeLock.descriptor)?.restore(on: new.number) == true
      && fstat(new.number, &information) == 0 && fsync(new.number) == 0
    if !isAlike { throw .writing(errno, path: file.path) }
    return FileRegistry.NewFile(file: new, identity: FileIdentity(information), openCount: openCount)
  }

  /// Until the disk has the new name, commits to the new file could be lost with it.
  func finish() throws(StorageError) {
    do throws(StorageError) {
      try folder.synchroniseParent()
    } catch {
      // Who opens the file next tries again.
      folder.leave()
      FileRegistry.shared.finish(new.identity, nil)
      throw error
    }
    folder.end()
  }
}

extension DatabaseFile {
  /// Whether the file has ever been used.
  fileprivate var hasCatalogue: Bool {
    guard let reader = try? takeReader() else { return false }
    defer { reader.reset() }
    return reader.get(.main, Catalogue.key, Catalogue.key.count) != nil
  }

  /// Removes what a killed process has left beside a path without symbolic links.
  package static func cleanUp(beside path: String) throws(StorageError) {
    try WorkFolder.clean(beside: path)
    FormerFile.remove(beside: path)
  }
}
