import Testing

@testable import Storage

/// A snapshot that is released before its write transaction has ended rolls it back, and lets others write.
@Suite struct ReleasedSnapshotTests {
  enum State: CaseIterable { case open, staged, stagedAndOpen }

  @Test(arguments: State.allCases) func whatWasNotCommittedIsRolledBack(_ state: State) throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    let other = try Snapshot(file: file)
    try other.write {
      Writer($0).setCatalogue(SyncedFile.catalogue)
      $0.insertDog(0)
    }
    var lastRow = 0
    do {
      let released = try Snapshot(file: file)
      let writer = Writer(released)
      try writer.begin()
      released.insertDog(1)
      if state != .open { try writer.stage(durability: .relaxed) }
      if state == .stagedAndOpen {
        try writer.open()
        released.insertDog(2)
      }
      lastRow = released.rowLimit(table: 0) - 1
    }
    #expect(file.writeLock.tryAcquire())
    file.writeLock.release()
    try other.write { $0.insertDog(3) }
    #expect(other.liveCount(table: 0) == 2)
    // What still refers to the rows that were rolled back must not find others there.
    #expect(other.rowLimit(table: 0) - 1 > lastRow)
    #expect(try FileVerification(path: path, encryptionKey: nil).faults.isEmpty)
  }
}
