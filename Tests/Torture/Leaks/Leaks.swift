/// To come.
enum Leaks: AttackSuite {
  static let name = "leaks"
  static let shortRounds = 0
  static let longRounds = 0

  static func run(rounds: Int, seed: UInt64, _ outcomes: Outcomes) throws {}
}
