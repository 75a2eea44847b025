/// To come.
enum Mutants: AttackSuite {
  static let name = "mutants"
  static let shortRounds = 0
  static let longRounds = 0

  static func run(rounds: Int, seed: UInt64, _ outcomes: Outcomes) throws {}
}
