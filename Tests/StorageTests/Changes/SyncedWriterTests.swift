import Foundation
import TestSupport
import Testing

@testable import Storage

/// Programs that write to a synced file: the clock, the trim bound, the entries of the session, other processes and failures.
@Suite struct SyncedWriterTests {
  // MARK: Clock

  @Test func stampsOnlyRiseWhateverTheClockSays() throws {
    let file = try SyncedFile()
    let snapshot = file.snapshot
    let version = snapshot.version
    nonisolated(unsafe) var time: Int64 = 1_900_000_000_000
    snapshot.file.milliseconds = { time }
    try snapshot.write { $0.insertDog(10) }
    time -= 86_400_000
    try snapshot.write { $0.insertDog(11) }
    // A group has a stamp for each of its transactions.
    for key in 12..<15 {
      if key == 12 { try snapshot.beginWrite() } else { try snapshot.openWrite() }
      snapshot.insertDog(key)
      try snapshot.stageWrite(durability: .relaxed)
    }
    try snapshot.commitStagedWrites(durability: .relaxed)
    // Sync sets what it has seen, and the offset.
    try snapshot.write {
      $0.writing?.origin = .sync
      $0.writing?.setClock(SyncClock(greatest: 1_900_000_100_000 << 16, offset: 5_000))
      $0.insertDog(20)
    }
    try snapshot.write { $0.insertDog(21) }
    time = 2_000_000_000_000
    try snapshot.write { $0.insertDog(22) }
    let stamps = try snapshot.syncEntries(after: version).map(\.stamp)
    let first: UInt64 = 1_900_000_000_000
    #expect(
      stamps.map { $0 >> 16 } == [first, first, first, first, first, 0, 1_900_000_100_000, 2_000_000_005_000])
    let written = stamps.filter { $0 != 0 }
    #expect(zip(written, written.dropFirst()).allSatisfy { $0 < $1 })
    #expect(try snapshot.syncClock() == SyncClock(greatest: stamps.last!, offset: 5_000))
  }

  @Test func stampsFitSignedNumbers() {
    var clock = SyncClock(greatest: 0, offset: .max)
    #expect(clock.next(.max) <= UInt64(Int64.max))
    clock = SyncClock(greatest: 5, offset: .min)
    #expect((6...5 + SyncClock.greatestStep).contains(clock.next(0)))
    #expect(SyncClock(clock.bytes) == clock && SyncClock([1]) == nil)
  }

  // MARK: Session

  @Test func sessionEntriesBelongToTheTransaction() throws {
    let file = try SyncedFile()
    let snapshot = file.snapshot
    let other = try Snapshot(file: snapshot.file)
    let kind = SessionKey.Kind(rawValue: 20)
    let (first, second) = (SessionKey(kind, table: 1, column: 2, row: 1 << 40), SessionKey(kind, row: 3))
    try snapshot.write {
      $0.writing?.setSession(first, [1, 2])
      $0.writing?.setSession(second, [UInt8](repeating: 9, count: 10_000))
      let seen = try $0.session(first)
      #expect(seen == [1, 2])
    }
    #expect(try other.session(first) == nil)
    try snapshot.beginWrite()
    snapshot.writing?.setSession(first, nil)
    snapshot.writing?.setSession(second, [])
    #expect(try snapshot.session(first) == nil)
    #expect(try snapshot.session(of: kind).map(\.key) == [second])
    snapshot.cancelWrite()
    #expect(try snapshot.session(of: kind).map(\.key) == [second, first])
    #expect(try snapshot.session(of: kind).map(\.bytes.count) == [10_000, 2])
    // Copies have them, encrypted ones too.
    let (copy, key) = (TemporaryFile.path(), [UInt8](repeating: 3, count: 64))
    defer { TemporaryFile.delete(copy) }
    try snapshot.writeCopy(to: copy, encryptionKey: key)
    let copied = try Snapshot(file: DatabaseFile.open(path: copy, encryptionKey: key))
    #expect(try copied.session(first) == [1, 2] && copied.isSynced)
    #expect(try copied.syncClock() == snapshot.syncClock())
    try copied.write { $0.writing?.setSession(first, nil) }
    #expect(try copied.session(of: kind).map(\.key) == [second])
  }

  @Test func anUnsyncedFileTakesNoSessionEntries() throws {
    let file = try SyncedFile(isSynced: false)
    let error = #expect(throws: StorageError.self) {
      try file.snapshot.write { $0.writing?.setTrimBound(1) }
    }
    #expect(error?.message.contains("is not synced") == true)
    #expect(try file.snapshot.trimBound() == nil)
  }

  // MARK: Trim bound

  @Test func theLogIsKeptUntilTheTrimBound() throws {
    let file = try SyncedFile()
    let marked = file.snapshot.version
    for step in 0..<700 { try file.snapshot.write { $0.table(0).setInteger(1, step % 3, Int64(step)) } }
    // Entries were put together, and none is missing.
    #expect(try file.snapshot.logVersions().count < 120)
    #expect(try file.snapshot.syncEntries(after: marked).count == 700)
    let bound = marked + 400
    try file.snapshot.write { $0.writing?.setTrimBound(bound) }
    for step in 0..<40 { try file.snapshot.write { $0.table(0).setInteger(1, step % 3, Int64(step)) } }
    #expect(try file.snapshot.syncEntries(after: bound).count == 341)
    #expect(throws: StorageError.self) { try file.snapshot.syncEntries(after: marked + 200) }
    let first = try #require(try file.snapshot.logVersions().first)
    #expect(first > bound && first <= bound + 256)
  }

  @Test func copiesGoOnWithTheVersionsOfTheOriginal() throws {
    let file = try SyncedFile()
    let marked = file.snapshot.version
    for step in 0..<100 { try file.snapshot.write { $0.table(0).setInteger(1, step % 3, Int64(step)) } }
    try file.snapshot.write { $0.writing?.setTrimBound(marked + 50) }
    let entries = try file.snapshot.syncEntries(after: marked + 50)
    let copy = TemporaryFile.path()
    defer { TemporaryFile.delete(copy) }
    try file.snapshot.writeCopy(to: copy)
    let copied = try Snapshot(file: DatabaseFile.open(path: copy))
    #expect(copied.version == file.snapshot.version + 1)
    #expect(try copied.syncEntries(after: marked + 50) == entries)
    #expect(throws: StorageError.self) { try copied.syncEntries(after: marked) }
    for step in 0..<70 { try copied.write { $0.table(0).setInteger(1, step % 3, Int64(step)) } }
    #expect(try copied.syncEntries(after: marked + 50).count == entries.count + 70)
    #expect(try FileVerification(path: copy).faults == [])
  }

  // MARK: Other processes, and failures

  @Test func programsInOtherProcessesStampAndLog() async throws {
    let file = try SyncedFile()
    let path = file.path
    let version = file.snapshot.version
    try file.snapshot.write {
      $0.writing?.origin = .sync
      $0.writing?.setClock(SyncClock(greatest: 1 << 61, offset: 0))
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      for key in 100..<150 {
        try snapshot.write {
          $0.insertDog(key)
          $0.table(0).deleteRow(key - 100)
        }
      }
    }
    try file.snapshot.advance()
    let entries = try file.snapshot.syncEntries(after: version + 1)
    let stamps = [1 << 61] + entries.map(\.stamp)
    #expect(
      stamps.count == 51
        && zip(stamps, stamps.dropFirst()).allSatisfy { (1...SyncClock.greatestStep).contains($1 &- $0) })
    #expect(
      entries.flatMap { $0.tables.flatMap { $0.deleted.map(\.key) } }.prefix(4) == [
        .int(0), .int(1), .int(2), .int(100),
      ])
    // One that dies in the middle leaves no entry.
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try snapshot.beginWrite()
      snapshot.insertDog(1_000)
      try snapshot.stageWrite(durability: .relaxed)
      try snapshot.openWrite()
      snapshot.writing?.setTrimBound(1 << 40)
      kill(getpid(), SIGKILL)
    }
    try file.snapshot.write { $0.insertDog(2_000) }
    #expect(try file.snapshot.syncEntries(after: version).count == 52)
    #expect(try file.snapshot.trimBound() == version - 1)
  }

  /// When the power fails, the journal brings back the entries of the log with the data.
  @Test func theJournalHasTheLog() throws {
    let file = try SyncedFile()
    let snapshot = file.snapshot
    let calls = DeferredSync(
      path: file.path, environment: snapshot.file.environment,
      lockDescriptor: snapshot.file.writeLock.descriptor, calls: DiskCalls())
    _ = snapshot.file.deferredSyncReference.storeIfNil(calls)
    let loaded = snapshot.file.deferredSyncReference.load()
    let deferred = try #require(loaded)
    deferred.quickCommits.longestPause = .max
    var count = 0
    while deferred.ownJournal == nil {
      try #require(count < 100)
      try snapshot.write(.full) { $0.insertDog(10 + count) }
      count += 1
    }
    let url = URL(fileURLWithPath: file.path)
    let onDisk = try Data(contentsOf: url)
    let version = snapshot.version
    for key in 500..<510 {
      try snapshot.write(.full) {
        $0.insertDog(key)
        $0.table(0).deleteRow(key - 500)
      }
    }
    let copy = TemporaryFile.path()
    defer { TemporaryFile.delete(copy) }
    try onDisk.write(to: URL(fileURLWithPath: copy))
    try Data(contentsOf: URL(fileURLWithPath: file.path + "-journal"))
      .write(to: URL(fileURLWithPath: copy + "-journal"))
    try RecoveryRecord.replace(atPath: copy) { record in record.boot.low ^= 1 }
    let recovered = try Snapshot(file: DatabaseFile.open(path: copy))
    #expect(recovered.version == version + 10)
    #expect(try recovered.syncEntries(after: version) == snapshot.syncEntries(after: version))
    #expect(try recovered.syncClock() == snapshot.syncClock())
    #expect(try SealSumTests.isRight(recovered))
  }
}
