import Sync
import TestSupport
import Testing

/// The rule that a file has exactly what its role sees and its subscriptions select, whatever happens on the way.
@Suite(.serialized) struct SubscriptionSimulatorTests {
  private let server: SubscribedServer

  init() throws { server = try SubscribedServer() }

  private func run(_ seed: UInt64, steps: Int, change: @escaping (String) -> String = { $0 }) throws {
    try SubscriptionSimulation(seed: seed, server: server, change: change).run(steps: steps)
  }

  @Test func filesFollowSubscriptionsAndRolesWhateverIsCut() throws {
    for seed in SimulatedSeeds.range(usual: 3, long: 1000, share: 40) {
      do {
        try run(seed, steps: 150)
      } catch {
        Issue.record("seed \(seed): \(error)")
        return
      }
    }
  }

  /// A client without one of the rules is caught: a simulation that cannot fail shows nothing.
  @Test(arguments: [
    (
      "departures", "t._died from \"app\".\"Dog$gone\" t where ",
      "t._died from \"app\".\"Dog$gone\" t where false and "
    ),
    ("filters of rows", " and (t.\"color\"", " or (t.\"color\""),
    ("outcome of a push", "from pg_temp.\"$out\" o)", "from pg_temp.\"$out\" o where false)"),
  ]) func aClientWithoutARuleIsCaught(name: String, text: String, replacement: String) throws {
    for seed in 0..<UInt64(30) {
      do {
        try run(seed, steps: 150) { $0.replacing(text, with: replacement) }
      } catch {
        print("\(name): found by seed \(seed)")
        return
      }
    }
    Issue.record("no simulation noticed that a client lacks: \(name)")
  }
}
