/// To come.
enum PowerCuts: AttackSuite {
  static let name = "powercuts"
  static let shortRounds = 0
  static let longRounds = 0

  static func run(rounds: Int, seed: UInt64, _ outcomes: Outcomes) throws {}
}
