import Foundation
import ProcessTestModels
import TestSupport

/// The moments of a run of processes at which the power may fail, and what is found on the disk then.
struct Cuts {
  private let folder: ScratchFolder
  private let name: String
  private let outcomes: Outcomes
  private let context: String
  private let entries: [WriteRecord.Entry]
  /// When somebody was told something. Before the first of them the file need not have been there.
  private let marks: [Int]
  /// So many images are on the real disk at once.
  private static let imageLimit = 150

  /// What is on the disk at some moment.
  private struct Moment {
    let image: String
    /// The newest transaction that somebody was told to be on the disk.
    let told: Int
    /// The transactions that somebody was told to be in the copy; nil while there may be another one or none.
    let copied: Int?
  }

  /// - Parameters:
  ///   - folder: In which a record was made.
  ///   - name: Of the file in it.
  init(folder: ScratchFolder, name: String, _ outcomes: Outcomes, _ context: String) throws {
    self.folder = folder
    self.name = name
    self.outcomes = outcomes
    self.context = context
    entries = try WriteRecord(path: folder.path("record")).entries
    marks = entries.indices.filter { [entries] in if case .mark = entries[$0].event { true } else { false } }
  }

  /// Half of them just after somebody was told something.
  func some(_ count: Int, _ random: inout SeededGenerator) -> [Int] {
    (0..<count).map { number in
      number % 2 == 0
        ? Int.random(in: marks[0]..<entries.count, using: &random) : marks.randomElement(using: &random)!
    }.sorted()
  }

  /// Every one of them, or every so many when that are too many.
  func all(atMost limit: Int) -> [Int] {
    let all = marks[0]..<entries.count
    return Array(stride(from: all.lowerBound, to: all.upperBound, by: (all.count - 1) / limit + 1))
  }

  /// Looks at what the disk may have at some moments.
  ///
  /// - Parameter inTurn: Whether the disk is mean in one way after the other.
  func cutPower(at cuts: [Int], inTurn: Bool, _ random: inout SeededGenerator) throws {
    var disk = SimulatedFolder(path: folder.url.path)
    var told = 0
    var copied: Int?
    var moments: [Moment] = []
    var rest = cuts[...]
    let tempers = SimulatedDisk.Temper.allCases
    for (index, entry) in entries.enumerated() {
      disk.apply(entry)
      if case .mark(let text) = entry.event {
        let words = text.split(whereSeparator: \.isWhitespace)
        if let number = Int(words[0]) {
          told = max(told, number)
        } else if words[0] == "copying" || words[0] == "copied" {
          copied = words.count > 1 ? Int(words[1]) : nil
        } else {
          outcomes.fault("\(context): \(text)")
        }
      }
      while rest.first == index {
        rest = rest.dropFirst()
        let temper = inTurn ? tempers[index % tempers.count] : tempers.randomElement(using: &random)!
        let path = folder.path("image-\(rest.startIndex)-\(name)")
        if try write(disk, to: path, temper, &random) {
          moments.append(Moment(image: path, told: told, copied: copied))
        } else {
          outcomes.fault("\(context): there is no file after transaction \(told)")
        }
      }
      if moments.count >= Self.imageLimit || rest.isEmpty {
        try verify(moments)
        moments = []
      }
      if rest.isEmpty { break }
    }
  }

  /// Returns whether there is a file.
  private func write(
    _ disk: SimulatedFolder, to path: String, _ temper: SimulatedDisk.Temper,
    _ random: inout SeededGenerator
  ) throws -> Bool {
    let file = folder.path(name)
    func write(_ source: String, to target: String) throws -> Bool {
      guard let image = disk.image(of: source, temper, &random) else { return false }
      try Data(image).write(to: URL(fileURLWithPath: target))
      return true
    }
    guard try write(file, to: path) else { return false }
    _ = try write(Scenario.copyPath(file), to: Scenario.copyPath(path))
    return true
  }

  /// Opens the images, and removes those that are as they should be.
  private func verify(_ moments: [Moment]) throws {
    var rest = moments[...]
    // Another process for what follows an image with which one has died.
    while !rest.isEmpty {
      let list = folder.path("list")
      try rest.map(\.image).joined(separator: "\n").write(toFile: list, atomically: true, encoding: .utf8)
      let child = try ChildProcess(PowerCuts.self, ["verify", list])
      let (end, lines) = child.finish(within: 300)
      for (moment, line) in zip(rest, lines) {
        if let fault = fault(of: moment, line) {
          outcomes.fault("\(context), \(moment.image): \(fault)")
        } else {
          remove(moment)
        }
      }
      rest = rest.dropFirst(lines.count)
      if let moment = rest.first {
        outcomes.fault("\(context), \(moment.image): the process that opened it ended with \(end)")
        rest = rest.dropFirst()
      }
    }
  }

  /// What is wrong with what was found, or nil.
  private func fault(of moment: Moment, _ line: String) -> String? {
    let words = line.split(separator: " ").map { Int($0) }
    guard (1...2).contains(words.count), let number = words[0] else { return line }
    if number < moment.told { return "transaction \(moment.told) is lost after \(number)" }
    outcomes.note("images whole")
    if words.count == 2 {
      guard let copy = words[1] else { return line }
      if let copied = moment.copied, copy != copied {
        return "a copy with \(copy), not \(copied) transactions"
      }
      outcomes.note("copies whole")
    } else if let copied = moment.copied {
      return "the copy of \(copied) transactions is lost"
    }
    return nil
  }

  private func remove(_ moment: Moment) {
    for path in [moment.image, Scenario.copyPath(moment.image)] {
      for suffix in ["", "-lock"] { unlink(path + suffix) }
    }
  }
}
