import Foundation
import ProcessTestModels
import TestSupport

/// Cuts the power while processes commit, compact, migrate and copy: what a disk may have then opens, is a version as a
/// whole, and has everything of which somebody was told that it is on the disk.
///
/// A round is one run of processes, recorded, and the images of many moments of it.
enum PowerCuts: AttackSuite {
  static let name = "powercuts"
  static let shortRounds = 5
  static let longRounds = 60

  private enum Kind: CaseIterable {
    case oneProcess, failingDisk, twoProcesses, encrypted, everyMoment

    var processCount: Int { self == .twoProcesses ? 2 : 1 }
    /// Says whether it is encrypted.
    var fileName: String { self == .encrypted ? "encrypted.realm" : "mosaic.realm" }
  }

  static func run(rounds: Int, seed: UInt64, _ outcomes: Outcomes) throws {
    var random = SeededGenerator(seed: seed)
    let isShort = rounds <= shortRounds
    for round in 0..<rounds {
      let folder = ScratchFolder()
      let kind = Kind.allCases[round % Kind.allCases.count]
      let context = "round \(round), \(kind), seed \(seed)"
      let isEvery = kind == .everyMoment
      let steps = isEvery ? 15 : isShort ? 40 : 150
      let isDone = try record(kind, in: folder, steps: steps, &random) {
        outcomes.fault("\(context): \($0)")
      }
      if !isDone { continue }
      let cuts = try Cuts(folder: folder, name: kind.fileName, outcomes, context)
      // A few images of each run in short runs.
      let moments = isEvery ? cuts.all(atMost: isShort ? 30 : .max) : cuts.some(isShort ? 30 : 150, &random)
      try cuts.cutPower(at: moments, inTurn: isEvery, &random)
    }
  }

  static func child(_ arguments: [String]) throws {
    switch arguments.first {
    case "run":
      try Scenario(
        folder: arguments[1], name: arguments[2], seed: UInt64(arguments[3])!,
        isAlone: arguments[5] == "alone"
      )
      .run(steps: Int(arguments[4])!)
    case "verify": try Verification.run(list: arguments[1])
    default: throw UsageError(message: "powercuts \(arguments) is nothing.")
    }
  }

  /// Lets processes commit, with everything they write recorded. Returns whether they all came to their end.
  private static func record(
    _ kind: Kind, in folder: ScratchFolder, steps: Int, _ random: inout SeededGenerator,
    fault: (String) -> Void
  ) throws -> Bool {
    var environment = ["FAULT_PREFIX": folder.url.path, "FAULT_RECORD": folder.path("record")]
    // As slow as disks are, so that something else happens meanwhile.
    environment["FAULT_DELAY"] = "\([0, 300, 3000].randomElement(using: &random)!)"
    if kind == .failingDisk {
      environment["FAULT_CALLS"] = "fdatasync"
      // Made by the process when it has the file open.
      environment["FAULT_ARMED"] = folder.path("armed")
      environment["FAULT_AT"] = "\(Int.random(in: 1...steps / 2, using: &random))"
      environment["FAULT_COUNT"] = "\(Int.random(in: 1...3, using: &random))"
    }
    let children = try (0..<kind.processCount).map { _ in
      try ChildProcess(
        Self.self,
        [
          "run", folder.url.path, kind.fileName, "\(random.next())", "\(steps / kind.processCount)",
          kind.processCount == 1 ? "alone" : "beside others",
        ],
        environment: environment, preload: true)
    }
    var isDone = true
    for child in children {
      let (end, _) = child.finish(within: 120)
      if end != .exit(0) {
        fault("the process ended with \(end): \(child.errorText.suffix(400))")
        isDone = false
      }
    }
    return isDone
  }
}
