import TestSupport
import Testing

@testable import Storage

/// Damage that is noted instead of stopping the program, as in migrations.
@Suite struct FoundDamageTests {
  /// A snapshot that notes damage, with an open write transaction.
  private func noting(_ file: DamagedFile) throws -> (Snapshot, FoundDamage) {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: file.path))
    try Writer(snapshot).begin()
    let damage = FoundDamage()
    snapshot.foundDamage = damage
    return (snapshot, damage)
  }

  private func expectFailure(_ snapshot: Snapshot, _ words: [String], _ comment: String = "") {
    let version = snapshot.version
    let error = #expect(throws: StorageError.self) { try Writer(snapshot).commit() }
    #expect(error?.kind == .invalidDatabase, "\(comment)")
    for word in words + ["is damaged", "class 'Dog'"] {
      #expect(error?.message.contains(word) == true, "\(comment): \(error?.message ?? "")")
    }
    #expect(!snapshot.isWriting)
    #expect(snapshot.version == version)
  }

  /// What stops the program otherwise is zero, empty or null, and nothing is committed.
  @Test(arguments: DamagedEntryTests.Case.allCases)
  func nothingIsCommittedAfterDamage(_ damage: DamagedEntryTests.Case) throws {
    let file = try DamagedFile()
    defer { file.delete() }
    try damage.damage(file)
    let (snapshot, found) = try noting(file)
    snapshot.table(0).setInteger(0, 1_400, 7)
    // What has no value cannot be changed.
    #expect(
      [.presence, .presenceIsMissing, .chunkIsMissing].contains(damage) || !found.isFound)
    damage.read(snapshot)
    #expect(found.isFound)
    expectFailure(snapshot, damage.words, "\(damage)")
  }

  /// Blocks of an index that the transaction only changes.
  @Test func damagedBlocksAreFoundByTheCommit() throws {
    let file = try DamagedFile()
    defer { file.delete() }
    try DamagedEntryTests.Case.integerBlock.damage(file)
    let (snapshot, found) = try noting(file)
    snapshot.table(0).setInteger(0, 5, 77)
    #expect(!found.isFound)
    expectFailure(snapshot, ["'age'", "index"])
  }

  /// Texts of deleted rows, which only the commit looks at.
  @Test func damagedChunksOfDeletedRowsAreFoundByTheCommit() throws {
    let file = try DamagedFile()
    defer { file.delete() }
    try file.editStored(.columns, key: DamagedFile.chunkKey(column: 4)) { $0[40] ^= 1 }
    for row in [5, 959] {
      let (snapshot, _) = try noting(file)
      // No links or values are looked at, as when all rows of a table go.
      snapshot.table(0).setInteger(0, row, 1)
      snapshot.table(0).deleteRow(row)
      expectFailure(snapshot, ["'anything'"])
    }
  }

  @Test func rowsAreLookedAtBeforeTheyAreGiven() throws {
    let file = try DamagedFile()
    defer { file.delete() }
    try file.editStored(.columns, key: DamagedFile.chunkKey(column: 1, chunk: 1)) { $0[40] ^= 1 }
    let (snapshot, found) = try noting(file)
    var last = -1
    snapshot.table(0).forEachSoundRow { last = $0 }
    #expect(last == chunkCapacity - 1)
    #expect(found.error?.message.contains("property 'name', chunk 1: ") == true)
    #expect(found.error?.message.contains("checksum") == true)
  }

  /// Where nothing is noted, nothing is looked at in advance.
  @Test func otherwiseRowsAreGivenAsTheyAre() throws {
    let file = try DamagedFile()
    defer { file.delete() }
    try file.editStored(.columns, key: DamagedFile.chunkKey(column: 1, chunk: 1)) { $0[40] ^= 1 }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: file.path))
    var count = 0
    snapshot.table(0).forEachSoundRow { count += snapshot.table(0).integer(0, $0) >= 0 ? 1 : 0 }
    #expect(count == DamagedFile.rowCount)
  }

  /// What outlives the migration is stopped again.
  @Test func damageStopsTheProgramAfterTheEnd() async throws {
    let file = try DamagedFile()
    defer { file.delete() }
    try DamagedEntryTests.Case.encoding.damage(file)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = file.path as String] in
      let snapshot = try! Snapshot(file: DatabaseFile.open(path: path))
      let damage = FoundDamage()
      snapshot.foundDamage = damage
      damage.end()
      _ = snapshot.table(0).integer(0, 5)
    }
    expectStop(result, saying: "is damaged", in: "end")
  }
}
