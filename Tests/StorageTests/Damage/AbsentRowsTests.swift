import Foundation
import TestSupport
import Testing

@testable import Storage

/// Chunks of presence that are not there: because nobody is, or because they were lost.
@Suite struct AbsentRowsTests {
  private static let key = (0..<64).map { UInt8($0) }

  /// Who comes upon it.
  enum Reader: CaseIterable {
    case plain, frozen, writing, inserting, staged
  }

  /// A file whose second chunk of presence is lost.
  private func damaged(encryptionKey: [UInt8]?) throws -> DamagedFile {
    let file = try DamagedFile(encryptionKey: encryptionKey)
    try file.remove(.columns, key: DamagedFile.chunkKey(column: -1, chunk: 1))
    return file
  }

  /// The first query over numbers would take a third longer if it read which rows there are, too.
  @Test func numbersAreLookedAtWithoutWhoIsThere() throws {
    let file = try DamagedFile()
    defer { file.delete() }
    let snapshot = try file.open()
    let dogs = snapshot.table(0)
    _ = dogs.chunk(0, number: 0)
    #expect(Table.load(dogs.slot(0, 0)) != nil)
    #expect(Table.load(dogs.slot(-1, 0)) == nil)
    #expect(dogs.isAlive(5))
    #expect(Table.load(dogs.slot(-1, 0)) != nil)
  }

  @Test(arguments: Reader.allCases, [nil, key]) func lostObjectsAreReported(
    _ who: Reader, key: [UInt8]?
  ) throws {
    let file = try damaged(encryptionKey: key)
    defer { file.delete() }
    let live = try file.open()
    var snapshot = live
    if who == .frozen { snapshot = try Snapshot(sharing: live) }
    snapshot.foundDamage = FoundDamage()
    let dogs = snapshot.table(0)
    switch who {
    case .plain, .frozen: break
    case .writing, .inserting:
      try Writer(snapshot).begin()
      // What is written does not hide it.
      dogs.deleteRow(5)
      if who == .inserting { for _ in 0..<2_000 { _ = dogs.insertRow() } }
    case .staged:
      try Writer(snapshot).begin()
      dogs.setInteger(0, 7, 1)
      try Writer(snapshot).stage(durability: .relaxed)
    }
    _ = dogs.isAlive(1_000)
    let error = snapshot.foundDamage?.error
    #expect(error?.kind == .invalidDatabase)
    #expect(
      error?.message.contains(
        "class 'Dog', which objects are there: 960 objects are there instead of 1500") == true)
    if snapshot.isWriting { Writer(snapshot).cancel() }
    Writer(snapshot).discardStaged()
  }

  @Test(arguments: [nil, key]) func chunksWithoutObjectsAreNoDamage(key: [UInt8]?) throws {
    let file = try DamagedFile(encryptionKey: key)
    defer { file.delete() }
    let far = 100 * chunkCapacity
    do {
      let snapshot = try file.open()
      try Writer(snapshot).begin()
      for row in 0..<chunkCapacity { snapshot.table(0).deleteRow(row) }
      try Writer(snapshot).commit(durability: .relaxed)
      // Rows that nobody ever had.
      try Writer(snapshot).begin()
      snapshot.table(0).state.pointee.rowLimit = far
      _ = snapshot.table(0).insertRow()
      snapshot.table(0).setInteger(0, far, 1)
      snapshot.table(0).setString(1, far, "far")
      try Writer(snapshot).commit(durability: .relaxed)
    }
    let snapshot = try file.open()
    let dogs = snapshot.table(0)
    #expect((0..<dogs.rowLimit).count(where: dogs.isAlive) == DamagedFile.rowCount - chunkCapacity + 1)
    #expect(snapshot.file.checkedPlaces.hasAllRows(ofTable: 0))
    // What is written from now on is trusted.
    try Writer(snapshot).begin()
    for row in chunkCapacity..<DamagedFile.rowCount { dogs.deleteRow(row) }
    try Writer(snapshot).commit(durability: .relaxed)
    let faults = try FileVerification(path: file.path, encryptionKey: key).faults
    #expect(faults == [])
    #expect(!dogs.isAlive(1_000) && dogs.isAlive(far))
  }

  /// Rows behind the last one do not make up for those that are lost.
  @Test func rowsBeyondTheLastOneDoNotCount() throws {
    let file = try damaged(encryptionKey: nil)
    defer { file.delete() }
    do {
      let file = try DatabaseFile.open(path: file.path)
      let transaction = try file.entries.beginWriting()
      let columns = EntryTree.columns
      let first = Array(try transaction.value(columns, key: DamagedFile.chunkKey(column: -1))!)
      try transaction.store(columns, key: DamagedFile.chunkKey(column: -1, chunk: 9), first)
      try transaction.commit()
    }
    let snapshot = try file.open()
    snapshot.foundDamage = FoundDamage()
    _ = snapshot.table(0).isAlive(1_000)
    #expect(
      snapshot.foundDamage?.error?.message.contains("chunk 9: it has rows beyond the last one") == true)
  }
}
