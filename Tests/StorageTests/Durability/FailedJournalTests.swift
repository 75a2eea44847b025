import Foundation
import TestSupport
import Testing

@testable import Storage

/// What becomes of commits when a journal, or what it is for, cannot be written.
@Suite struct FailedJournalTests {
  /// Calls that fail while they are in the set.
  private final class Calls: Sendable {
    enum Call { case writeJournal, synchroniseJournal, synchroniseFile, writeRecord }

    private let failing = Mutex<Set<Call>>([])
    private let observer = Mutex<(@Sendable () -> Void)?>(nil)

    /// Called when a journal is about to be synchronised.
    func atSynchronisation(_ body: (@Sendable () -> Void)?) { observer.withLock { $0 = body } }

    func fail(_ calls: Set<Call>) { failing.withLock { $0 = calls } }

    private func succeeds(_ call: Call) -> Bool {
      if failing.withLock({ !$0.contains(call) }) { return true }
      errno = EIO
      return false
    }

    var disk: DiskCalls {
      var calls = DiskCalls()
      calls.writeJournal = { [self] in succeeds(.writeJournal) && DiskCalls.write($0, $1, $2) }
      calls.synchronise = { [self] descriptor in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        let isJournal = target?.hasSuffix("-journal") ?? false
        if isJournal { observer.withLock { $0 }?() }
        return succeeds(isJournal ? .synchroniseJournal : .synchroniseFile) && fdatasync(descriptor) == 0
      }
      calls.write = { [self] in succeeds(.writeRecord) && $0.write(to: $1, pageSize: $2) }
      return calls
    }
  }

  private static func ownJournal(_ numbers: Numbers) -> OwnJournal? {
    numbers.file.deferredSyncReference.load()?.ownJournal
  }

  private func begin(_ calls: DiskCalls = DiskCalls()) throws -> Numbers {
    let numbers = try Numbers(calls)
    numbers.file.deferredSyncReference.load()!.quickCommits.longestPause = .max
    while Self.ownJournal(numbers) == nil {
      try #require(numbers.model.count < 100)
      try numbers.append(.full)
    }
    return numbers
  }

  /// Opens what is there as the first one, with the journal.
  private func expectRows(_ counts: ClosedRange<Int>, _ numbers: Numbers) throws {
    let copy = TemporaryFile.path()
    defer { TemporaryFile.delete(copy) }
    for suffix in ["", "-journal"] {
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: numbers.path + suffix)) else { continue }
      try data.write(to: URL(fileURLWithPath: copy + suffix))
    }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: copy))
    let content = Numbers.content(snapshot)
    #expect(counts.contains(content.count))
    #expect(content == (0..<Int64(content.count)).map { $0 })
    for durability in [Durability.full, .deferred, .relaxed, .full] {
      try snapshot.beginWrite()
      _ = snapshot.table(0).insertRow()
      try snapshot.commitWrite(durability: durability)
    }
  }

  @Test(arguments: [true, false])
  func aJournalThatCanNotBeWrittenIsDoneWithout(_ isWritten: Bool) throws {
    let calls = Calls()
    let numbers = try begin(calls.disk)
    try numbers.append(.full)
    calls.fail([isWritten ? .synchroniseJournal : .writeJournal])
    for _ in 0..<20 { try numbers.append(.full) }
    #expect(Self.ownJournal(numbers) == nil)
    #expect(try RecoveryRecord.found(atPath: numbers.path)?.isPending == false)
    #expect(!FileManager.default.fileExists(atPath: numbers.path + "-journal"))
    try expectRows(numbers.model.count...numbers.model.count, numbers)
  }

  @Test func aJournalThatCanNotBeMadeIsDoneWithout() throws {
    let calls = Calls()
    calls.fail([.writeJournal])
    let numbers = try Numbers(calls.disk)
    for _ in 0..<20 { try numbers.append(.full) }
    #expect(Self.ownJournal(numbers) == nil)
    #expect(!FileManager.default.fileExists(atPath: numbers.path + "-journal"))
    // Something else is in the way.
    let other = try Numbers()
    try FileManager.default.createDirectory(
      atPath: other.path + "-journal", withIntermediateDirectories: true)
    defer { rmdir(other.path + "-journal") }
    for _ in 0..<20 { try other.append(.full) }
    #expect(Self.ownJournal(other) == nil)
  }

  @Test func whenNeitherCanBeWrittenNothingCountsAnyMore() throws {
    let calls = Calls()
    let numbers = try begin(calls.disk)
    try numbers.append(.full)
    let sure = numbers.model.count
    let version = numbers.snapshot.version
    calls.fail([.writeJournal, .synchroniseFile])
    let error = #expect(throws: StorageError.self) { try numbers.append(.full) }
    #expect(error?.message.contains("could not be synced") == true)
    calls.fail([])
    for durability in [Durability.full, .deferred, .relaxed] {
      #expect(throws: StorageError.self) { try numbers.append(durability) }
    }
    #expect(throws: Never.self) { try numbers.file.waitUntilSynced(version) }
    #expect(throws: StorageError.self) { try numbers.file.waitUntilSynced(version + 1) }
    #expect(Numbers.content(numbers.snapshot).count == numbers.model.count)
    let record = try #require(try RecoveryRecord.found(atPath: numbers.path))
    #expect(record.isFailed && record.journal != nil)
    try expectRows(sure...sure, numbers)
  }

  @Test func aRecordThatCanNotBeWritten() throws {
    let calls = Calls()
    let numbers = try Numbers(calls.disk)
    calls.fail([.writeRecord])
    for _ in 0..<20 { try numbers.append(.full) }
    #expect(Self.ownJournal(numbers) == nil)
    #expect(!FileManager.default.fileExists(atPath: numbers.path + "-journal"))
    try expectRows(numbers.model.count...numbers.model.count, numbers)
  }

  /// A file that was moved away for a while has lost its journal to another one.
  @Test func aJournalThatSomebodyHasDeleted() throws {
    let numbers = try begin()
    try numbers.append(.full)
    unlink(numbers.path + "-journal")
    for _ in 0..<5 { try numbers.append(.full) }
    #expect(Self.ownJournal(numbers) == nil)
    #expect(try RecoveryRecord.found(atPath: numbers.path)?.isPending == false)
    try expectRows(numbers.model.count...numbers.model.count, numbers)
  }

  /// When only the process has died, the file itself is whole.
  @Test func aDamagedJournalOverAWholeFileIsReportedAndNotNeeded() throws {
    let numbers = try begin()
    for _ in 0..<10 { try numbers.append(.full) }
    let copy = TemporaryFile.path()
    defer { TemporaryFile.delete(copy) }
    var journal = try Data(contentsOf: URL(fileURLWithPath: numbers.path + "-journal"))
    // Within the first record.
    journal[300] ^= 4
    try FileManager.default.copyItem(atPath: numbers.path, toPath: copy)
    try journal.write(to: URL(fileURLWithPath: copy + "-journal"))
    let faults = try FileVerification(path: copy).faults
    #expect(faults.count == 1 && faults[0].loss == .nothing, "\(faults)")
    #expect(faults[0].reason.contains("-journal' is damaged"))
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: copy))
      #expect(Numbers.content(snapshot) == numbers.model)
      try snapshot.beginWrite()
      _ = snapshot.table(0).insertRow()
      try snapshot.commitWrite()
    }
    #expect(!FileManager.default.fileExists(atPath: copy + "-journal"))
    #expect(try FileVerification(path: copy).faults == [])
  }

  /// The journal beside another file, which has come to its place, is that one's.
  @Test func aFileThatWasReplacedTouchesNoJournal() throws {
    let numbers = try Numbers()
    numbers.file.deferredSyncReference.load()!.quickCommits.longestPause = .max
    // The next one would make a journal.
    while numbers.model.count + 1 < QuickCommits.enough { try numbers.append(.full) }
    #expect(Self.ownJournal(numbers) == nil)
    let others = try begin()
    try others.append(.full)
    try numbers.snapshot.beginWrite()
    _ = numbers.snapshot.table(0).insertRow()
    let place = numbers.path + "-moved"
    defer { TemporaryFile.delete(place) }
    try FileManager.default.moveItem(atPath: numbers.path, toPath: place)
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: others.path + suffix, toPath: numbers.path + suffix)
    }
    let journal = try Data(contentsOf: URL(fileURLWithPath: numbers.path + "-journal"))
    #expect(throws: StorageError.self) { try numbers.snapshot.commitWrite() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: numbers.path + "-journal")) == journal)
    #expect(Self.ownJournal(numbers) == nil)
  }

  @Test func versionsOnTheirWayAreNotSaidToBeOnTheDisk() throws {
    let calls = Calls()
    let numbers = try begin(calls.disk)
    let told = Mutex<[Bool]>([])
    let file = numbers.file
    calls.atSynchronisation {
      // LMDB shows it already.
      file.whenSynced(file.newestVersion) { error in told.withLock { $0.append(error == nil) } }
      #expect(told.withLock { $0.isEmpty })
    }
    try numbers.append(.full)
    calls.atSynchronisation(nil)
    #expect(told.withLock { $0 } == [true])
  }

  /// The record that says that the journal begins anew.
  @Test(arguments: [true, false])
  func aCheckpointThatFails(_ isSynchronised: Bool) throws {
    let calls = Calls()
    let numbers = try begin(calls.disk)
    for _ in 0..<5 { try numbers.append(.full) }
    calls.fail([.writeJournal, isSynchronised ? .writeRecord : .synchroniseFile])
    let sure = numbers.model.count
    #expect(throws: StorageError.self) { try numbers.append(.full) }
    calls.fail([])
    try expectRows(sure...sure + 1, numbers)
  }

  @Test(arguments: [Durability.full, .deferred, .relaxed])
  func aJournalThatAnotherProcessHasEnded(_ durability: Durability) throws {
    let numbers = try begin()
    for _ in 0..<5 { try numbers.append(.full) }
    try RecoveryRecord.replace(atPath: numbers.path) { record in
      record.sequence += 1
      record.isPending = false
    }
    unlink(numbers.path + "-journal")
    try numbers.append(durability)
    #expect(Self.ownJournal(numbers) == nil)
    // It is made anew.
    for _ in 0..<20 { try numbers.append(.full) }
    #expect(Self.ownJournal(numbers) != nil)
    #expect(FileManager.default.fileExists(atPath: numbers.path + "-journal"))
    try expectRows(numbers.model.count...numbers.model.count, numbers)
  }

  /// One that has died within a commit, or has left it at that.
  @Test(arguments: [Durability.full, .deferred, .relaxed])
  func aJournalOfAnotherProcess(_ durability: Durability) throws {
    let numbers = try begin()
    for _ in 0..<5 { try numbers.append(.full) }
    try RecoveryRecord.replace(atPath: numbers.path) { record in
      record.sequence += 1
      record.journal = .random()
    }
    try numbers.append(durability)
    #expect(Self.ownJournal(numbers) == nil)
    #expect(try #require(try RecoveryRecord.found(atPath: numbers.path)).journal == nil)
    for _ in 0..<20 { try numbers.append(.full) }
    try expectRows(numbers.model.count...numbers.model.count, numbers)
  }

  @Test func aFailureInAnotherProcess() throws {
    let numbers = try begin()
    for _ in 0..<5 { try numbers.append(.full) }
    let sure = numbers.model.count
    try RecoveryRecord.replace(atPath: numbers.path) { record in
      record.sequence += 1
      record.boot = .none
    }
    for durability in [Durability.full, .deferred, .relaxed] {
      #expect(throws: StorageError.self) { try numbers.append(durability) }
    }
    #expect(try #require(try RecoveryRecord.found(atPath: numbers.path)).isFailed)
    try expectRows(sure...sure, numbers)
  }
}
