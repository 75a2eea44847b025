/// One way of attacking the database.
///
/// The seed repeats a run: what is random in it comes from a generator that was made of the seed.
protocol AttackSuite: SendableMetatype {
  static var name: String { get }
  /// The number of rounds in `make test`, and in `make test-torture`.
  static var shortRounds: Int { get }
  static var longRounds: Int { get }

  /// Attacks, and notes in the outcomes what came of each round.
  static func run(rounds: Int, seed: UInt64, _ outcomes: Outcomes) throws

  /// What the suite runs as a process of its own, see `ChildProcess`.
  static func child(_ arguments: [String]) throws
}

extension AttackSuite {
  static func child(_ arguments: [String]) throws {
    throw UsageError(message: "The suite '\(name)' has no child process.")
  }
}

enum Suite {
  /// All of them, in the order in which they run.
  static let all: [any AttackSuite.Type] = [
    Kills.self,
    PowerCuts.self,
    FailingCalls.self,
    Mutants.self,
    Races.self,
    Leaks.self,
    Churn.self,
  ]

  static func named(_ name: String) -> (any AttackSuite.Type)? { all.first { $0.name == name } }
}
