import Foundation
import ProcessTestModels
import TestSupport

/// Opening, writing, observing, freezing, handing over and closing, over and over: descriptors, threads and memory
/// stay what they are after the first rounds.
enum Leaks: AttackSuite {
  static let name = "leaks"
  static let shortRounds = 2_000
  static let longRounds = 200_000

  /// These fill what is filled once: caches, the allocator's blocks, the pools of threads. On a busy machine that takes
  /// several hundred rounds; the allocator's blocks grow over ten thousands, while what is in use does not.
  private static func warmUp(_ rounds: Int) -> Int { max(1_000, rounds / 10) }

  /// What may be there more at the end than after the first rounds.
  private static let descriptorAllowance = 0
  /// Those of the queues come and go.
  private static let threadAllowance = 16
  /// In KiB: a byte for each round and what the allocator's blocks need.
  private static func memoryAllowance(_ rounds: Int) -> Int { 4_096 + rounds / 1_024 }

  static func run(rounds: Int, seed: UInt64, _ outcomes: Outcomes) throws {
    if rounds == 0 { return }
    let folder = ScratchFolder()
    // A process of its own starts with little. With one arena of the allocator it does not depend on the scheduling of
    // threads how much lies free in others.
    let child = try ChildProcess(
      Leaks.self, ["\(seed)", "\(rounds)", folder.url.path], environment: ["MALLOC_ARENA_MAX": "1"])
    var measures: [ProcessMeasure] = []
    var faults: [String] = []
    while let line = child.nextLine() {
      if let measure = ProcessMeasure(line) { measures.append(measure) } else { faults.append(line) }
    }
    let (end, _) = child.finish(within: 60)
    for fault in faults { outcomes.fault("seed \(seed): \(fault)") }
    guard end == .exit(0), let first = measures.first, let last = measures.last, measures.count > 1 else {
      return outcomes.fault("seed \(seed): \(end): \(child.errorText.suffix(400))")
    }
    func compare(_ what: String, _ value: KeyPath<ProcessMeasure, Int>, allowance: Int) {
      let (before, after) = (first[keyPath: value], last[keyPath: value])
      if after > before + allowance {
        let course = measures.map { "\($0[keyPath: value])" }.joined(separator: ", ")
        outcomes.fault("seed \(seed): \(what) grew from \(before) to \(after) (\(course))")
      }
      outcomes.note("\(what): from \(before) to \(after)")
    }
    compare("descriptors", \.descriptors, allowance: descriptorAllowance)
    compare("threads", \.threads, allowance: threadAllowance)
    compare("KiB", \.memory, allowance: memoryAllowance(rounds))
  }

  /// - Parameter arguments: Seed, number of rounds and folder.
  static func child(_ arguments: [String]) throws {
    guard arguments.count == 3, let seed = UInt64(arguments[0]), let rounds = Int(arguments[1]) else {
      throw UsageError(message: "A child of '\(name)' needs a seed, a number of rounds and a folder.")
    }
    let loop = try LeakLoop(folder: arguments[2], seed: seed)
    let (step, warmUp) = (max(rounds / 10, 1), warmUp(rounds))
    var first: ProcessMeasure?
    for round in 1...warmUp + rounds {
      try loop.run(round)
      guard round >= warmUp, (round - warmUp) % step == 0 else { continue }
      try loop.close()
      let measure = ProcessMeasure.settled(below: first)
      first = first ?? measure
      ChildProcess.say(measure)
    }
  }
}
