import Foundation
import TestSupport
import Testing

import struct Synchronization.Atomic

@testable import Storage

/// Compacting a file in its place: who may do it, who waits, and what is left by those who die.
@Suite struct CompactionTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("data.realm") }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  /// One version for each row.
  private func fill(_ count: Int) throws {
    let file = try DatabaseFile.open(path: path)
    for _ in 0..<count { try CommitSignalTests.commit(file) }
  }

  private func count(_ path: String) throws -> Int {
    try Snapshot(file: DatabaseFile.open(path: path, readOnly: true)).liveCount(table: 0)
  }

  @Test func theFileKeepsItsOwnerAndRights() throws {
    try fill(3)
    let isRoot = chown(path, 1234, 2345) == 0
    #expect(chmod(path, 0o640) == 0)
    #expect(try DatabaseFile.compact(path: path))
    var information = stat()
    #expect(stat(path, &information) == 0)
    #expect(information.st_mode & 0o7777 == 0o640)
    if isRoot { #expect(information.st_uid == 1234 && information.st_gid == 2345) }
    #expect(try names() == ["data.realm", "data.realm-lock"])
    #expect(try count(path) == 3)
  }

  @Test func anotherProcessHasItOpen() async throws {
    try fill(3)
    for readOnly in [false, true] {
      let reader = try Snapshot(file: DatabaseFile.open(path: path, readOnly: readOnly))
      let identity = FileIdentity(path: path)
      await #expect(processExitsWith: .success) { [path = path as String] in
        var sizes: [(Int, Int)] = []
        let compaction = Compaction { total, used in
          sizes.append((total, used))
          return true
        }
        let file = try DatabaseFile.open(path: path, compaction: compaction)
        guard case .inUse = compaction.outcome else { exit(1) }
        precondition(sizes.count == 1 && sizes[0].0 >= sizes[0].1 && sizes[0].1 > 0)
        try CommitSignalTests.commit(file)
        let isDone = try DatabaseFile.compact(path: path)
        precondition(!isDone)
      }
      #expect(FileIdentity(path: path) == identity)
      withExtendedLifetime(reader) {}
    }
    #expect(try count(path) == 5)
  }

  /// The first of many threads is asked, and all get the new file.
  @Test func manyThreads() throws {
    try fill(30)
    let asked = Atomic(0)
    let files = Mutex<[ObjectIdentifier: DatabaseFile]>([:])
    let former = FileIdentity(path: path)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let compaction = Compaction { _, _ in
        asked.add(1, ordering: .relaxed)
        return true
      }
      let file = try! DatabaseFile.open(path: path, compaction: compaction)
      let count = try! Snapshot(file: file).liveCount(table: 0)
      #expect(count == 30)
      files.withLock { $0[ObjectIdentifier(file)] = file }
    }
    #expect(asked.load(ordering: .relaxed) == 1)
    #expect(files.withLock(\.count) == 1)
    #expect(FileIdentity(path: path) != former)
  }

  /// Nobody asks about a file that nobody has used.
  @Test func newFiles() throws {
    let compaction = Compaction { _, _ in fatalError("asked") }
    _ = try DatabaseFile.open(path: path, compaction: compaction)
    let isUnasked = if case .unasked = compaction.outcome { true } else { false }
    #expect(isUnasked)
    _ = try DatabaseFile.open(path: path, compaction: Compaction { _, _ in fatalError("asked") })
    let missing = #expect(throws: StorageError.self) {
      try DatabaseFile.compact(path: folder.path("missing"))
    }
    #expect(missing?.kind == .notFound)
    #expect(try names() == ["data.realm", "data.realm-lock"])
  }

  /// Who wants to read while somebody has the file alone waits, and gets the new one.
  @Test func readersWait() throws {
    try fill(3)
    let other = folder.path("other.realm")
    try Snapshot(file: DatabaseFile.open(path: path)).writeCopy(to: other)
    try CommitSignalTests.commit(DatabaseFile.open(path: other))
    let descriptor = open(path, O_RDWR)
    #expect(LockFile.takeAlone(data: descriptor))
    let another = open(path, O_RDWR)
    #expect(!LockFile.tryTakeAlone(data: another))
    close(another)
    let found = Atomic(0)
    let ended = DispatchSemaphore(value: 0)
    let shared = path
    Thread.detachNewThread {
      found.store((try? count(shared)) ?? -1, ordering: .relaxed)
      ended.signal()
    }
    #expect(ended.wait(timeout: .now() + 0.1) == .timedOut, "the reader has not waited")
    #expect(rename(other, path) == 0)
    close(descriptor)
    ended.waitOrStop()
    #expect(found.load(ordering: .relaxed) == 4)
  }

  /// A descriptor that has had the file alone marks it again as one of several.
  @Test func sharingAgain() throws {
    try fill(1)
    let file = try DatabaseFile.open(path: path)
    let descriptor = file.writeLock.descriptor
    #expect(LockFile.takeAlone(data: descriptor))
    LockFile.shareAgain(data: descriptor, lock: file.lockIdentity!)
    let other = open(path, O_RDWR)
    defer { close(other) }
    #expect(!LockFile.tryTakeAlone(data: other))
    // Others may mark it with the same lock file, and nobody holds another's byte.
    LockFile.shareAgain(data: other, lock: file.lockIdentity!)
    #expect(!LockFile.tryTakeAlone(data: descriptor))
  }

  // MARK: What is left

  /// What somebody who was killed has left goes when the file is opened; what somebody is working on stays.
  @Test func leftovers() throws {
    try fill(2)
    let resolved = FileLocation(path: path).resolved
    mkdir(resolved + ".new", 0o700)
    try Data("half a copy".utf8).write(to: URL(fileURLWithPath: resolved + ".new/copy"))
    #expect(try names() == ["data.realm", "data.realm-lock", "data.realm.new"])
    try fill(1)
    #expect(try names() == ["data.realm", "data.realm-lock"])
    let folder = try WorkFolder.take(beside: resolved)
    try Data("half a copy".utf8).write(to: URL(fileURLWithPath: folder.file))
    try fill(1)
    #expect(FileManager.default.fileExists(atPath: folder.file))
    folder.end()
    #expect(try names() == ["data.realm", "data.realm-lock"])
    // A file that is in the way is somebody's.
    try Data("mine".utf8).write(to: URL(fileURLWithPath: resolved + ".new"))
    try fill(1)
    let error = #expect(throws: StorageError.self) { try DatabaseFile.compact(path: path) }
    #expect(error?.kind == .access)
    #expect(try names() == ["data.realm", "data.realm-lock", "data.realm.new"])
    #expect(try count(path) == 5)
  }

  /// Each has the folder for itself, also when the one before has removed it meanwhile.
  @Test func oneAtATime() throws {
    let target = FileLocation(path: folder.path("target")).resolved
    let users = Atomic(0)
    let most = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<20 {
        let folder = try! WorkFolder.take(beside: target)
        let present = users.add(1, ordering: .sequentiallyConsistent).newValue
        most.store(max(present, most.load(ordering: .relaxed)), ordering: .relaxed)
        #expect(!FileManager.default.fileExists(atPath: folder.file))
        try! Data("x".utf8).write(to: URL(fileURLWithPath: folder.file))
        users.subtract(1, ordering: .sequentiallyConsistent)
        folder.end()
      }
    }
    #expect(most.load(ordering: .relaxed) == 1)
    #expect(try names() == [])
  }
}
