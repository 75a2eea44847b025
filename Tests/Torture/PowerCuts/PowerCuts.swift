import Foundation
import ProcessTestModels
import TestSupport

/// Cuts the power while processes commit, compact and migrate: what a disk may have then opens, is a version as a whole, and has everything
/// of which somebody was told that it is on the disk.
///
/// A round is one run of processes, recorded, and the images of many moments of it.
enum PowerCuts: AttackSuite {
  static let name = "powercuts"
  static let shortRounds = 3
  static let longRounds = 60

  private enum Kind: CaseIterable {
    case oneProcess, failingDisk, twoProcesses

    var processCount: Int { self == .twoProcesses ? 2 : 1 }
  }

  static func run(rounds: Int, seed: UInt64, _ outcomes: Outcomes) throws {
    var random = SeededGenerator(seed: seed)
    // A few images of each run in short runs.
    let (stepCount, imageCount) = rounds <= shortRounds ? (40, 30) : (150, 150)
    for round in 0..<rounds {
      let folder = ScratchFolder()
      let kind = Kind.allCases[round % Kind.allCases.count]
      let context = "round \(round), \(kind), seed \(seed)"
      let isDone = try record(kind, in: folder, steps: stepCount, &random) {
        outcomes.fault("\(context): \($0)")
      }
      if !isDone { continue }
      let moments = try cutPower(folder, imageCount: imageCount, &random) {
        outcomes.fault("\(context): \($0)")
      }
      try verify(moments, folder, outcomes, context)
    }
  }

  static func child(_ arguments: [String]) throws {
    switch arguments.first {
    case "run":
      try Scenario(folder: arguments[1], seed: UInt64(arguments[2])!, isAlone: arguments[4] == "alone")
        .run(steps: Int(arguments[3])!)
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
          "run", folder.url.path, "\(random.next())", "\(steps / kind.processCount)",
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

  private struct Moment {
    let image: String
    /// The newest transaction that somebody was told to be on the disk.
    let told: Int
  }

  /// Writes images of what the disk may have at some moments.
  private static func cutPower(
    _ folder: ScratchFolder, imageCount: Int, _ random: inout SeededGenerator,
    fault: (String) -> Void
  ) throws -> [Moment] {
    let entries = try WriteRecord(path: folder.path("record")).entries
    // Before the first of them the file need not have been there.
    let marks = entries.indices.filter { if case .mark = entries[$0].event { true } else { false } }
    // Half of them just after somebody was told something.
    let cuts = (0..<imageCount).map { number in
      number % 2 == 0
        ? Int.random(in: marks[0]..<entries.count, using: &random) : marks.randomElement(using: &random)!
    }.sorted()
    var disk = SimulatedFolder(path: folder.url.path)
    var told = 0
    var moments: [Moment] = []
    for (index, entry) in entries.enumerated() {
      disk.apply(entry)
      if case .mark(let text) = entry.event {
        if let number = Int(text.dropLast()) { told = max(told, number) } else { fault(text) }
      }
      for _ in cuts.count(of: index) {
        guard var image = disk.image(of: folder.path("mosaic.realm"), &random) else {
          fault("there is no file after transaction \(told)")
          continue
        }
        RecordPatch.apply(&image)
        let path = folder.path("image-\(moments.count).realm")
        try Data(image).write(to: URL(fileURLWithPath: path))
        if let journal = disk.image(of: folder.path("mosaic.realm-journal"), &random) {
          try Data(journal).write(to: URL(fileURLWithPath: path + "-journal"))
        }
        moments.append(Moment(image: path, told: told))
      }
    }
    return moments
  }

  private static func verify(
    _ moments: [Moment], _ folder: ScratchFolder, _ outcomes: Outcomes, _ context: String
  ) throws {
    var rest = moments[...]
    // Another process for what follows an image with which one has died.
    while !rest.isEmpty {
      let list = folder.path("list")
      try rest.map(\.image).joined(separator: "\n").write(toFile: list, atomically: true, encoding: .utf8)
      let child = try ChildProcess(Self.self, ["verify", list])
      let (end, lines) = child.finish(within: 300)
      for (moment, line) in zip(rest, lines) {
        if let number = Int(line) {
          if number >= moment.told {
            outcomes.note("images whole")
          } else {
            outcomes.fault("\(context), \(moment.image): transaction \(moment.told) is lost after \(number)")
          }
        } else {
          outcomes.fault("\(context), \(moment.image): \(line)")
        }
      }
      rest = rest.dropFirst(lines.count)
      if let moment = rest.first {
        outcomes.fault("\(context), \(moment.image): the process that opened it ended with \(end)")
        rest = rest.dropFirst()
      }
    }
  }
}

extension [Int] {
  /// As many numbers as this one is in the sorted array.
  fileprivate func count(of number: Int) -> Range<Int> {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    var end = low
    while end < count && self[end] == number { end += 1 }
    return 0..<end - low
  }
}
