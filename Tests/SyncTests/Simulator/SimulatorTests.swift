import Storage
import Sync
import TestSupport
import Testing

/// The real client against a real server, with everything that can go wrong between them.
@Suite(.serialized) struct SimulatorTests {
  private func settings() throws -> PostgresSettings {
    let server = try PostgresServer.shared()
    return try PostgresSettings(server.connectionString(database: server.makeDatabase()))
  }

  @Test func filesConvergeWhateverIsCut() throws {
    let settings = try settings()
    let folder = ScratchFolder()
    for seed in 0..<UInt64(TestLength.count(8, long: 2000)) {
      do {
        try Simulation(seed: seed, settings: settings, folder: folder).run(steps: 100)
      } catch {
        Issue.record("seed \(seed): \(error)")
        return
      }
    }
  }

  /// A client without one of the rules is caught: a simulation that cannot fail shows nothing.
  @Test(
    .enabled(if: TestLength.isLong),
    arguments: [
      (
        "cursor as a snapshot", "pg_current_snapshot()::text",
        "format('%1$s:%1$s:', pg_snapshot_xmax(pg_current_snapshot()))"
      ),
      ("outcome of a push", "from pg_temp.\"$out\" o)", "from pg_temp.\"$out\" o where false)"),
    ]) func aClientWithoutARuleIsCaught(name: String, text: String, replacement: String) throws
  {
    let settings = try settings()
    let folder = ScratchFolder()
    for seed in 0..<UInt64(300) {
      do {
        try Simulation(seed: seed, settings: settings, folder: folder) {
          replace(text, in: $0, with: replacement)
        }.run(steps: 200)
      } catch {
        print("\(name): found by seed \(seed)")
        return
      }
    }
    Issue.record("no simulation noticed that a client lacks: \(name)")
  }

  private func replace(_ text: String, in sql: String, with replacement: String) -> String {
    guard let range = sql.firstRange(of: text) else { return sql }
    return sql.replacingCharacters(range, replacement)
  }
}

extension String {
  fileprivate func replacingCharacters(_ range: Range<String.Index>, _ replacement: String) -> String {
    String(self[..<range.lowerBound]) + replacement + String(self[range.upperBound...])
  }
}
