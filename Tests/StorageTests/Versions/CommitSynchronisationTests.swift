import Foundation
import LibC
import Synchronization
import TestSupport
import Testing

@testable import Storage

/// Commits to files of pages that do not wait for the disk.
@Suite struct CommitSynchronisationTests {
  /// Many commits, for each of which a caller waits; at the end nothing but these keeps the file open.
  @Test func completionsComeWhenTheDiskHasTheirVersions() async throws {
    var numbers: Numbers? = try Numbers()
    let file = numbers!.file
    let durable = Mutex<[UInt64]>([])
    let done = DispatchGroup()
    for _ in 0..<200 {
      try numbers!.append(.deferred)
      let version = file.newestVersion
      done.enter()
      file.whenSynced(version) { [unowned file] failure in
        #expect(failure == nil)
        #expect(file.entries.store!.durableVersion >= version)
        durable.withLock { $0.append(version) }
        done.leave()
      }
    }
    try file.waitUntilSynced(file.newestVersion)
    numbers = nil
    await withCheckedContinuation { continuation in
      done.notify(queue: .global()) { continuation.resume() }
    }
    #expect(durable.withLock { $0.count } == 200)
  }

  /// Also that of a version which the disk has already when the caller asks.
  @Test func completionsComeInTheOrderOfTheCommits() throws {
    let numbers = try Numbers()
    let file = numbers.file
    let order = Mutex<[Int]>([])
    let (inFirst, gate, done) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    try numbers.append(.relaxed)
    file.whenSynced(file.newestVersion) { _ in
      inFirst.signal()
      gate.wait()
      order.withLock { $0.append(1) }
    }
    inFirst.wait()
    try numbers.append(.relaxed)
    file.whenSynced(file.newestVersion) { _ in order.withLock { $0.append(2) } }
    try file.entries.store!.synchronise()
    file.whenSynced(file.newestVersion) { _ in
      order.withLock { $0.append(3) }
      done.signal()
    }
    gate.signal()
    done.wait()
    #expect(order.withLock { $0 } == [1, 2, 3])
  }

  @Test func aFileIsClosedWhenTheDiskHasIt() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    for round in 1...20 {
      weak var former: DatabaseFile?
      do {
        let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
        former = snapshot.file
        try Writer(snapshot).begin()
        if round == 1 {
          Writer(snapshot).setCatalogue(
            Catalogue(tables: [
              TableDescription(name: "Number", columns: [Column(name: "value", type: .int)])
            ]))
        }
        _ = snapshot.table(0).insertRow()
        try Writer(snapshot).commit(durability: .deferred)
      }
      // The synchronisation keeps it open.
      while former != nil { usleep(100) }
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      #expect(snapshot.liveCount(table: 0) == round)
    }
  }

  // MARK: Relaxed commits

  private static let size = 256 << 10

  /// A file of 128 rows of 256 KB.
  private func makeLargeFile(_ path: String) throws -> Snapshot {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(
      Catalogue(tables: [TableDescription(name: "Large", columns: [Column(name: "value", type: .data)])]))
    for row in 0..<128 {
      _ = snapshot.table(0).insertRow()
      set(row, 0, snapshot)
    }
    try Writer(snapshot).commit()
    return snapshot
  }

  private func set(_ row: Int, _ byte: UInt8, _ snapshot: Snapshot) {
    let bytes = [UInt8](repeating: byte, count: Self.size)
    bytes.withUnsafeBytes { snapshot.table(0).setData(0, row, $0) }
  }

  /// Rewrites one row after the other, in relaxed commits.
  ///
  /// - Parameter afterCommit: Called after each commit.
  private func rewrite(_ snapshot: Snapshot, _ byte: UInt8, afterCommit: () -> Void = {}) throws {
    for row in 0..<128 {
      try Writer(snapshot).begin()
      set(row, byte, snapshot)
      try Writer(snapshot).commit(durability: .relaxed)
      afterCommit()
    }
  }

  /// A file of which everything is written again does not become twice as large.
  @Test func relaxedCommitsReachTheDisk() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try makeLargeFile(path)
    let file = snapshot.file
    let size = file.size.total
    let first = file.entries.store!.durableVersion
    for byte in 1...3 as ClosedRange<UInt8> {
      // A synchronisation in the background ends before the next commit.
      try rewrite(snapshot, byte) { file.closeSynchronising() }
    }
    #expect(file.size.total < 2 * size)
    #expect(file.entries.store!.durableVersion > first + 200)
  }

  /// A synchronisation in the background does not keep the file open: closing waits for it.
  @Test func aFileIsClosedWhileARelaxedCommitReachesTheDisk() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    weak var former: DatabaseFile?
    for byte in 1...4 as ClosedRange<UInt8> {
      do {
        let snapshot = try byte == 1 ? makeLargeFile(path) : Snapshot(file: DatabaseFile.open(path: path))
        former = snapshot.file
        try rewrite(snapshot, byte)
      }
      #expect(former == nil)
    }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    #expect((0..<128).allSatisfy { snapshot.bytes(table: 0, column: 0, row: $0).allSatisfy { $0 == 4 } })
  }

  /// When a synchronisation fails for which no caller waits, nothing more is written.
  @Test func aFailureInTheBackgroundEndsWriting() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    let store = file.entries.store!
    // Commits of which the file is not told: the second one replaces what the disk has.
    for synchronises in [true, false, false] {
      #expect(!store.isSynchronisationDue)
      let transaction = try file.entries.beginWriting()
      for key in 1...100 as ClosedRange<UInt8> {
        try transaction.store(
          EntryTree.values, key: [key], [UInt8](repeating: key, count: Self.size))
      }
      try transaction.commit(synchronises ? .full : .relaxed)
    }
    #expect(store.isSynchronisationDue)
    let (descriptor, kept) = (store.descriptor, dup(store.descriptor))
    var pipe: [Int32] = [0, 0]
    #expect(LibC.pipe(&pipe) == 0)
    // Of a pipe, `fdatasync` fails.
    #expect(dup2(pipe[1], descriptor) == descriptor)
    file.noteCommit(store.newestVersion, .relaxed)
    file.closeSynchronising()
    #expect(dup2(kept, descriptor) == descriptor)
    for number in pipe + [kept] { close(number) }
    #expect(store.hasFailed)
    #expect(file.synchronisationFailure != nil)
    #expect(throws: EntryError(code: EIO)) { try file.checkSynchronisation() }
    #expect(throws: EntryError.self) { try file.entries.beginWriting() }
  }
}
