import Dispatch
import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// What realms take from the system, which has only so much of it.
@Suite struct ResourceTests {
  final class Bucket: Object {
    @Persisted var name = ""
  }

  private static var descriptorCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? -1
  }

  private static func limitDescriptors(_ count: UInt) {
    var limit = rlimit()
    precondition(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    limit.rlim_cur = count
    precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
  }

  /// Two hundred run loops would need six hundred descriptors.
  @Test func threadsNeedNoDescriptors() async {
    await #expect(processExitsWith: .success) {
      Self.limitDescriptors(64)
      let file = ScratchRealm([Bucket.self])
      let realm = try file.open()
      try realm.write { realm.add(Bucket(value: ["name": "full"])) }
      _ = try onOtherThread { try file.open().objects(Bucket.self).count }
      let before = Self.descriptorCount
      let (ready, gate, ended) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
      )
      let count = 200
      for _ in 0..<count {
        let thread = Thread {
          do {
            let realm = try file.open()
            precondition(realm.objects(Bucket.self).count == 1)
            ready.signal()
            gate.waitOrStop()
            withExtendedLifetime(realm) {}
          } catch {
            fatalError("\(error)")
          }
          ended.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
      }
      for _ in 0..<count { ready.waitOrStop() }
      let during = Self.descriptorCount
      for _ in 0..<count { gate.signal() }
      for _ in 0..<count { ended.waitOrStop() }
      try #require(during <= before)
    }
  }

  @Test func closingGivesAllDescriptorsBack() async {
    await #expect(processExitsWith: .success) {
      @Sendable func use(_ file: ScratchRealm) throws -> Int {
        let queue = DispatchQueue(label: "resources")
        return try queue.sync {
          let realm = try Realm(configuration: file.configuration, queue: queue)
          let token = realm.objects(Bucket.self).observe { _ in }
          try realm.write { realm.add(Bucket(value: ["name": "full"])) }
          let frozen = realm.freeze()
          let reference = ThreadSafeReference(to: realm.objects(Bucket.self))
          defer { withExtendedLifetime((token, frozen, reference)) {} }
          return Self.descriptorCount
        }
      }
      // What the process needs once: for its queues, and for being told of other processes.
      let first = ScratchRealm([Bucket.self])
      let empty = Self.descriptorCount
      let withOne = try use(first)
      // For the file see above. For the process: inotify, and up to four of its queues.
      try #require(withOne - empty <= 5 + 1 + 4)
      var before = Self.descriptorCount
      for _ in 0..<200 where before > empty + 4 {
        usleep(20_000)
        before = Self.descriptorCount
      }
      let files = (0..<24).map { _ in ScratchRealm([Bucket.self]) }
      for _ in 0..<3 {
        DispatchQueue.concurrentPerform(iterations: files.count) { number in _ = try! use(files[number]) }
      }
      // The threads that wait for other processes let go of theirs a moment later.
      // The queues may have made theirs only now.
      try waitUntil { Self.descriptorCount <= max(before, empty + 4) }
    }
  }

  private static func descriptorCount(of file: ScratchRealm) -> Int {
    let path = file.configuration.fileURL!.resolvingSymlinksInPath().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.count {
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
      return target?.hasPrefix(path) ?? false
    }
  }

  /// Data, lock file and the writer lock.
  @Test func aFileTakesFewDescriptors() throws {
    let file = ScratchRealm([Bucket.self])
    let realm = try file.open()
    let expected = 3
    let reading = Self.descriptorCount(of: file)
    #expect(reading == expected)  // Opening has stored the classes.
    try realm.write { realm.add(Bucket(value: ["name": "full"])) }
    _ = try onOtherThread { try file.open().objects(Bucket.self).count }
    #expect(Self.descriptorCount(of: file) == expected)
  }

  /// A file has 2048 places for readers.
  @Test func invalidatingTakesNoReaders() throws {
    let file = ScratchRealm([Bucket.self])
    let realm = try file.open()
    try realm.write { realm.add(Bucket(value: ["name": "full"])) }
    for round in 0..<2200 {
      let bucket = realm.objects(Bucket.self)[0]
      let frozen = round % 3 == 0 ? realm.freeze() : nil
      realm.invalidate()
      try #require(bucket.isInvalidated, "round \(round)")
      withExtendedLifetime(frozen) {}
    }
    #expect(realm.objects(Bucket.self)[0].name == "full")
    #expect(try onOtherThread { try file.open().objects(Bucket.self).count } == 1)
    #expect(realm.core.file.readersOfAllProcesses.count < 16)
  }
}
