import Dispatch
import Foundation
import RealmSwift
import Synchronization
import TestSupport
import Testing

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
  private static let accountCount = 20
  private static let transfersEach = 500

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

  private static func sum(in realm: Realm) -> Int { realm.objects(SoakAccount.self).sum(of: \.balance) }

  @Test func eightThreads() throws {
    let seed: UInt64 = 8
    print("seed \(seed)")
    let file = ScratchRealm([SoakAccount.self, SoakLedger.self])
    let configuration = file.configuration
    try file.write { realm in
      for id in 0..<Self.accountCount { realm.add(SoakAccount(value: ["id": id])) }
      realm.add(SoakLedger())
    }
    let done = DispatchGroup()
    let writing = Atomic(5)
    let failures = Mutex<[String]>([])
    // Three threads write and wait for the disk or not, as they come.
    for number in 0..<3 {
      done.enter()
      Thread.detachNewThread {
        var random = SeededGenerator(seed: seed + UInt64(number))
        let realm = try! Realm(configuration: configuration, queue: nil)
        for step in 0..<Self.transfersEach {
          if step % 10 == 9 {
            realm.beginWrite()
            Self.transfer(in: realm, &random)
            realm.cancelWrite()
          }
          try! realm.write { Self.transfer(in: realm, &random) }
        }
        writing.subtract(1, ordering: .relaxed)
        done.leave()
      }
    }
    // Two queues write asynchronously, sharing the disk's time.
    for number in 0..<2 {
      done.enter()
      let queue = DispatchQueue(label: "soak \(number)")
      queue.async {
        nonisolated(unsafe) var random = SeededGenerator(seed: seed + 10 + UInt64(number))
        let realm = try! Realm(configuration: configuration, queue: queue)
        nonisolated(unsafe) var left = Self.transfersEach
        for _ in 0..<Self.transfersEach {
          realm.beginAsyncWrite {
            Self.transfer(in: realm, &random)
            realm.commitAsyncWrite(allowGrouping: true) { error in
              if let error { failures.withLock { $0.append("\(error)") } }
              left -= 1
              if left == 0 {
                writing.subtract(1, ordering: .relaxed)
                done.leave()
              }
            }
          }
        }
      }
    }
    // Two threads read live and frozen realms, one observes.
    for _ in 0..<2 {
      done.enter()
      Thread.detachNewThread {
        let realm = try! Realm(configuration: configuration, queue: nil)
        var last = 0
        while writing.load(ordering: .relaxed) > 0 {
          realm.refresh()
          let count = realm.object(ofType: SoakLedger.self, forPrimaryKey: 0)!.transfers
          if Self.sum(in: realm) != 0 || Self.sum(in: realm.freeze()) != 0 || count < last {
            failures.withLock { $0.append("half a transaction at \(count) after \(last)") }
            break
          }
          last = count
        }
        done.leave()
      }
    }
    let watching = DispatchQueue(label: "soak observer")
    nonisolated(unsafe) var token: NotificationToken?
    let seen = Mutex(0)
    try watching.sync {
      let realm = try Realm(configuration: configuration, queue: watching)
      token = realm.objects(SoakAccount.self).observe { change in
        if case .update(let accounts, _, _, _) = change, accounts.sum(of: \.balance) != 0 {
          failures.withLock { $0.append("the observer saw half a transaction") }
        }
        seen.withLock { $0 += 1 }
      }
    }
    done.wait()
    #expect(token?.invalidate() == true)
    watching.sync { token = nil }
    #expect(failures.withLock { $0 } == [])
    #expect(seen.withLock { $0 } > 0)
    let realm = try Realm(configuration: configuration)
    #expect(realm.object(ofType: SoakLedger.self, forPrimaryKey: 0)!.transfers == 5 * Self.transfersEach)
    #expect(Self.sum(in: realm) == 0)
  }
}
