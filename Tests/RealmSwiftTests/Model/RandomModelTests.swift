import Foundation
import RealmSwift
import TestSupport
import Testing

/// Random transactions on a realm, compared with plain values after each.
@Suite struct RandomModelTests {
  /// The same ones every time, and a new one; or those in the environment, to repeat a run: MODEL_SEEDS="12 34".
  static let seeds: [UInt64] =
    ProcessInfo.processInfo.environment["MODEL_SEEDS"].map {
      $0.split(separator: " ").compactMap { UInt64($0) }
    }
    ?? TestLength.seeds([1, 2, 3], short: 1) + [UInt64.random(in: 0...UInt64.max)]

  @Test(arguments: seeds)
  func randomTransactions(_ seed: UInt64) throws {
    print("randomTransactions seed \(seed)")
    try runTransactions(seed, ScratchRealm(modelClasses))
  }

  @Test(arguments: seeds.suffix(1))
  func randomTransactionsOnAnEncryptedFile(_ seed: UInt64) throws {
    print("randomTransactionsOnAnEncryptedFile seed \(seed)")
    try runTransactions(seed, ScratchRealm(modelClasses, encryptionKey: Data(0..<64)))
  }

  private func runTransactions(_ seed: UInt64, _ file: ScratchRealm) throws {
    let run = try ModelRun(configuration: file.configuration, seed: seed)
    for step in 0..<120 {
      do {
        try run.transaction()
        switch run.values.roll(12) {
        case 0: try run.reopen()
        case 1: try checkOnOtherThread(run)
        default: break
        }
      } catch let difference as ModelRun.Difference {
        Issue.record("seed \(seed), transaction \(step): \(difference)")
        return
      }
    }
  }

  private func checkOnOtherThread(_ run: ModelRun) throws {
    let (configuration, state) = (run.configuration, run.state)
    let difference = try onOtherThread {
      try state.difference(from: Realm(configuration: configuration))
    }
    if let difference { throw ModelRun.Difference(description: "on another thread: \(difference)") }
  }

  /// Another thread reads all the time; whatever version it sees, it sees all of it.
  @Test(arguments: seeds.suffix(TestLength.count(1, long: 2)))
  func randomTransactionsWithReader(_ seed: UInt64) throws {
    print("randomTransactionsWithReader seed \(seed)")
    let file = ScratchRealm(modelClasses)
    nonisolated(unsafe) let run = try ModelRun(configuration: file.configuration, seed: seed)
    let configuration = file.configuration
    let isDone = Flag()
    nonisolated(unsafe) var outcome: (difference: String?, versions: Int) = (nil, 0)
    let hasBegun = DispatchSemaphore(value: 0)
    let finished = DispatchSemaphore(value: 0)
    let reader = Thread {
      defer {
        hasBegun.signal()
        finished.signal()
      }
      do {
        let realm = try Realm(configuration: configuration)
        var versions: Set<Int> = []
        var isLast = false
        repeat {
          // What was written last is looked at in any case.
          isLast = isDone.isSet
          realm.refresh()
          let commits = realm.object(ofType: ModelClock.self, forPrimaryKey: "clock")?.commits ?? 0
          // The writer may be far ahead by now, and have forgotten this one.
          guard let expected = run.history.withLock({ $0[commits] }) else { continue }
          versions.insert(commits)
          hasBegun.signal()
          if let difference = expected.difference(from: realm) {
            outcome.difference = "version \(commits): \(difference)"
            break
          }
        } while !isLast
        outcome.versions = versions.count
      } catch {
        outcome.difference = "\(error)"
      }
    }
    reader.start()
    hasBegun.waitOrStop()
    do {
      for _ in 0..<60 { try run.transaction() }
    } catch {
      Issue.record("seed \(seed): \(error)")
    }
    isDone.set()
    finished.waitOrStop()
    #expect(outcome.difference == nil, "seed \(seed)")
    #expect(outcome.versions > 1)
  }
}

/// Something that one thread tells another.
private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
