import Foundation
import TestSupport
import Testing

@testable import Storage

/// What a file that is synced has beyond other files, and that other files have none of it.
@Suite struct SyncedFileTests {
  /// The stored bytes of all entries.
  private func content(_ snapshot: Snapshot) throws -> [(tree: EntryTree, key: [UInt8], value: [UInt8])] {
    var entries: [(tree: EntryTree, key: [UInt8], value: [UInt8])] = []
    for tree in EntryTree.allCases {
      let cursor = try snapshot.lease.transaction.openCursor(tree)
      defer { cursor.close() }
      while let entry = try cursor.nextEntry() {
        entries.append((tree, Array(entry.key), Array(entry.value)))
      }
    }
    return entries
  }

  /// Transactions of every kind that leave no choice of order.
  private func change(_ snapshot: Snapshot) throws {
    for step in 0..<40 {
      try snapshot.write {
        let dogs = $0.table(0)
        dogs.setInteger(1, step, Int64(step))
        dogs.setValue(2, step + 1, step % 3 == 0 ? .null : .string("name \(step)"))
        if step % 4 == 0 { dogs.deleteRow(step + 50) }
        if step % 5 == 0 { for key in 0..<30 { $0.insertDog(1_000 * step + key + 7_000) } }
      }
    }
    try Writer(snapshot).begin()
    snapshot.table(0).setInteger(1, 3, 100)
    try Writer(snapshot).stage(durability: .relaxed)
    try Writer(snapshot).open()
    snapshot.table(0).deleteRow(4)
    try Writer(snapshot).commit(durability: .relaxed)
  }

  @Test func onlyMainEntriesOfASyncedFileDiffer() throws {
    let (plain, synced) = (try SyncedFile(rows: 1_200, isSynced: false), try SyncedFile(rows: 1_200))
    // A version for that in which the other file became a synced one.
    try plain.snapshot.write { Writer($0).setCatalogue(SyncedFile.catalogue) }
    try change(plain.snapshot)
    try change(synced.snapshot)
    let main = EntryTree.main
    let (former, new) = (try content(plain.snapshot), try content(synced.snapshot))
    func isSame(_ pair: (tree: EntryTree, key: [UInt8], value: [UInt8])) -> Bool { pair.tree != main }
    #expect(former.filter(isSame).map(\.value) == new.filter(isSame).map(\.value))
    #expect(new.count > former.count)
  }

  @Test func aSyncedFileHasAFormatThatEarlierProgramsRefuse() throws {
    // No earlier program reads files of pages.
    let (plain, synced) = (7 as UInt32, 7 as UInt32)
    let file = try SyncedFile(isSynced: false)
    func format() throws -> UInt32? {
      let reader = try Snapshot(file: file.snapshot.file)
      return try withExtendedLifetime(reader) {
        try reader.lease.transaction.value(.main, key: FileFormat.key)?
          .loadUnaligned(as: UInt32.self)
      }
    }
    #expect(try format() == plain && !file.snapshot.isSynced)
    try Writer(file.snapshot).begin()
    Writer(file.snapshot).markSynced()
    #expect(file.snapshot.isSynced)
    Writer(file.snapshot).cancel()
    #expect(try format() == plain && !file.snapshot.isSynced)
    let other = try Snapshot(file: file.snapshot.file)
    try file.snapshot.write { Writer($0).markSynced() }
    #expect(try format() == synced && file.snapshot.isSynced && !other.isSynced)
    try other.advance()
    #expect(other.isSynced)
    // A change of the schema leaves the file synced.
    try other.write {
      var catalogue = SyncedFile.catalogue
      catalogue.tables[0].columns.append(Column(name: "new", type: .bool))
      Writer($0).setCatalogue(catalogue)
    }
    #expect(other.isSynced && other.catalogue.tables[0].columns.count == 4)
    let decoded = other.catalogue.encoded(stamp: 9).withUnsafeBytes { Catalogue($0) }
    #expect(decoded?.isSynced == true)
  }

  @Test func changesFromBeforeTheFileWasSyncedAreUnknown() throws {
    let file = try SyncedFile()
    let marked = file.snapshot.version
    try file.snapshot.write { $0.table(0).setInteger(1, 0, 7) }
    #expect(try file.snapshot.syncEntries(after: marked).count == 1)
    #expect(try file.snapshot.syncEntries(after: marked - 1).count == 2)
    #expect(try file.snapshot.syncEntries(after: marked + 1) == [])
    #expect(throws: StorageError.self) { try file.snapshot.syncEntries(after: marked - 2) }
  }

  @Test func rowsOfOneTransactionThatComeAndGoAreInNoEntry() throws {
    let file = try SyncedFile()
    let version = file.snapshot.version
    try file.snapshot.write {
      $0.insertDog(10)
      $0.insertDog(11)
      $0.table(0).deleteRow(3)
      $0.table(0).setInteger(1, 1, 5)
      $0.table(0).deleteRow(2)
    }
    let entry = try #require(try file.snapshot.syncEntries(after: version).first)
    var table = SyncTableChange(table: 0)
    table.created = IndexRanges(3..<5)
    table.written = [1: IndexRanges(1..<2)]
    table.deleted = [DeletedKey(key: .int(2), row: 2)]
    #expect(entry.tables == [table])
    #expect(!file.snapshot.isAlive(table: 0, row: 3))
    // A commit without changes makes no version, and so no entry.
    try file.snapshot.write { _ in }
    #expect(try file.snapshot.syncEntries(after: version).count == 1)
  }

  @Test func anotherPrimaryKeyIsToldApartFromDeletions() throws {
    let file = try SyncedFile()
    let version = file.snapshot.version
    try file.snapshot.write {
      $0.table(0).deleteRow(0)
      var catalogue = SyncedFile.catalogue
      catalogue.tables[0].columns[0].isPrimaryKey = false
      catalogue.tables[0].columns[0].isIndexed = false
      catalogue.tables[0].columns[2].isPrimaryKey = true
      Writer($0).dropIndex(table: 0, column: 0)
      Writer($0).setCatalogue(catalogue)
    }
    let table = try #require(try file.snapshot.syncEntries(after: version).first?.tables.first)
    #expect(table.isKeyChanged && table.deleted.isEmpty)
  }

  @Test func salvageMakesAFileThatIsNotSynced() throws {
    let file = try SyncedFile()
    let target = TemporaryFile.path()
    defer { TemporaryFile.delete(target) }
    let verification = try Salvage.run(from: file.path, to: target)
    #expect(verification.faults.map(\.reason).contains { $0.contains("the new file is not synced") })
    let salvaged = try Snapshot(file: DatabaseFile.open(path: target))
    #expect(!salvaged.isSynced && salvaged.liveCount(table: 0) == 3)
    #expect(try salvaged.session(.clock) == nil)
  }

}
