import Foundation
import TestSupport

/// Damaged files: verified, salvaged, opened, some of them migrated, read through, written to and opened again. Each must give
/// an error, or end the program with words that say which file is damaged, or do no harm. Data that silently differ are a fault,
/// unless they are an older version, and the disk was not known to have replaced it or nothing leads to the newest one. To verify and to salvage ends in every case, and a file that cannot be read is never called sound.
enum Mutants: AttackSuite {
  static let name = "mutants"
  static let shortRounds = 60
  static let longRounds = 10_000

  static func run(rounds: Int, seed: UInt64, _ outcomes: Outcomes) throws {
    let folder = ScratchFolder()
    // Two chunks of each column, or more.
    let dogCount = rounds < 1_000 ? 1_000 : 2_100
    for base in MutantBase.allCases {
      let maker = try ChildProcess(Self.self, ["make", base.rawValue, folder.url.path, "\(dogCount)"])
      guard maker.finish(within: 120).end == .exit(0) else {
        return outcomes.fault("the base file '\(base)' can not be made: \(maker.errorText)")
      }
    }
    let workerCount = rounds < 1_000 ? 1 : 2
    let workers = try (0..<workerCount).map { number in
      let first = rounds * number / workerCount
      return try ChildProcess(
        Self.self,
        [
          "work", folder.url.path, "\(number)", "\(seed)", "\(first)",
          "\(rounds * (number + 1) / workerCount)", rounds < 1_000 ? "some" : "all",
        ])
    }
    var done = 0
    for worker in workers {
      while let line = worker.nextLine() {
        done += 1
        if line.hasPrefix("fault ") {
          outcomes.fault(String(line.dropFirst(6)))
        } else {
          for outcome in line.split(separator: "|") { outcomes.note(String(outcome)) }
        }
      }
      let end = worker.finish().end
      if end != .exit(0) { outcomes.fault("a worker has ended: \(end), \(worker.errorText)") }
    }
    if done != rounds { outcomes.fault("only \(done) of \(rounds) mutants were tried") }
  }

  static func child(_ arguments: [String]) throws {
    switch (arguments.first, arguments.count) {
    case ("make", 4):
      guard let base = MutantBase(rawValue: arguments[1]), let dogCount = Int(arguments[3]) else {
        throw UsageError(message: "no such base")
      }
      let path = MutantWorker.path(of: base, in: arguments[2])
      try base.make(path: path, olderPath: path + ".older", dogCount: dogCount)
    case ("work", 7):
      guard let seed = UInt64(arguments[3]), let first = Int(arguments[4]), let end = Int(arguments[5]) else {
        throw UsageError(message: "no numbers")
      }
      let worker = try MutantWorker(folder: arguments[1], name: arguments[2])
      for round in first..<end {
        // Which takes longer than all else.
        let isInspected = arguments[6] == "all" || round % 4 == 0
        let outcomes = try worker.run(round: round, seed: seed, isInspected: isInspected)
        say(outcomes.joined(separator: "|"))
      }
    case ("meet", 3): MutantWorker.meet(arguments[1], migrates: arguments[2] == "migrating")
    case ("inspect", 2): MutantInspection.live(arguments[1])
    default:
      throw UsageError(
        message:
          "make <base> <folder> <dogs>, or work <folder> <name> <seed> <first> <end> <all or some>, or meet <path> <how>, or inspect <path>"
      )
    }
  }

  private static func say(_ line: String) { ChildProcess.say(line) }
}
