import Foundation

/// A run of several suites, which ends with a table of what came of them.
struct Campaign {
  private var suites: [any AttackSuite.Type] = []
  private var rounds: Int?
  private var seed = UInt64.random(in: 1...UInt64.max)
  private var isShort = false

  /// - Throws: `UsageError` for arguments that say nothing.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--short": isShort = true
      case "--rounds": rounds = try Self.number(&rest, of: argument)
      case "--seed": seed = try Self.number(&rest, of: argument)
      default:
        guard let suite = Suite.named(argument) else {
          throw UsageError(
            message:
              "There is no suite '\(argument)', only \(Suite.all.map { $0.name }.joined(separator: ", ")).")
        }
        suites.append(suite)
      }
    }
    if suites.isEmpty { suites = Suite.all }
  }

  private static func number<Number: FixedWidthInteger>(
    _ rest: inout ArraySlice<String>, of option: String
  ) throws -> Number {
    guard let word = rest.popFirst(), let number = Number(word) else {
      throw UsageError(message: "\(option) needs a number.")
    }
    return number
  }

  /// Returns whether no suite found a fault.
  func run() throws -> Bool {
    var rows: [String] = []
    var isSound = true
    for suite in suites {
      let rounds = rounds ?? (isShort ? suite.shortRounds : suite.longRounds)
      let number = rounds == .max ? "all" : "\(rounds)"
      print("\(suite.name): \(number) rounds, seed \(seed)")
      fflush(nil)
      let start = Date()
      let outcomes = Outcomes()
      try suite.run(rounds: rounds, seed: seed, outcomes)
      let seconds = Int(Date().timeIntervalSince(start).rounded())
      rows.append(
        "| \(suite.name) | \(number) | \(seed) | \(outcomes.summary) | \(outcomes.faultCount) | \(seconds) s |"
      )
      if outcomes.faultCount > 0 { isSound = false }
    }
    print("\n| suite | rounds | seed | outcomes | faults | time |\n| --- | --- | --- | --- | --- | --- |")
    for row in rows { print(row) }
    return isSound
  }
}

/// Arguments that say nothing.
struct UsageError: Error {
  let message: String
}
