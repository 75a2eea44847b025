import Storage

/// Files that are written to by their columns.
enum WritableFile {
  /// The newest version of a file that is there.
  static func open(_ path: String, key: [UInt8]?) throws -> Snapshot {
    try RealmFile.explaining(path) {
      try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: key))
    }
  }

  /// Runs the body in one transaction, which is rolled back when it throws. Waits for the writer lock.
  static func write<Result>(_ snapshot: Snapshot, _ body: () throws -> Result) throws -> Result {
    let writer = Writer(snapshot)
    try writer.begin()
    do {
      let result = try body()
      try writer.commit(durability: .full)
      return result
    } catch {
      if snapshot.isWriting { writer.cancel() }
      throw error
    }
  }
}
