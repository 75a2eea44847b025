package import Storage

// For tools of this package, which read and write values by their columns.
extension Realm {
  /// The version that the realm shows.
  package var storedVersion: Snapshot {
    core.checkThread()
    return core.snapshot
  }
}
