import Foundation
import TestSupport
import Testing

@testable import Storage

/// What readers are shown of a commit with a journal until it is durable, and when it never will be.
@Suite struct WithheldVersionTests {
  /// Syncs that fail, and a look at what is shown while a journal is synced.
  private final class Disk: Sendable {
    let failing = Mutex(false)
    let observer = Mutex<(@Sendable () -> Void)?>(nil)

    var calls: DiskCalls {
      var calls = DiskCalls()
      calls.synchronise = { [self] descriptor in
        observer.withLock { $0 }?()
        if failing.withLock({ $0 }) {
          errno = EIO
          return false
        }
        return fdatasync(descriptor) == 0
      }
      return calls
    }
  }

  private func begin(_ disk: Disk) throws -> Numbers {
    let numbers = try Numbers(disk.calls)
    numbers.file.deferredSyncReference.load()!.quickCommits.longestPause = .max
    while numbers.file.deferredSyncReference.load()!.ownJournal == nil {
      try #require(numbers.model.count < 100)
      try numbers.append(.full)
    }
    return numbers
  }

  @Test func aCommitIsShownWhenItIsDurable() throws {
    let disk = Disk()
    let numbers = try begin(disk)
    let (file, model) = (numbers.file, numbers.model)
    let isLookedAt = Mutex(0)
    let other = try Snapshot(file: file)
    nonisolated(unsafe) let unsafeOther = other
    disk.observer.withLock {
      $0 = {
        // LMDB shows it already.
        guard file.newestVersion == unsafeOther.version + 1 else { return }
        #expect(try! Numbers.content(Snapshot(file: file)) == model)
        #expect(try! unsafeOther.advance() == false)
        isLookedAt.withLock { $0 += 1 }
      }
    }
    try numbers.append(.full)
    disk.observer.withLock { $0 = nil }
    #expect(isLookedAt.withLock { $0 } > 0)
    #expect(try other.advance())
    #expect(Numbers.content(other) == numbers.model)
    #expect(try Numbers.content(Snapshot(file: file)) == numbers.model)
    try numbers.append(.full)
  }

  @Test func aCommitThatThrewIsNeverShown() throws {
    let disk = Disk()
    let numbers = try begin(disk)
    let old = try Snapshot(file: numbers.file)
    try numbers.append(.full)
    let current = try Snapshot(file: numbers.file)
    let model = numbers.model
    disk.failing.withLock { $0 = true }
    #expect(throws: StorageError.self) { try numbers.append(.full) }
    disk.failing.withLock { $0 = false }
    #expect(numbers.model == model)
    #expect(numbers.file.newestVersion == numbers.snapshot.version + 1)
    #expect(Numbers.content(numbers.snapshot) == model)
    // Those that are open, that move on, and that are opened, on whichever thread.
    #expect(try current.advance() == false)
    #expect(try old.advance())
    #expect(Numbers.content(old) == model && Numbers.content(current) == model)
    let file = numbers.file
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<20 { #expect(try! Numbers.content(Snapshot(file: file)) == model) }
    }
    for durability in [Durability.full, .deferred, .relaxed] {
      let error = #expect(throws: StorageError.self) { try current.beginWrite() }
      #expect(error?.message.contains("could not be synced") == true, "\(durability)")
    }
    // Transactions whose failure can only be told later change nothing, either.
    file.takeWriting()
    _ = current.openWriteFailingLater()
    current.table(0).setInteger(0, 0, 77)
    #expect(throws: StorageError.self) { try current.commitWrite() }
    #expect(Numbers.content(current) == model)
  }

  /// The file has the version that was shown when all have closed it, although the journal had been written, and not synced.
  @Test func whatWasShownIsThereAfterwards() throws {
    let disk = Disk()
    let copy = TemporaryFile.path()
    defer { TemporaryFile.delete(copy) }
    var model: [Int64] = []
    do {
      let numbers = try begin(disk)
      try numbers.append(.full)
      model = numbers.model
      disk.failing.withLock { $0 = true }
      #expect(throws: StorageError.self) { try numbers.append(.full) }
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: numbers.path + suffix, toPath: copy + suffix)
      }
    }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: copy))
    #expect(Numbers.content(snapshot) == model)
    #expect(try FileVerification(path: copy).faults == [])
  }
}
