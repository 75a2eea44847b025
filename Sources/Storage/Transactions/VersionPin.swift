/// Keeps one version of a file readable after the snapshot that read it has moved on.
public final class VersionPin {
  private let file: DatabaseFile
  private let lease: VersionLease
  private var reader: Snapshot?

  fileprivate init(_ file: DatabaseFile, _ lease: VersionLease) {
    self.file = file
    self.lease = lease
  }

  /// A snapshot of the version, for the thread of the one that was pinned. Stops the program when the file is
  /// damaged.
  public func snapshot() -> Snapshot {
    if let reader { return reader }
    do {
      let snapshot = try Snapshot(file: file, lease: lease)
      reader = snapshot
      return snapshot
    } catch {
      fatalError("Reading the file failed: \(error)")
    }
  }
}

extension Snapshot {
  /// Keeps the version that is read; nil while a write transaction is open.
  public func pin() -> VersionPin? {
    writing == nil ? VersionPin(file, lease) : nil
  }

  /// Keeps the version that is read, or that an open write transaction began with.
  public func pinCommitted() -> VersionPin { VersionPin(file, lease) }

  /// Whether a row was created by the open write transaction.
  public func isNew(table: Int, row: Int) -> Bool {
    writing != nil && row >= tables[table].state.pointee.firstNewRow
  }
}
