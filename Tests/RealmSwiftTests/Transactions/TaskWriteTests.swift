import Foundation
import RealmSwift
import TestSupport
import Testing

/// Asynchronous writes of tasks.
@Suite @MainActor struct TaskWriteTests {
  let file = ScratchRealm([AsyncNote.self])
  let realm: Realm

  init() throws { realm = try Realm(configuration: file.configuration) }

  private struct Failure: Error {}

  @Test func returnsWhatTheBlockReturns() async throws {
    let note = try await realm.asyncWrite {
      #expect(realm.isInWriteTransaction)
      return realm.create(AsyncNote.self, value: [1, "one"])
    }
    #expect(!realm.isInWriteTransaction)
    #expect(note.text == "one")
    #expect(!realm.isPerformingAsynchronousWriteOperations)
    try await realm.asyncWrite {}
    #expect(try Realm(configuration: file.configuration, queue: nil).objects(AsyncNote.self).count == 1)
  }

  @Test func itIsAnAsynchronousWriteUntilTheDiskHasIt() async throws {
    try await realm.asyncWrite {
      #expect(realm.isPerformingAsynchronousWriteOperations)
      realm.add(AsyncNote(value: [1, ""]))
    }
    #expect(!realm.isPerformingAsynchronousWriteOperations)
    await #expect(throws: Failure.self) { try await realm.asyncWrite { throw Failure() } }
    #expect(!realm.isPerformingAsynchronousWriteOperations)
  }

  @Test func rollsBackWhenTheBlockThrows() async throws {
    await #expect(throws: Failure.self) {
      try await realm.asyncWrite {
        realm.add(AsyncNote(value: [1, ""]))
        throw Failure()
      }
    }
    #expect(realm.isEmpty && !realm.isInWriteTransaction)
    // The right to write has been given back.
    try QueueRealm(file).sync { realm in try realm.write { realm.add(AsyncNote(value: [2, ""])) } }
  }

  @Test func theBlockMayEndTheTransaction() async throws {
    let value = try await realm.asyncWrite {
      realm.add(AsyncNote(value: [1, ""]))
      realm.cancelWrite()
      return 7
    }
    #expect(value == 7 && realm.isEmpty)
    try await realm.asyncWrite {
      realm.add(AsyncNote(value: [1, ""]))
      try realm.commitWrite()
      realm.beginWrite()
      realm.add(AsyncNote(value: [2, ""]))
      try realm.commitWrite()
    }
    #expect(realm.objects(AsyncNote.self).count == 2)
  }

  @Test func tasksWriteInTurn() async throws {
    let journal = AsyncJournal()
    // Somebody else writes until all have asked.
    let other = QueueRealm(file)
    other.sync { $0.beginWrite() }
    let tasks = (0..<50).map { number in
      Task {
        try await realm.asyncWrite {
          journal.add("\(number)")
          realm.add(AsyncNote(value: [number, ""]))
        }
      }
    }
    try await eventually { realm.isPerformingAsynchronousWriteOperations }
    for _ in 0..<100 { await Task.yield() }
    #expect(journal.all.isEmpty)
    other.sync { $0.cancelWrite() }
    for task in tasks { try await task.value }
    #expect(journal.all == (0..<50).map { "\($0)" })
    #expect(realm.objects(AsyncNote.self).count == 50)
  }

  @Test func theActorIsFreeMeanwhile() async throws {
    let other = QueueRealm(file)
    other.sync { $0.beginWrite() }
    var isDone = false
    let task = Task {
      try await realm.asyncWrite { realm.add(AsyncNote(value: [1, ""])) }
      isDone = true
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(!isDone && realm.isEmpty)
    other.sync { $0.cancelWrite() }
    try await task.value
    #expect(isDone && realm.objects(AsyncNote.self).count == 1)
  }

  @Test func cancelledWhileItWaits() async throws {
    let journal = AsyncJournal()
    let other = QueueRealm(file)
    other.sync { $0.beginWrite() }
    let tasks = (0..<6).map { number in
      Task {
        do {
          try await realm.asyncWrite { journal.add("\(number)") }
        } catch {
          journal.add("\(number) \(error is CancellationError)")
        }
      }
    }
    for _ in 0..<100 { await Task.yield() }
    // The first one, whose turn is next, and others.
    for number in [0, 2, 5] { tasks[number].cancel() }
    for number in [0, 2, 5] { await tasks[number].value }
    #expect(Set(journal.all) == ["0 true", "2 true", "5 true"])
    other.sync { $0.cancelWrite() }
    for task in tasks { await task.value }
    #expect(journal.all.suffix(3) == ["1", "3", "4"])
    // Cancelled before it asks.
    let late = Task {
      try await realm.asyncWrite { journal.add("late") }
    }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    try await realm.asyncWrite {}
    #expect(journal.all.count == 6)
  }

  @Test func cancellingLaterChangesNothing() async throws {
    let task = Task {
      try await realm.asyncWrite {
        withUnsafeCurrentTask { $0?.cancel() }
        realm.add(AsyncNote(value: [1, ""]))
      }
    }
    try await task.value
    #expect(realm.objects(AsyncNote.self).count == 1)
  }

  @Test func synchronousWritesGoFirst() async throws {
    let journal = AsyncJournal()
    let other = QueueRealm(file)
    other.sync { $0.beginWrite() }
    let task = Task {
      try await realm.asyncWrite { journal.add("async") }
    }
    try await eventually { realm.isPerformingAsynchronousWriteOperations }
    // The task has the right now, and cannot use it while this does not wait for anything.
    other.sync { $0.cancelWrite() }
    try realm.write { journal.add("sync") }
    try await task.value
    #expect(journal.all == ["sync", "async"])
  }

  @Test func mixedWithCallbacks() async throws {
    let journal = AsyncJournal()
    let other = QueueRealm(file)
    other.sync { $0.beginWrite() }
    realm.writeAsync { journal.add("callback 1") }
    let task = Task { try await realm.asyncWrite { journal.add("task") } }
    for _ in 0..<100 { await Task.yield() }
    await withCheckedContinuation { continuation in
      realm.writeAsync {
        journal.add("callback 2")
      } onComplete: { _ in
        continuation.resume()
      }
      other.sync { $0.cancelWrite() }
    }
    try await task.value
    #expect(journal.all == ["callback 1", "task", "callback 2"])
  }

  // MARK: Refreshing

  @Test func refreshing() async throws {
    realm.autorefresh = false
    #expect(await !realm.asyncRefresh())
    try QueueRealm(file).sync { realm in try realm.write { realm.add(AsyncNote(value: [1, ""])) } }
    #expect(realm.isEmpty)
    let cancelled = Task { await realm.asyncRefresh() }
    cancelled.cancel()
    #expect(await !cancelled.value && realm.isEmpty)
    #expect(await realm.asyncRefresh())
    #expect(realm.objects(AsyncNote.self).count == 1)
    #expect(await !realm.asyncRefresh())
    realm.beginWrite()
    #expect(await !realm.asyncRefresh())
    realm.cancelWrite()
  }
}
