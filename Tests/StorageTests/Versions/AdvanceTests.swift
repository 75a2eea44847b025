import CLMDB
import Foundation
import Testing

@testable import Storage

/// A snapshot that moves to another version has the old one until it has the new one, and is as it was when it cannot
/// get there.
@Suite struct AdvanceTests {
  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Thing", columns: [Column(name: "number", type: .int), Column(name: "text", type: .string)])
  ])

  /// Calls the body with two snapshots of a file that has 3,000 rows of 0.
  private func withTwoSnapshots(_ body: (_ writer: Snapshot, _ reader: Snapshot) throws -> Void) throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    let writer = try Snapshot(file: file)
    try writer.beginWrite()
    writer.setCatalogue(Self.catalogue)
    for _ in 0..<3000 { writer.table(0).setInteger(0, writer.table(0).insertRow(), 0) }
    try writer.commitWrite(durability: .relaxed)
    try body(writer, Snapshot(file: file))
  }

  private func write(_ snapshot: Snapshot, row: Int, _ number: Int64) throws {
    try snapshot.beginWrite()
    snapshot.table(0).setInteger(0, row, number)
    try snapshot.commitWrite(durability: .relaxed)
  }

  private func numbers(_ snapshot: Snapshot) -> [Int64] {
    withExtendedLifetime(snapshot) {
      (0..<snapshot.rowLimit(table: 0)).map { snapshot.table(0).integer(0, $0) }
    }
  }

  /// A session that cannot reach its server reads the file only now and then.
  @Test(arguments: [false, true])
  func aReleasedVersionIsNotInUse(isShared: Bool) throws {
    try withTwoSnapshots { writer, reader in
      let frozen = isShared ? try Snapshot(sharing: reader) : nil
      let before = numbers(reader)
      reader.release()
      for row in 0..<100 { try write(writer, row: row * 20, Int64(row + 1)) }
      #expect(writer.file.activeVersionCount == (isShared ? 101 : 1))
      #expect(writer.file.readers.count == (isShared ? 2 : 1))
      #expect(try reader.advance())
      #expect(reader.version == writer.version)
      #expect(numbers(reader) == numbers(writer))
      #expect(numbers(reader) != before)
      if let frozen { #expect(numbers(frozen) == before) }
      // Nothing was committed meanwhile.
      reader.release()
      reader.release()
      try reader.advance()
      #expect(numbers(reader) == numbers(writer))
      reader.release()
      try write(reader, row: 7, 777)
      try writer.advance()
      #expect(writer.table(0).integer(0, 7) == 777)
      #expect(writer.file.readers.count == (isShared ? 3 : 2))
    }
  }

  #if DEBUG
    /// As many commits as free pages and trim the log, and few enough that the reader looks for what is unchanged.
    @Test(arguments: [1, 3, 60, 130], [false, true])
    func aWriterBetweenTheVersions(commits: Int, isShared: Bool) throws {
      try withTwoSnapshots { writer, reader in
        // The versions of the reader and of the writer are not the same.
        try write(writer, row: 0, -1)
        let frozen = isShared ? try Snapshot(sharing: reader) : nil
        let before = numbers(reader)
        let old = reader.version
        reader.file.willPin = {
          reader.file.willPin = nil
          for number in 0..<commits { try? write(writer, row: number * 20, Int64(number + 1)) }
        }
        #expect(try reader.advance())
        reader.file.willPin = nil
        #expect(reader.version == old + UInt64(commits) + 1)
        #expect(numbers(reader) == numbers(try Snapshot(file: reader.file)))
        let changes = try #require(reader.changes(after: old))
        let rows = Set([0] + (0..<commits).map { $0 * 20 })
        #expect(Set(changes.tables[0]?.modified[0]?.members ?? []) == rows)
        if let frozen { #expect(numbers(frozen) == before) }
      }
    }
  #endif

  /// What is no longer in the log is not taken for nothing.
  @Test func theLogTellsWhatItDoesNotKnow() throws {
    try withTwoSnapshots { writer, reader in
      let old = reader.version
      for number in 0..<10 { try write(writer, row: number, 1) }
      #expect(writer.changes(after: old) != nil)
      try reader.advance()
      // Nobody has the old version any more.
      for number in 0..<130 { try write(writer, row: number, 2) }
      try reader.advance()
      #expect(reader.changes(after: old) == nil)
      #expect(reader.changes(after: reader.version) != nil)
      #expect(reader.changes(after: reader.version - 1) != nil)
    }
  }

  /// A copy begins with version 1 again, and its log with it.
  @Test func aCopyHasNoLogOfItsOriginal() throws {
    try withTwoSnapshots { writer, reader in
      // The versions of the original that the copy is to have have more parts than those of the copy.
      let copy = TemporaryFile.path()
      defer { TemporaryFile.delete(copy) }
      for number in 0..<6 {
        for part in 0..<2 {
          if part == 0 { try writer.beginWrite() } else { try writer.openWrite() }
          writer.table(0).setInteger(0, 100 * part + number, 7)
          try writer.stageWrite(durability: .relaxed)
        }
        try writer.commitStagedWrites(durability: .relaxed)
      }
      // By a program of LMDB's: a copy by this library has no log at all.
      try EntryError.check(mdb_env_copy2(writer.file.environment.handle, copy, UInt32(MDB_CP_COMPACT)))
      let snapshot = try Snapshot(file: DatabaseFile.open(path: copy))
      for number in 0..<6 {
        let before = snapshot.version
        try write(snapshot, row: 2000 + number, 5)
        let changes = try #require(snapshot.changes(after: before))
        #expect(changes.tables[0]?.modified[0]?.members.map { $0 } == [2000 + number])
      }
    }
  }

  @Test func aDamagedCatalogueLeavesTheSnapshotAsItWas() throws {
    try withTwoSnapshots { writer, reader in
      let before = numbers(reader)
      let old = reader.version
      try write(writer, row: 5, 5)
      let transaction = try reader.file.environment.beginWriting()
      var damaged = [UInt8](repeating: 0xFF, count: 40)
      damaged[7] = 1
      try transaction.store(reader.file.databases.main, key: Catalogue.key, damaged)
      try transaction.commit()
      for _ in 0..<2 {
        #expect(throws: StorageError.self) { try reader.advance() }
        #expect(reader.version == old && reader.lease.version == old)
        #expect(reader.catalogue == Self.catalogue)
        #expect(numbers(reader) == before)
      }
      #expect(throws: StorageError.self) { try reader.beginWrite() }
      #expect(reader.file.tryTakeWriting(), "the right to write was not given back")
      reader.file.returnWriting()
      #expect(numbers(reader) == before)
    }
  }

  /// All of LMDB's slots are taken.
  @Test func aReaderThatCanNotMoveOnStays() throws {
    try withTwoSnapshots { writer, reader in
      let before = numbers(reader)
      let old = reader.version
      try write(writer, row: 5, 5)
      var leases: [VersionLease] = []
      while let lease = try? VersionLease(file: reader.file) { leases.append(lease) }
      #expect(leases.count > 1000)
      #expect(throws: StorageError.self) { try reader.advance() }
      #expect(reader.version == old && numbers(reader) == before)
      leases.removeLast()
      #expect(try reader.advance())
      #expect(reader.table(0).integer(0, 5) == 5)
      leases.removeAll()
      try write(writer, row: 6, 6)
      #expect(try reader.advance())
      // Few are kept for later.
      #expect(reader.file.readerSlotCount < 20)
    }
  }
}

extension DatabaseFile {
  /// LMDB's slots for readers that somebody has.
  fileprivate var readerSlotCount: Int { ForkTests.readers(self) }
}
