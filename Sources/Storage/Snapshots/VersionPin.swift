/// Keeps one version of a file readable after the snapshot that read it has moved on.
package final class VersionPin {
  fileprivate let file: DatabaseFile
  fileprivate let lease: VersionLease
  private var pinned: Snapshot?
  package var version: UInt64 { lease.version }
  /// What others may know of it; the owner is that of the snapshot as long as none is set.
  package let reader = VersionReader()

  fileprivate init(_ snapshot: Snapshot) {
    file = snapshot.file
    lease = snapshot.lease
    reader.copyOwner(of: snapshot.reader)
    reader.note(version: lease.version)
    file.readerList.withLock { $0[ObjectIdentifier(reader)] = reader }
  }

  deinit {
    file.readerList.withLock { $0[ObjectIdentifier(reader)] = nil }
  }

  /// A snapshot of the version, for the thread of the one that was pinned. Stops the program when the file is
  /// damaged.
  package func snapshot() -> Snapshot {
    if let pinned { return pinned }
    do {
      let snapshot = try Snapshot(file: file, lease: lease)
      snapshot.reader.copyOwner(of: reader)
      pinned = snapshot
      return snapshot
    } catch {
      endProcess("Reading the file failed: \(error)")
    }
  }
}

extension Snapshot {
  /// A snapshot of the version that is kept, for any thread, which can move on from there.
  package convenience init(at pin: VersionPin) throws(StorageError) {
    try self.init(file: pin.file, lease: pin.lease)
  }

  /// Keeps the version that is read; nil while a write transaction is open or staged.
  package func pin() -> VersionPin? {
    isAtVersion ? VersionPin(self) : nil
  }

  /// Keeps the version that is read, or that an open or staged write transaction began with.
  ///
  /// Called where the snapshot belongs: another thread may read the version from now on.
  package func pinCommitted() -> VersionPin {
    VersionPin(self)
  }
}
