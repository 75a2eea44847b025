import LibC

extension Snapshot {
  /// Writes everything that the snapshot shows to a new file without unused space: its version, and what an open write
  /// transaction has changed. Others may write meanwhile. The new file is there when it is whole, and on the disk.
  ///
  /// The new file is for the users that the file is for.
  ///
  /// Takes time in proportion to the file; in memory there are never more than some 100 MB of the new one.
  ///
  /// - Precondition: Nothing is staged.
  /// - Parameter encryptionKey: Of the new file, nil for one that is not encrypted.
  /// - Throws: `alreadyExists` when something is at the path already; `notFound`, `permissionDenied`, `outOfSpace` and
  ///   others, after which nothing is left there.
  package func writeCopy(to path: String, encryptionKey: [UInt8]? = nil) throws(StorageError) {
    guard let permissions = FilePermissions(descriptor: file.writeLock.descriptor) else {
      throw .system(errno, path: file.path)
    }
    try WorkFolder.makeFile(at: path, for: permissions) { (place) throws(StorageError) in
      try writeContent(to: place, encryptionKey: encryptionKey, name: path)
    }
  }

  /// Writes the copy to a path that no other process uses.
  ///
  /// - Parameter name: What it will be called, for messages.
  func writeContent(to path: String, encryptionKey: [UInt8]?, name: String) throws(StorageError) {
    precondition(session.staged == nil)
    if file.isInherited { throw .inheritedByFork(path: file.path) }
    guard let writing, !writing.isEmpty else {
      return try EntryCopy(lease.transaction, of: self, to: path, encryptionKey: encryptionKey, name: name)
        .run()
    }
    let writer = Writer(self)
    if let failure = writing.failure ?? writer.brokenRule { throw failure }
    let transaction = try writer.storeForCopy(writing)
    defer { transaction.abort() }
    try EntryCopy(transaction, of: self, to: path, encryptionKey: encryptionKey, name: name).run()
  }
}
