import CLMDB
import Foundation
import Testing

@testable import Storage

/// A commit that throws has changed nothing, in the file or in memory.
@Suite struct FailedCommitTests {
  /// Calls the body with a snapshot of a new file that has one table, whose transaction is still open.
  private func withNewTable(_ body: (Snapshot) throws -> Void) throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try snapshot.beginWrite()
    snapshot.setCatalogue(catalogue("a"))
    try body(snapshot)
  }

  private func catalogue(_ names: String...) -> Catalogue {
    Catalogue(tables: [
      TableDescription(name: "Thing", columns: names.map { Column(name: $0, type: .string) })
    ])
  }

  @Test func theNextCatalogueIsNoticed() throws {
    try withNewTable { snapshot in
      _ = snapshot.table(0).insertRow()
      try snapshot.commitWrite(durability: .relaxed)
      let other = try Snapshot(file: snapshot.file)

      try snapshot.beginWrite()
      snapshot.setCatalogue(catalogue("a", "lost"))
      // Longer than LMDB takes; it fails before anybody reads the bytes.
      let wide = snapshot.table(0).writable(1, 0)
      wide.setBytes(0, UnsafeRawBufferPointer(start: UnsafeRawPointer(wide.base), count: 1 << 33))
      wide.markWritten(0)
      wide.setNotNull(0)
      #expect(throws: StorageError.self) { try snapshot.commitWrite(durability: .relaxed) }

      try other.beginWrite()
      other.setCatalogue(catalogue("a", "b", "c"))
      other.table(0).setString(2, 0, "text")
      try other.commitWrite(durability: .relaxed)
      #expect(try snapshot.advance())
      #expect(snapshot.catalogue == other.catalogue)
    }
  }

  @Test func aTransactionThatFailsUndoesThoseStagedWithIt() throws {
    try withNewTable { snapshot in
      let row = snapshot.table(0).insertRow()
      snapshot.table(0).setString(0, row, "before")
      try snapshot.commitWrite(durability: .relaxed)

      try snapshot.beginWrite()
      snapshot.table(0).setString(0, row, "staged")
      _ = snapshot.table(0).insertRow()
      try snapshot.stageWrite(durability: .relaxed)
      try snapshot.openWrite()
      let wide = snapshot.table(0).writable(0, 0)
      wide.setBytes(row, UnsafeRawBufferPointer(start: UnsafeRawPointer(wide.base), count: 1 << 33))
      wide.markWritten(row)
      #expect(throws: StorageError.self) { try snapshot.stageWrite(durability: .relaxed) }
      #expect(!snapshot.isWriting && !snapshot.hasStagedWrites)
      #expect(snapshot.liveCount(table: 0) == 1)
      #expect(snapshot.table(0).string(0, row) == "before")

      let other = try Snapshot(file: snapshot.file)
      try other.beginWrite()
      #expect(other.table(0).string(0, row) == "before")
      other.cancelWrite()
    }
  }

  /// LMDB refuses to read from its transaction after that.
  @Test func aFullMapUndoesWhatIsStaged() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    // The map may move: there must be no snapshot.
    #expect(mdb_env_set_mapsize(file.environment.handle, 1 << 20) == 0)
    let snapshot = try Snapshot(file: file)
    try snapshot.beginWrite()
    snapshot.setCatalogue(catalogue("a"))
    try snapshot.commitWrite(durability: .relaxed)

    try snapshot.beginWrite()
    snapshot.table(0).setString(0, snapshot.table(0).insertRow(), "staged")
    try snapshot.stageWrite(durability: .relaxed)
    try snapshot.openWrite()
    for _ in 0..<4 {
      snapshot.table(0).setString(0, snapshot.table(0).insertRow(), String(repeating: "x", count: 1 << 20))
    }
    #expect(throws: StorageError.self) { try snapshot.commitWrite(durability: .relaxed) }
    #expect(!snapshot.isWriting && !snapshot.hasStagedWrites)
    #expect(snapshot.liveCount(table: 0) == 0)
    try snapshot.beginWrite()
    let row = snapshot.table(0).insertRow()
    snapshot.table(0).setString(0, row, "later")
    try snapshot.commitWrite(durability: .relaxed)
    #expect(snapshot.table(0).string(0, row) == "later")
  }

  /// A transaction that goes on on top of what could not be committed is lost with it, unless it has changed nothing;
  /// row numbers are not used again.
  @Test(arguments: [false, true]) func whatIsBuiltOnALostGroupFails(hasChanges: Bool) throws {
    try withNewTable { snapshot in
      try snapshot.commitWrite(durability: .relaxed)
      let frozen = try Snapshot(sharing: snapshot)

      try snapshot.beginWrite()
      let lost = snapshot.table(0).insertRow()
      try snapshot.stageWrite(durability: .relaxed)
      try snapshot.openWrite()
      if hasChanges { snapshot.table(0).setString(0, lost, "on top") }
      var leases: [VersionLease] = []
      while let lease = try? VersionLease(file: snapshot.file) { leases.append(lease) }
      #expect(throws: StorageError.self) { try snapshot.commitStagedWrites(durability: .relaxed) }
      leases.removeAll()
      #expect(snapshot.isWriting && !snapshot.hasStagedWrites && snapshot.liveCount(table: 0) == 0)
      let row = snapshot.table(0).insertRow()
      #expect(row != lost)
      if hasChanges {
        #expect(throws: StorageError.self) { try snapshot.commitWrite(durability: .relaxed) }
        try snapshot.beginWrite()
        _ = snapshot.table(0).insertRow()
      }
      try snapshot.commitWrite(durability: .relaxed)
      #expect(snapshot.liveCount(table: 0) == 1)
      #expect(frozen.liveCount(table: 0) == 0)
    }
  }

  /// The file has to know of row numbers that were skipped, although no row was created.
  @Test func rowNumbersOfRolledBackRowsAreStored() throws {
    try withNewTable { snapshot in
      let row = snapshot.table(0).insertRow()
      try snapshot.commitWrite(durability: .relaxed)
      try snapshot.beginWrite()
      let lost = snapshot.table(0).insertRow()
      snapshot.cancelWrite()
      // Nothing is stored by this one.
      try snapshot.beginWrite()
      try snapshot.commitWrite(durability: .relaxed)
      try snapshot.beginWrite()
      snapshot.table(0).setString(0, row, "changed")
      try snapshot.commitWrite(durability: .relaxed)
      let other = try Snapshot(file: snapshot.file)
      #expect(other.rowLimit(table: 0) == lost + 1)
      #expect(other.rowLimit(table: 0) == snapshot.rowLimit(table: 0))
    }
  }

  @Test func tooManyReadersAreNoticedBeforeAnythingIsStored() throws {
    try withNewTable { snapshot in
      try snapshot.commitWrite(durability: .relaxed)
      let frozen = try Snapshot(sharing: snapshot)
      var leases: [VersionLease] = []
      while let lease = try? VersionLease(file: snapshot.file) { leases.append(lease) }
      #expect(leases.count > 100)

      try snapshot.beginWrite()
      _ = snapshot.table(0).insertRow()
      #expect(throws: StorageError.self) { try snapshot.commitWrite(durability: .relaxed) }
      #expect(snapshot.liveCount(table: 0) == 0)
      leases.removeAll()
      try snapshot.advance()
      #expect(snapshot.liveCount(table: 0) == 0)

      try snapshot.beginWrite()
      _ = snapshot.table(0).insertRow()
      try snapshot.commitWrite(durability: .relaxed)
      #expect(snapshot.liveCount(table: 0) == 1)
      #expect(frozen.liveCount(table: 0) == 0)
    }
  }
}
