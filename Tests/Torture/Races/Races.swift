import Foundation
import TestSupport

/// Twelve threads that open, freeze, thaw, hand over, observe, write, invalidate and release realms of the same files.
///
/// A round is a process of its own, as what goes wrong here ends the process.
enum Races: AttackSuite {
  static let name = "races"
  static let shortRounds = 2
  static let longRounds = 200

  static func run(rounds: Int, seed: UInt64, _ outcomes: Outcomes) throws {
    for round in 0..<rounds {
      let folder = ScratchFolder()
      let seed = seed &+ UInt64(round)
      let child = try ChildProcess(Races.self, ["\(seed)", folder.url.path])
      let (end, lines) = child.finish(within: 120)
      guard end == .exit(0), lines.last == "done" else {
        outcomes.fault(
          "round \(round), seed \(seed): \(end) after \(lines.last ?? "nothing"): \(child.errorText.suffix(400))"
        )
        continue
      }
      for line in lines.dropLast() { outcomes.fault("round \(round), seed \(seed): \(line)") }
      outcomes.note(lines.count == 1 ? "unharmed" : "wrong")
    }
  }

  private static let threadCount = 12
  private static let stormCount = 2000
  private static let actionCount = 400

  /// - Parameter arguments: Seed and folder.
  static func child(_ arguments: [String]) throws {
    guard arguments.count == 2, let seed = UInt64(arguments[0]) else {
      throw UsageError(message: "A child of '\(name)' needs a seed and a folder.")
    }
    let arena = try RaceArena(folder: arguments[1])
    let running = DispatchGroup()
    for number in 0..<threadCount {
      running.enter()
      let thread = Thread {
        // What the racer holds is let go of on its thread.
        do {
          var racer = Racer(arena, number: number, seed: seed)
          for _ in 0..<stormCount { racer.openAndRelease() }
          for _ in 0..<actionCount { racer.act() }
        }
        running.leave()
      }
      thread.stackSize = 1 << 20
      thread.start()
    }
    running.wait()
    arena.close()
    ChildProcess.say("done")
  }
}
