import Foundation
import PagesTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Pages

/// Threads touch what other threads release, while memory is evicted all the time.
@Suite struct DecryptedMemoryThreadTests {
  private let folder = ScratchFolder()

  /// What several threads do at once, and what of it has failed.
  private final class Attempts: Sendable {
    let isOver = Atomic<Bool>(false)
    private let failures = Mutex<[String]>([])

    var all: [String] { failures.withLock(\.self) }

    func attempt(_ body: () throws -> Void) {
      do { try body() } catch { failures.withLock { $0.append("\(error)") } }
    }

    var isOn: Bool { !isOver.load(ordering: .sequentiallyConsistent) && failures.withLock(\.isEmpty) }
    func end() { isOver.store(true, ordering: .sequentiallyConsistent) }
  }

  private static let keyCount = 120

  /// A value says its key in its stamp, and how it was made in its size.
  private static func set(_ store: PageStore, _ numbers: some Sequence<Int>, _ stamp: Int) throws {
    let transaction = try PageTransaction(store)
    for number in numbers {
      let value = TestValue(stamp: UInt32(number), size: 200 + (stamp &* 7919 &+ number &* 131) % 9000)
      try key(number).withUnsafeBytes { value.write(try transaction.reserve($0, value.size)) }
    }
    try transaction.commit(.relaxed)
  }

  private static func isSound(_ number: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    TestValue(stamp: UInt32(number), size: bytes.count).matches(bytes)
  }

  /// Reads, and looks again at what it has found.
  private static func read(
    _ version: PageVersion, _ random: inout SeededGenerator, releases: Bool
  ) throws {
    var found: [(Int, UnsafeRawBufferPointer)] = []
    for _ in 0..<30 {
      let number = Int.random(in: 0..<keyCount, using: &random)
      let bytes = try key(number).withUnsafeBytes { try version.value($0) }
      guard let bytes, isSound(number, bytes) else { throw WrongContents("the value of \(number)") }
      found.append((number, bytes))
      if releases, Int.random(in: 0..<10, using: &random) == 0 {
        version.releaseDecrypted(beyond: 0)
        found = []
      }
      for (number, bytes) in found where !isSound(number, bytes) {
        throw WrongContents("the value of \(number) that was found before")
      }
    }
  }

  @Test(arguments: [0, 60_000]) func noThreadReadsWhatWasEvicted(decryptedLimit: Int) throws {
    let path = folder.path("threads-\(decryptedLimit)-sealed.pages")
    let store = try PageStore(
      path: path,
      options: .init(mapLimit: 1 << 28, key: encryptionKey(path), decryptedLimit: decryptedLimit))
    try Self.set(store, 0..<Self.keyCount, 0)
    let shared = try PageVersion(store)
    let attempts = Attempts()
    let seed = UInt64.random(in: 0..<1 << 32)
    print("seed \(seed)")
    DispatchQueue.concurrentPerform(iterations: 6) { thread in
      var random = SeededGenerator(seed: seed &+ UInt64(thread))
      switch thread {
      case 0:
        for round in 1...TestLength.count(2000, long: 100_000) where attempts.isOn {
          let first = Int.random(in: 0..<Self.keyCount - 3, using: &random)
          attempts.attempt { try Self.set(store, first..<first + 3, round) }
        }
        attempts.end()
      case 1, 2:
        while attempts.isOn { attempts.attempt { try Self.read(shared, &random, releases: false) } }
      case 3:
        // Moves from version to version.
        attempts.attempt {
          var version = try PageVersion(store)
          while attempts.isOn {
            try Self.read(version, &random, releases: true)
            let next = try PageVersion(store)
            version.release(movingTo: next)
            version = next
          }
          version.release()
        }
      default:
        while attempts.isOn {
          attempts.attempt { try PageVersion.with(store) { try Self.read($0, &random, releases: true) } }
        }
      }
    }
    #expect(attempts.all == [])
    shared.release()
    try store.close()
  }

  /// Extents across blocks, each of which threads pin, release and evict at any moment, with nothing else to do.
  @Test func blocksArePinnedAndReleasedAtOnce() throws {
    let path = folder.path("blocks-sealed.pages")
    let store = try PageStore(
      path: path, options: .init(mapLimit: 1 << 28, key: encryptionKey(path), decryptedLimit: 0))
    try Self.set(store, 0..<8, 1)
    let attempts = Attempts()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<TestLength.count(15_000, long: 500_000) where attempts.isOn {
        attempts.attempt {
          try PageVersion.with(store) { version in
            for number in [(round + thread) % 8, round % 8] {
              let bytes = try key(number).withUnsafeBytes { try version.value($0) }
              guard let bytes, Self.isSound(number, bytes) else {
                throw WrongContents("the value of \(number)")
              }
            }
          }
        }
      }
    }
    #expect(attempts.all == [])
    try store.close()
  }

  /// A child may begin at any moment of an eviction, which never ends in it.
  @Test func aChildOfForkWaitsForNoThreadOfItsParent() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let folder = ScratchFolder()
      let path = folder.path("fork-sealed.pages")
      let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)
      let store = try PageStore(
        path: path, options: .init(mapLimit: 1 << 28, key: encryptionKey(path), decryptedLimit: 0))
      try Self.set(store, 0..<8, 1)
      let keys = (0..<8).map(key)
      /// Whether all values are there that can be read.
      @Sendable func isSound(_ version: PageVersion, _ numbers: Range<Int>) -> Bool {
        numbers.allSatisfy { number in
          do {
            let bytes = try keys[number].withUnsafeBytes { try version.value($0) }
            return bytes.map { Self.isSound(number, $0) } ?? false
          } catch { return error as? PageError == .forked }
        }
      }
      let version = try PageVersion(store)
      if !isSound(version, 0..<4) { _exit(2) }
      let attempts = Attempts()
      for _ in 0..<2 {
        Thread.detachNewThread {
          while attempts.isOn {
            attempts.attempt {
              try PageVersion.with(store) {
                if !isSound($0, 0..<8) { throw WrongContents("a value") }
              }
            }
          }
        }
      }
      for _ in 0..<TestLength.count(100, long: 3000) {
        let child = fork()
        if child == 0 {
          var signals = sigset_t()
          sigemptyset(&signals)
          pthread_sigmask(SIG_SETMASK, &signals, nil)
          signal(SIGALRM, SIG_DFL)
          alarm(20)
          _exit(isSound(version, 0..<8) ? 0 : 3)
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        if status != 0 { _exit(status > 255 ? status >> 8 : 4) }
      }
      _exit(attempts.all.isEmpty ? 0 : 5)
    }
  }
}
