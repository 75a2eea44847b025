import Dispatch
import Foundation
import Sync
import Synchronization
import TestSupport
import Testing

/// The real client against a real server, with everything that can go wrong between them.
@Suite(.serialized) struct SimulatorTests {
  private static let seeds = SimulatedSeeds.range(usual: 8, long: 200)

  @Test func filesConvergeWhateverIsCut() {
    let next = Mutex(Self.seeds.lowerBound)
    let take: @Sendable () -> UInt64? = {
      next.withLock { next in
        if next >= Self.seeds.upperBound { return nil }
        defer { next += 1 }
        return next
      }
    }
    let jobs = Self.seeds.count > 8 ? 2 * ProcessInfo.processInfo.activeProcessorCount : 1
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in simulate(take) }
  }

  /// Runs simulations in databases of their own, one for each choice of kinds, until there are no more seeds or one has failed.
  private func simulate(_ take: () -> UInt64?) {
    var current: UInt64?
    do {
      let server = try PostgresServer.shared()
      var databases: [[String]: SimulatedServer] = [:]
      while let seed = take() {
        current = seed
        if seed % 100 == 99 { print("simulation \(seed)") }
        let kinds = SimulatedKinds.kinds(ofSeed: seed)
        let names = kinds.map { "\(type(of: $0))" }
        let database =
          try databases[names] ?? SimulatedServer(server.settings(server.makeDatabase()), kinds: kinds)
        databases[names] = database
        try Simulation(seed: seed, server: database, kinds: kinds).run(steps: 100)
      }
    } catch {
      Issue.record("seed \(current.map { "\($0)" } ?? "?"): \(error)")
    }
  }
}
