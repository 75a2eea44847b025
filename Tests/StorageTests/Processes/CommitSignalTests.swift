import Foundation
import Pages
import TestSupport
import Testing

@testable import Storage

@Suite struct CommitSignalTests {
  static func commit(_ file: DatabaseFile) throws {
    let snapshot = try Snapshot(file: file)
    try Writer(snapshot).begin()
    if snapshot.catalogue.tables.isEmpty {
      Writer(snapshot).setCatalogue(
        Catalogue(tables: [TableDescription(name: "Thing", columns: [Column(name: "a", type: .int)])]))
    }
    _ = snapshot.table(0).insertRow()
    try Writer(snapshot).commit(durability: .relaxed)
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
    // The listener's own look for earlier commits, which it takes once: a subscriber that is there later may not hear of it.
    first.wait(for: 1)
    var secondSubscription: CommitSubscription? = file.subscribeToCommits { second.note() }
    try Self.commit(file)
    #expect(seen.withLock { $0.last } == file.newestVersion)
    #expect(first.count == 2 && second.count == 1)
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
    try Writer(snapshot).begin()
    _ = snapshot.table(0).insertRow()
    Writer(snapshot).cancel()
    try Writer(snapshot).begin()
    try Writer(snapshot).commit()
    #expect(calls.count == 1)
    withExtendedLifetime(subscription) {}
  }

  /// Two tables of one file are as strange to each other as those of two processes.
  @Test func tablesWakeEachOther() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let here = try Self.table(path)
    let there = try Self.table(path)
    // Nobody listens yet.
    let before = there.announcement
    here.wakeOthers()
    #expect(there.announcement == before)
    #expect(there.claim() == 0)
    let calls = Calls()
    let thread = Thread {
      var last = before
      for _ in 0..<100 {
        while there.announcement == last { _ = there.wait(after: last) }
        last = there.announcement
        calls.note()
      }
    }
    thread.start()
    for number in 1...100 {
      here.wakeOthers()
      calls.wait(for: number)
    }
    // A process does not wake itself.
    let last = there.announcement
    there.wakeOthers()
    #expect(there.announcement == last)
  }

  /// A table of a file of its own open file.
  private static func table(_ path: String) throws -> ListenerTable {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    try #require(descriptor >= 0)
    if FileManager.default.contents(atPath: path)?.isEmpty ?? true { ftruncate(descriptor, 8192) }
    return try #require(ListenerTable(WriteLock(OwnedDescriptor(descriptor), path: path)))
  }

  @Test func slotsAreTakenOnceAndGivenBack() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let tables = try (0..<5).map { _ in try Self.table(path) }
    #expect(tables.map { $0.claim() } == [0, 1, 2, 3, 4])
    #expect(tables[1].claim() == 5)
    tables[2].release(2)
    tables[1].release(1)
    #expect(tables[4].claim() == 1)
    // One that is gone gives its slot back: all of them have to be there until the end.
    withExtendedLifetime(tables) { #expect(tables[0].claim() == 2) }
  }

  /// A slot whose owner is gone without giving it back, as a killed process is.
  @Test func slotsOfTheDead() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let here = try Self.table(path)
    var there: ListenerTable? = try Self.table(path)
    #expect(there?.claim() == 0)
    there = nil
    let before = here.announcement
    here.wakeOthers()
    // Found out with the first one.
    let last = here.announcement
    #expect(last != before)
    for _ in 0..<200 { here.wakeOthers() }
    #expect(here.announcement == last)
    let next = try Self.table(path)
    #expect(next.claim() == 0)
    let announcement = next.announcement
    here.wakeOthers()
    #expect(next.announcement != announcement)
  }

  /// Whatever stands where the table is, commits and listening go on, and nothing stops or waits.
  @Test(arguments: [0x00, 0x01, 0x7F, 0xFF] as [UInt8])
  func damagedTables(byte: UInt8) throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    try Self.commit(file)
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    let garbage = [UInt8](repeating: byte, count: 2048)
    let calls = Calls()
    let subscription = file.subscribeToCommits { calls.note() }
    calls.wait(for: 1)
    for number in 1...70 {
      #expect(pwrite(descriptor, garbage, garbage.count, 2048) == garbage.count)
      try Self.commit(file)
      #expect(calls.count > number)
    }
    withExtendedLifetime(subscription) {}
    #expect(try Snapshot(file: file).liveCount(table: 0) == 71)
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

    /// Stops the program when the version does not come.
    func wait(for version: UInt64) {
      condition.lock()
      let limit = Date(timeIntervalSinceNow: 600)
      while newest.withLock({ $0 }) < version { precondition(condition.wait(until: limit)) }
      condition.unlock()
    }
  }

  /// Nobody else can listen to a file without a name, and no thread waits for them.
  @Test func unnamedFiles() throws {
    let file = try DatabaseFile.openUnnamed(in: NSTemporaryDirectory())
    let calls = Calls()
    let subscription = file.subscribeToCommits { calls.note() }
    calls.wait(for: 1)
    try Self.commit(file)
    #expect(calls.count == 2)
    withExtendedLifetime(subscription) {}
  }
}
