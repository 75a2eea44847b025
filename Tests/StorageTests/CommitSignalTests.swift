import Foundation
import Synchronization
import Testing

@testable import Storage

@Suite struct CommitSignalTests {
  static func commit(_ file: DatabaseFile) throws {
    let snapshot = try Snapshot(file: file)
    try snapshot.beginWrite()
    if snapshot.catalogue.tables.isEmpty {
      snapshot.setCatalogue(
        Catalogue(tables: [TableDescription(name: "Thing", columns: [Column(name: "a", type: .int)])]))
    }
    _ = snapshot.table(0).insertRow()
    try snapshot.commitWrite(durability: .relaxed)
  }

  @Test func commitsOfThisProcess() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    let first = Calls()
    let second = Calls()
    // The calls of a thread that commits come before its commit returns.
    let seen = Mutex<[UInt64]>([])
    let firstSubscription = file.subscribeToCommits { [unowned file] in
      seen.withLock { $0.append(file.newestVersion) }
      first.note()
    }
    var secondSubscription: CommitSubscription? = file.subscribeToCommits { second.note() }
    // The listener's own look for earlier commits.
    first.wait(for: 1)
    second.wait(for: 1)
    try Self.commit(file)
    #expect(seen.withLock { $0.last } == file.newestVersion)
    #expect(first.count == 2 && second.count == 2)
    _ = secondSubscription
    secondSubscription = nil
    let ended = second.count
    try Self.commit(file)
    try Self.commit(file)
    #expect(first.count == 4)
    #expect(second.count == ended)
    withExtendedLifetime(firstSubscription) {}
  }

  @Test func nobodyIsToldOfWhatWasCancelled() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    try Self.commit(file)
    let calls = Calls()
    let subscription = file.subscribeToCommits { calls.note() }
    calls.wait(for: 1)
    let snapshot = try Snapshot(file: file)
    try snapshot.beginWrite()
    _ = snapshot.table(0).insertRow()
    snapshot.cancelWrite()
    try snapshot.beginWrite()
    try snapshot.commitWrite()
    #expect(calls.count == 1)
    withExtendedLifetime(subscription) {}
  }

  /// Two tables of one file are as strange to each other as those of two processes.
  @Test func tablesWakeEachOther() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let here = try #require(ListenerTable(path: path))
    let there = try #require(ListenerTable(path: path))
    here.wakeOthers()
    let slot = try #require(there.claim())
    let calls = Calls()
    let thread = Thread {
      for _ in 0..<100 {
        there.wait(slot)
        calls.note()
      }
    }
    thread.start()
    for number in 1...100 {
      here.wakeOthers()
      calls.wait(for: number)
    }
    // A process does not wake itself.
    there.wakeOthers()
    #expect(calls.count == 100)
  }

  @Test func slotsAreTakenOnceAndGivenBack() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let tables = try (0..<5).map { _ in try #require(ListenerTable(path: path)) }
    #expect(tables.map { $0.claim() } == [0, 1, 2, 3, 4])
    #expect(tables[1].claim() == 5)
    tables[2].release(2)
    tables[1].release(1)
    #expect(tables[4].claim() == 1)
    #expect(tables[0].claim() == 2)
  }

  /// A slot whose owner is gone without giving it back, as a killed process is.
  @Test func slotsOfTheDead() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let here = try #require(ListenerTable(path: path))
    var there = ListenerTable(path: path)
    #expect(there?.claim() == 0)
    there = nil
    for _ in 0..<200 { here.wakeOthers() }
    let next = try #require(ListenerTable(path: path))
    #expect(next.claim() == 0)
    // Nothing is left of what the former owner was told.
    let calls = Calls()
    Thread {
      next.wait(0)
      calls.note()
    }.start()
    here.wakeOthers()
    calls.wait(for: 1)
  }

  @Test func manySubscribersOnManyThreads() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    try Self.commit(file)
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      for _ in 0..<50 {
        let calls = Calls()
        let subscription = file.subscribeToCommits { calls.note() }
        if number % 2 == 0 {
          try! Self.commit(file)
          // Its own commit at least.
          #expect(calls.count >= 1)
        }
        withExtendedLifetime(subscription) {}
      }
    }
  }

  /// A process that is killed after its commit, before it can tell other processes.
  @Test func theDeadTellNobody() async throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    try Self.commit(file)
    let seen = SeenVersions()
    let subscription = file.subscribeToCommits { [unowned file] in seen.note(file.newestVersion) }
    for _ in 0..<5 {
      let version = file.newestVersion
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let file = try DatabaseFile.open(path: path)
        let version = file.newestVersion
        // Subscribers of its own process are told first.
        let subscription = file.subscribeToCommits { [unowned file] in
          if file.newestVersion > version { kill(getpid(), SIGKILL) }
        }
        try CommitSignalTests.commit(file)
        withExtendedLifetime(subscription) {}
      }
      #expect(file.newestVersion == version + 1)
      seen.wait(for: version + 1)
    }
    withExtendedLifetime(subscription) {}
  }

  /// The newest version that a subscriber has seen.
  private final class SeenVersions: Sendable {
    private let condition = NSCondition()
    private let newest = Mutex<UInt64>(0)

    func note(_ version: UInt64) {
      condition.lock()
      newest.withLock { $0 = max($0, version) }
      condition.broadcast()
      condition.unlock()
    }

    /// Never returns when the version does not come.
    func wait(for version: UInt64) {
      condition.lock()
      while newest.withLock({ $0 }) < version { condition.wait() }
      condition.unlock()
    }
  }

  /// A file without a name is nobody else's, and must not leave a table behind.
  @Test func unnamedFiles() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    unlink(path)
    try Self.commit(file)
    #expect(access(path + DatabaseFile.listenersSuffix, F_OK) != 0)
  }
}
