/// To come.
enum FailingCalls: AttackSuite {
  static let name = "failures"
  static let shortRounds = 0
  static let longRounds = 0

  static func run(rounds: Int, seed: UInt64, _ outcomes: Outcomes) throws {}
}
