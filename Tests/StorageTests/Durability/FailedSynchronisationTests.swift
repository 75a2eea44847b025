import Foundation
import TestSupport
import Testing

@testable import Storage

/// What is reported of commits when the disk does not take what it is given, and what a file has afterwards.
@Suite struct FailedSynchronisationTests {
  /// Lets the calls of deferred commits fail or wait.
  private final class Disk: Sendable {
    struct State {
      var failsToSynchronise = false
      var hasThreads = true
      /// How many more records can be written.
      var recordLimit = Int.max
      var synchronisations = 0
      /// The calls that are to wait, counted from now.
      var heldSynchronisation: Int?
      var heldRecord: Int?
    }
    let state = Mutex(State())
    private let entered = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)

    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    /// Waits until a call is held up.
    func waitForCall() { entered.waitOrStop() }

    func release() { released.signal() }

    private func hold() {
      entered.signal()
      released.waitOrStop()
    }

    /// Counts down to the call that is to wait. Returns whether it is this one.
    private static func comes(_ held: inout Int?) -> Bool {
      guard let number = held else { return false }
      held = number > 1 ? number - 1 : nil
      return number == 1
    }

    var calls: DiskCalls {
      DiskCalls(
        synchronise: { [self] descriptor in
          let waits = state.withLock { state in
            state.synchronisations += 1
            return Self.comes(&state.heldSynchronisation)
          }
          if waits { hold() }
          errno = EIO
          return !state.withLock { $0.failsToSynchronise } && fdatasync(descriptor) == 0
        },
        write: { [self] record, descriptor, pageSize in
          // It can be seen before the call returns, and also when it fails.
          guard record.write(to: descriptor, pageSize: pageSize) else { return false }
          let (succeeds, waits) = state.withLock { state in
            state.recordLimit -= 1
            return (state.recordLimit >= 0, Self.comes(&state.heldRecord))
          }
          if waits { hold() }
          errno = EIO
          return succeeds
        },
        startThread: { [self] work in state.withLock { $0.hasThreads } && Storage.Thread.start(work) })
    }
  }

  /// Nothing can be written, everything that can be asked is answered with an error, and reading goes on; when the file
  /// is opened again it has the first rows of the model, and goes on with them.
  private func expectFailed(
    _ numbers: Numbers, after surelyThere: UInt64
  ) throws {
    let file = numbers.file
    #expect(throws: Never.self) { try file.waitUntilSynced(surelyThere) }
    for version in surelyThere + 1...numbers.snapshot.version + 1 where version <= file.newestVersion {
      #expect(throws: StorageError.self) { try file.waitUntilSynced(version) }
    }
    for durability in [Durability.full, .deferred, .relaxed] {
      let error = #expect(throws: StorageError.self) { try numbers.append(durability) }
      #expect(error?.message.contains("could not be synced") == true)
      #expect(error?.message.contains(numbers.path) == true)
    }
    #expect(Numbers.content(numbers.snapshot) == numbers.model)
    #expect(try Numbers.content(Snapshot(file: file)) == numbers.model)
    #expect(try RecoveryRecord.found(atPath: numbers.path)?.isFailed == true)
  }

  /// Opens the file anew, with what has happened to it, and goes on.
  private func expectRows(_ count: Int, atPath path: String) throws {
    let copy = TemporaryFile.path()
    defer { TemporaryFile.delete(copy) }
    try Data(contentsOf: URL(fileURLWithPath: path)).write(to: URL(fileURLWithPath: copy))
    let expected = (0..<Int64(count)).map { $0 }
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: copy))
      #expect(Numbers.content(snapshot) == expected)
      for durability in [Durability.full, .deferred, .relaxed, .full] {
        try snapshot.beginWrite()
        _ = snapshot.table(0).insertRow()
        try snapshot.commitWrite(durability: durability)
        try snapshot.file.waitUntilSynced(snapshot.version)
      }
    }
    let reopened = try Snapshot(file: DatabaseFile.open(path: copy))
    #expect(Numbers.content(reopened) == expected + [0, 0, 0, 0])
  }

  @Test func afterASynchronisationThatFailedNothingCounts() throws {
    let disk = Disk()
    let numbers = try Numbers(disk.calls)
    try numbers.append(.full)
    try numbers.append(.deferred)
    try numbers.file.waitUntilSynced(numbers.snapshot.version)
    let sure = numbers.snapshot.version
    disk.set { $0.failsToSynchronise = true }
    // Also when it begins a record.
    _ = try? numbers.append(.deferred)
    _ = try? numbers.file.waitUntilSynced(numbers.file.newestVersion)
    disk.set { $0.failsToSynchronise = false }
    try expectFailed(numbers, after: sure)
    try expectRows(2, atPath: numbers.path)
  }

  /// The record stands while more is committed, and the synchronisation of that fails.
  @Test func whoWaitsAndWhoAsksLaterAndWhoJoinedAreTold() throws {
    let disk = Disk()
    let numbers = try Numbers(disk.calls)
    try numbers.append(.full)
    let sure = numbers.snapshot.version
    // After that of the beginning of the record.
    disk.set { $0.heldSynchronisation = 2 }
    try numbers.append(.deferred)
    disk.waitForCall()
    disk.set { $0.failsToSynchronise = true }
    let version = numbers.snapshot.version
    let waiting = Calls()
    numbers.file.whenSynced(version) { error in
      #expect(error != nil)
      waiting.note()
    }
    let file = numbers.file
    let hasThread = Storage.Thread.start {
      try! waitUntil { file.newestVersion != version }
      disk.release()
    }
    #expect(hasThread)
    #expect(throws: StorageError.self) { try numbers.append(.full) }
    waiting.wait(for: 1)
    disk.set { $0.failsToSynchronise = false }
    try expectFailed(numbers, after: sure)
    try expectRows(1, atPath: numbers.path)
  }

  @Test func aRecordThatCouldNotBeWritten() throws {
    let disk = Disk()
    let numbers = try Numbers(disk.calls)
    try numbers.append(.full)
    let sure = numbers.snapshot.version
    // That with which it begins.
    disk.set { $0.recordLimit = 1 }
    try numbers.append(.deferred)
    #expect(throws: StorageError.self) { try numbers.file.waitUntilSynced(sure + 1) }
    disk.set { $0.recordLimit = .max }
    try expectFailed(numbers, after: sure)
    try expectRows(1, atPath: numbers.path)
  }

  @Test func aRecordThatCouldNotBegin() throws {
    let disk = Disk()
    let numbers = try Numbers(disk.calls)
    try numbers.append(.full)
    let sure = numbers.snapshot.version
    disk.set { $0.recordLimit = 0 }
    #expect(throws: StorageError.self) { try numbers.append(.deferred) }
    disk.set { $0.recordLimit = .max }
    try expectFailed(numbers, after: sure)
    try expectRows(1, atPath: numbers.path)
  }

  /// A commit that LMDB synchronises by itself does not stand on what has failed to reach the disk.
  @Test func whatADurableCommitStandsOnIsSynchronisedFirst() throws {
    let disk = Disk()
    let numbers = try Numbers(disk.calls)
    try numbers.append(.full)
    try numbers.append(.full)
    let before = disk.state.withLock { $0.synchronisations }
    try numbers.append(.full)
    #expect(disk.state.withLock { $0.synchronisations } == before)
    try numbers.append(.relaxed)
    try numbers.append(.full)
    #expect(disk.state.withLock { $0.synchronisations } == before + 1)
    try numbers.append(.relaxed)
    let sure = numbers.snapshot.version - 1
    disk.set { $0.failsToSynchronise = true }
    #expect(throws: StorageError.self) { try numbers.append(.full) }
    disk.set { $0.failsToSynchronise = false }
    try expectFailed(numbers, after: sure)
    // There is no older version whose pages were left alone.
    try expectRows(6, atPath: numbers.path)
  }

  /// Nobody waits for the right to write on the thread that has it.
  @Test func commitsWithoutAThread() throws {
    let disk = Disk()
    let numbers = try Numbers(disk.calls)
    disk.set { $0.hasThreads = false }
    for _ in 0..<5 {
      try numbers.append(.deferred)
      try numbers.file.waitUntilSynced(numbers.snapshot.version)
      #expect(try RecoveryRecord.found(atPath: numbers.path)?.isPending == false)
      try numbers.append(.full)
    }
    disk.set { $0.hasThreads = true }
    try numbers.append(.deferred)
    try numbers.append(.full)
    #expect(try Numbers.content(Snapshot(file: numbers.file)) == numbers.model)
  }

  /// What stands in the file is this process's record as soon as it can be seen.
  @Test func theRecordThatIsBeingWrittenIsOnesOwn() throws {
    let disk = Disk()
    let numbers = try Numbers(disk.calls)
    try numbers.append(.full)
    disk.set {
      $0.heldSynchronisation = 2
      $0.heldRecord = 2
    }
    try numbers.append(.deferred)
    disk.waitForCall()
    // So that the record is replaced rather than ended.
    try numbers.snapshot.beginWrite()
    disk.release()
    disk.waitForCall()
    let record = try #require(try RecoveryRecord.found(atPath: numbers.path))
    #expect(record.isPending && record.meta.version == numbers.snapshot.version)
    let before = disk.state.withLock { $0.synchronisations }
    _ = numbers.snapshot.table(0).insertRow()
    try numbers.snapshot.commitWrite(durability: .deferred)
    try numbers.snapshot.beginWrite()
    _ = numbers.snapshot.table(0).insertRow()
    try numbers.snapshot.commitWrite(durability: .deferred)
    #expect(disk.state.withLock { $0.synchronisations } == before, "nobody ended what is not foreign")
    #expect(try RecoveryRecord.found(atPath: numbers.path) == record)
    disk.release()
    try numbers.file.waitUntilSynced(numbers.snapshot.version)
    #expect(try #require(try RecoveryRecord.found(atPath: numbers.path)).sequence == record.sequence + 1)
  }

  /// Commits, and stops while the record is pending and names the commit, as somebody is about to write.
  private func stopAfterDeferredCommit() throws -> Numbers {
    let disk = Disk()
    let numbers = try Numbers(disk.calls)
    try numbers.append(.full)
    disk.set { $0.heldSynchronisation = 2 }
    try numbers.append(.deferred)
    disk.waitForCall()
    try numbers.snapshot.beginWrite()
    disk.release()
    try numbers.file.waitUntilSynced(numbers.snapshot.version)
    return numbers
  }

  @Test(arguments: [Durability.full, .deferred, .relaxed])
  func aRecordThatAnotherProcessHasEnded(_ durability: Durability) throws {
    let numbers = try stopAfterDeferredCommit()
    try RecoveryRecord.replace(atPath: numbers.path) { record in
      record.sequence += 1
      record.isPending = false
    }
    _ = numbers.snapshot.table(0).insertRow()
    try numbers.snapshot.commitWrite(durability: durability)
    try numbers.file.waitUntilSynced(numbers.snapshot.version)
    let sequence = try #require(try RecoveryRecord.found(atPath: numbers.path)).sequence
    for _ in 0..<3 { try numbers.append(.deferred) }
    try numbers.file.waitUntilSynced(numbers.snapshot.version)
    #expect(try #require(try RecoveryRecord.found(atPath: numbers.path)).sequence > sequence)
  }

  @Test(arguments: [Durability.full, .deferred, .relaxed])
  func aSynchronisationThatFailedInAnotherProcess(_ durability: Durability) throws {
    let numbers = try stopAfterDeferredCommit()
    try RecoveryRecord.replace(atPath: numbers.path) { record in
      record.sequence += 1
      record.boot = .none
    }
    _ = numbers.snapshot.table(0).insertRow()
    #expect(throws: StorageError.self) { try numbers.snapshot.commitWrite(durability: durability) }
    try expectFailed(numbers, after: numbers.snapshot.version)
    try expectRows(2, atPath: numbers.path)
  }
}
