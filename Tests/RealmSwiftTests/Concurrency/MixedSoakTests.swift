import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

import struct Synchronization.Atomic

class SoakAccount: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var balance = 0
}

class SoakLedger: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var transfers = 0
}

/// Eight threads that read and write one file in every way at once: nothing is lost, and nobody ever sees half of a
/// transaction.
@Suite struct MixedSoakTests {
  @Test func eightThreads() throws {
    let seed: UInt64 = 8
    print("seed \(seed)")
    let soak = try Soak()
    // Three threads write and wait for the disk or not, as they come.
    for number in 0..<3 { soak.write(SeededGenerator(seed: seed + UInt64(number))) }
    // Two queues write asynchronously, sharing the disk's time.
    for number in 0..<2 { soak.writeAsynchronously(SeededGenerator(seed: seed + 10 + UInt64(number))) }
    // Two threads read live and frozen realms, one observes.
    for _ in 0..<2 { soak.read() }
    let watching = DispatchQueue(label: "soak observer")
    nonisolated(unsafe) var token: NotificationToken?
    try watching.sync { token = try soak.observe(on: watching) }
    soak.done.wait()
    #expect(token?.invalidate() == true)
    watching.sync { token = nil }
    #expect(soak.failures.withLock { $0 } == [])
    #expect(soak.seen.withLock { $0 } > 0)
    let realm = try Realm(configuration: soak.configuration)
    #expect(realm.object(ofType: SoakLedger.self, forPrimaryKey: 0)!.transfers == 5 * Soak.transfersEach)
    #expect(Soak.sum(in: realm) == 0)
  }
}

/// Accounts whose sum is always zero, and what the threads that use them have seen.
private final class Soak: Sendable {
  static let transfersEach = 500
  private static let accountCount = 20

  private let file = ScratchRealm([SoakAccount.self, SoakLedger.self])
  let done = DispatchGroup()
  private let writing = Atomic(5)
  let failures = Mutex<[String]>([])
  /// How often the observer was told.
  let seen = Mutex(0)

  init() throws {
    try file.write { realm in
      for id in 0..<Self.accountCount { realm.add(SoakAccount(value: ["id": id])) }
      realm.add(SoakLedger())
    }
  }

  var configuration: Realm.Configuration { file.configuration }

  static func sum(in realm: Realm) -> Int { realm.objects(SoakAccount.self).sum(of: \.balance) }

  /// Moves an amount between two accounts, and counts it.
  private static func transfer(in realm: Realm, _ random: inout SeededGenerator) {
    let from = realm.object(
      ofType: SoakAccount.self, forPrimaryKey: Int.random(in: 0..<accountCount, using: &random))!
    let to = realm.object(
      ofType: SoakAccount.self, forPrimaryKey: Int.random(in: 0..<accountCount, using: &random))!
    let amount = Int.random(in: 1...9, using: &random)
    from.balance -= amount
    to.balance += amount
    realm.object(ofType: SoakLedger.self, forPrimaryKey: 0)!.transfers += 1
  }

  private func fail(_ message: String) { failures.withLock { $0.append(message) } }

  private func finishWriting() {
    writing.subtract(1, ordering: .relaxed)
    done.leave()
  }

  func write(_ random: SeededGenerator) {
    done.enter()
    Thread.detachNewThread { [self] in
      var random = random
      let realm = try! Realm(configuration: configuration, queue: nil)
      for step in 0..<Self.transfersEach {
        if step % 10 == 9 {
          realm.beginWrite()
          Self.transfer(in: realm, &random)
          realm.cancelWrite()
        }
        try! realm.write { Self.transfer(in: realm, &random) }
      }
      finishWriting()
    }
  }

  func writeAsynchronously(_ random: SeededGenerator) {
    done.enter()
    let queue = DispatchQueue(label: "soak")
    queue.async { [self] in
      nonisolated(unsafe) var random = random
      let realm = try! Realm(configuration: configuration, queue: queue)
      nonisolated(unsafe) var left = Self.transfersEach
      for _ in 0..<Self.transfersEach {
        realm.beginAsyncWrite {
          Self.transfer(in: realm, &random)
          realm.commitAsyncWrite(allowGrouping: true) { error in
            if let error { self.fail("\(error)") }
            left -= 1
            if left == 0 { self.finishWriting() }
          }
        }
      }
    }
  }

  /// Until all have written.
  func read() {
    done.enter()
    Thread.detachNewThread { [self] in
      let realm = try! Realm(configuration: configuration, queue: nil)
      var last = 0
      while writing.load(ordering: .relaxed) > 0 {
        realm.refresh()
        let count = realm.object(ofType: SoakLedger.self, forPrimaryKey: 0)!.transfers
        if Self.sum(in: realm) != 0 || Self.sum(in: realm.freeze()) != 0 || count < last {
          fail("half a transaction at \(count) after \(last)")
          break
        }
        last = count
      }
      done.leave()
    }
  }

  func observe(on queue: DispatchQueue) throws -> NotificationToken {
    let realm = try Realm(configuration: configuration, queue: queue)
    return realm.objects(SoakAccount.self).observe { [self] change in
      if case .update(let accounts, _, _, _) = change, accounts.sum(of: \.balance) != 0 {
        fail("the observer saw half a transaction")
      }
      seen.withLock { $0 += 1 }
    }
  }
}
