import Foundation
import RealmSwift
import TestSupport
import Testing

/// Threads have realms of their own, and write one after the other.
@Suite struct ThreadTests {
  final class Counter: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var value: Int
    @Persisted var log: List<Int>
  }

  private static func file() throws -> ScratchRealm {
    let file = ScratchRealm([Counter.self])
    try file.write { realm in realm.create(Counter.self, value: ["c"]) }
    return file
  }

  private static func counter(_ realm: Realm) -> Counter {
    realm.object(ofType: Counter.self, forPrimaryKey: "c")!
  }

  @Test func noWriteIsLost() throws {
    let file = try Self.file()
    let (threads, writes) = (6, 40)
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      do {
        let realm = try file.open()
        for write in 0..<writes {
          try realm.write {
            let counter = Self.counter(realm)
            counter.value += 1
            counter.log.append(thread * writes + write)
          }
        }
      } catch {
        Issue.record(error)
      }
    }
    let realm = try file.open()
    realm.refresh()
    let counter = Self.counter(realm)
    #expect(counter.value == threads * writes)
    #expect(counter.log.count == threads * writes)
    // Of each thread all writes, in order.
    for thread in 0..<threads {
      let own = counter.log.filter { $0 / writes == thread }
      #expect(Array(own) == (0..<writes).map { thread * writes + $0 })
    }
  }

  @Test func writersWait() throws {
    let file = try Self.file()
    let realm = try file.open()
    let events = Mutex<[String]>([])
    let isWaiting = DispatchSemaphore(value: 0)
    let isDone = DispatchSemaphore(value: 0)
    realm.beginWrite()
    let other = Thread {
      let realm = try! file.open()
      isWaiting.signal()
      realm.beginWrite()
      events.withLock { $0.append("second") }
      Self.counter(realm).value *= 2
      try! realm.commitWrite()
      isDone.signal()
    }
    other.start()
    isWaiting.waitOrStop()
    for value in 1...100 { Self.counter(realm).value = value }
    events.withLock { $0.append("first") }
    try realm.commitWrite()
    isDone.waitOrStop()
    #expect(events.withLock { $0 } == ["first", "second"])
    realm.refresh()
    // The second one saw what the first had written.
    #expect(Self.counter(realm).value == 200)
  }

  @Test func cancelledWriteLetsOthersWrite() throws {
    let file = try Self.file()
    let realm = try file.open()
    realm.beginWrite()
    Self.counter(realm).value = 5
    realm.cancelWrite()
    try onOtherThread {
      let realm = try file.open()
      try realm.write { Self.counter(realm).value += 1 }
    }
    realm.refresh()
    #expect(Self.counter(realm).value == 1)
  }

  /// A realm shows one version until it is refreshed or writes.
  @Test func readersKeepTheirVersion() throws {
    let file = try Self.file()
    let realm = try file.open()
    let counter = Self.counter(realm)
    let all = realm.objects(Counter.self)
    #expect(counter.value == 0 && all.count == 1)
    let write = { @Sendable in
      let realm = try file.open()
      try realm.write {
        Self.counter(realm).value += 1
        realm.create(Counter.self, value: ["\(Self.counter(realm).value)"])
      }
    }
    try onOtherThread(write)
    #expect(counter.value == 0 && all.count == 1)
    #expect(realm.refresh())
    #expect(counter.value == 1 && all.count == 2)
    #expect(!realm.refresh())
    try onOtherThread(write)
    realm.beginWrite()
    #expect(counter.value == 2 && all.count == 3)
    realm.cancelWrite()
    #expect(counter.value == 2 && all.count == 3)
  }

  /// What another thread deleted is gone after the refresh, and not before.
  @Test func deletedElsewhere() throws {
    let file = try Self.file()
    let realm = try file.open()
    let counter = Self.counter(realm)
    let log = counter.log
    try onOtherThread {
      let realm = try file.open()
      try realm.write { realm.deleteAll() }
    }
    #expect(!counter.isInvalidated && counter.name == "c" && log.isEmpty)
    realm.refresh()
    #expect(counter.isInvalidated && log.isInvalidated)
    #expect(realm.isEmpty)
    #expect(counter.realm == nil)
  }

  @Test func realmsAreCachedByThread() throws {
    let file = try Self.file()
    let realm = try file.open()
    #expect(try file.open() == realm)
    nonisolated(unsafe) let here = realm
    #expect(try onOtherThread { try file.open() != here })
  }

  // MARK: What stops the program

  @Test func objectOfAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try ThreadTests.file().open()
      nonisolated(unsafe) let counter = ThreadTests.counter(realm)
      _ = try onOtherThread { counter.value }
    }
    expectStop(result, saying: "Realm accessed from incorrect thread.")
  }

  @Test func listOfAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try ThreadTests.file().open()
      nonisolated(unsafe) let log = ThreadTests.counter(realm).log
      _ = try onOtherThread { log.count }
    }
    expectStop(result, saying: "Realm accessed from incorrect thread.")
  }

  @Test func resultsOfAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try ThreadTests.file().open()
      nonisolated(unsafe) let counters = realm.objects(Counter.self)
      _ = try onOtherThread { counters.count }
    }
    expectStop(result, saying: "Realm accessed from incorrect thread.")
  }

  @Test func writeOfAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      nonisolated(unsafe) let realm = try ThreadTests.file().open()
      try onOtherThread { try realm.write {} }
    }
    expectStop(result, saying: "Realm accessed from incorrect thread.")
  }

  @Test func addToARealmOfAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      nonisolated(unsafe) let realm = try ThreadTests.file().open()
      realm.beginWrite()
      try onOtherThread { realm.add(Counter()) }
    }
    expectStop(result, saying: "Realm accessed from incorrect thread.")
  }
}
