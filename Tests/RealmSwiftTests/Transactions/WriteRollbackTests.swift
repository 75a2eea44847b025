import Dispatch
import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// A write that was begun is rolled back when the last reference to its realm goes: other writers go on, and see nothing of it.
@Suite struct WriteRollbackTests {
  private struct Refusal: Error {}
  let file = ScratchRealm([AsyncNote.self])

  /// Begins a write, and keeps nothing.
  private func beginWrite(_ queue: DispatchQueue? = nil) throws {
    let realm = try Realm(configuration: file.configuration, queue: queue)
    realm.beginWrite()
    realm.create(AsyncNote.self, value: [1, "never stored"])
  }

  /// Writes on a thread of its own; what was begun before must be over.
  private func expectOthersCanWrite() throws {
    let count = try onOtherThread {
      let realm = try file.open()
      return try realm.write {
        defer { realm.create(AsyncNote.self, value: [Int.random(in: 2...Int.max), "stored"]) }
        return realm.objects(AsyncNote.self).filter("id == 1").count
      }
    }
    #expect(count == 0)
  }

  @Test func autoreleasePoolOfAThread() throws {
    try onOtherThread {
      try autoreleasepool { try beginWrite() }
      try expectOthersCanWrite()
      // Within each other, and in a function.
      try autoreleasepool {
        try autoreleasepool { try beginWrite() }
        try expectOthersCanWrite()
        try beginWrite()
      }
      try expectOthersCanWrite()
    }
  }

  @Test @MainActor func autoreleasePoolOfTheMainThread() throws {
    try autoreleasepool { try beginWrite() }
    try expectOthersCanWrite()
  }

  @Test func autoreleasePoolInATurn() throws {
    let thread = RunLoopThread()
    try thread.run {
      try autoreleasepool { try beginWrite() }
      try expectOthersCanWrite()
    }
    thread.stop()
  }

  @Test func autoreleasePoolOnAQueue() throws {
    let queue = DispatchQueue(label: "pools")
    try queue.sync {
      try autoreleasepool { try beginWrite(queue) }
      try expectOthersCanWrite()
    }
  }

  @Test func errorsThatLeaveAPool() throws {
    try onOtherThread {
      #expect(throws: Refusal.self) {
        try autoreleasepool {
          try beginWrite()
          throw Refusal()
        }
      }
      try expectOthersCanWrite()
    }
  }

  /// A pool releases what its block has kept, and nothing else.
  @Test func poolsLeaveOtherWritesAlone() throws {
    try onOtherThread {
      try beginWrite()
      autoreleasepool {}
      #expect(try file.open().isInWriteTransaction)
      try autoreleasepool { _ = try file.open().create(AsyncNote.self, value: [2, ""]) }
      try file.open().commitWrite()
      #expect(try file.open().objects(AsyncNote.self).count == 2)
      // A realm that something else refers to goes on.
      let realm = try file.open()
      autoreleasepool { realm.beginWrite() }
      realm.deleteAll()
      try realm.commitWrite()
      #expect(realm.isEmpty)
      // By lines, within a pool.
      try autoreleasepool {
        try file.open().beginWrite()
        try file.open().create(AsyncNote.self, value: [3, ""])
        try file.open().commitWrite()
      }
      #expect(realm.objects(AsyncNote.self).count == 1)
    }
  }

  @Test func endsOfThreads() throws {
    let ended = DispatchSemaphore(value: 0)
    Thread {
      try! beginWrite()
      ended.signal()
    }.start()
    ended.waitOrStop()
    try expectOthersCanWrite()
    // A realm whose objects the thread had.
    try onOtherThread {
      let realm = try file.open()
      realm.beginWrite()
      let note = realm.create(AsyncNote.self, value: [1, ""])
      Thread.current.threadDictionary["note"] = note
    }
    try expectOthersCanWrite()
  }

  @Test func errorsThatEndAThread() throws {
    #expect(throws: Refusal.self) {
      try onOtherThread {
        try beginWrite()
        throw Refusal()
      }
    }
    try expectOthersCanWrite()
  }

  @Test func threadsOfSharedQueues() throws {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      try! beginWrite()
      try! expectOthersCanWrite()
      done.signal()
    }
    done.waitOrStop()
  }

  @Test func turnsOfQueues() throws {
    let queue = DispatchQueue(label: "turns")
    try queue.sync { try beginWrite(queue) }
    try expectOthersCanWrite()
    #expect(throws: Refusal.self) {
      try queue.sync {
        try beginWrite(queue)
        throw Refusal()
      }
    }
    try expectOthersCanWrite()
  }

  @Test func endsOfTasks() async throws {
    try await Task.detached { try beginWrite() }.value
    try expectOthersCanWrite()
    let failing = Task.detached {
      try beginWrite()
      throw Refusal()
    }
    await #expect(throws: Refusal.self) { try await failing.value }
    try expectOthersCanWrite()
  }

  private actor Writer {
    func beginWrite(_ configuration: Realm.Configuration, throwing: Bool) async throws {
      let realm = try await Realm(configuration: configuration, actor: self)
      realm.beginWrite()
      realm.create(AsyncNote.self, value: [1, "never stored"])
      if throwing { throw Refusal() }
    }
  }

  @Test func endsOfActors() async throws {
    try await Writer().beginWrite(file.configuration, throwing: false)
    try await eventually { !RealmFiles.isOpen(file.configuration) }
    try expectOthersCanWrite()
    let writer = Writer()
    await #expect(throws: Refusal.self) { try await writer.beginWrite(file.configuration, throwing: true) }
    try await eventually { !RealmFiles.isOpen(file.configuration) }
    try expectOthersCanWrite()
  }

  @Test @MainActor func turnsOfTheMainQueue() async throws {
    try beginWrite()
    try await Task.detached { try expectOthersCanWrite() }.value
  }
}
