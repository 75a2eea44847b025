import Foundation
import TestSupport

/// Makes mutants and lets each meet its fate in a process of its own.
///
/// A mere copy of this process would start sooner, but Swift's runtime can stop in one: its locks know threads by
/// numbers that `fork` changes.
struct MutantWorker {
  private let folder: String
  private let name: String
  private let errorPath: String
  private var bases: [MutantBase: Base] = [:]

  private struct Base {
    var bytes: [UInt8]
    var older: [UInt8]
    var digest: UInt64
  }

  static func path(of base: MutantBase, in folder: String) -> String { "\(folder)/\(base.rawValue).realm" }

  init(folder: String, name: String) throws {
    self.folder = folder
    self.name = name
    errorPath = "\(folder)/mutant-\(name).err"
    for base in MutantBase.allCases {
      let path = Self.path(of: base, in: folder)
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      let older = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + ".older")))
      let place = place(base)
      let inspection = try inspect(bytes, at: place)
      guard inspection.fault == nil, inspection.verified == .sound else {
        throw UsageError(message: "The base file '\(base)' is not sound: \(inspection) \(errorText)")
      }
      var digests: [UInt64] = []
      for migrates in [false, true] {
        let reader = try read(bytes, at: place, migrates: migrates)
        guard reader.fate == .done else {
          throw UsageError(message: "The base file '\(base)' can not be read: \(reader) \(errorText)")
        }
        digests += reader.numbers
      }
      if Set(digests).count > 1 { throw UsageError(message: "'\(base)' is not the same when migrated.") }
      bases[base] = Base(bytes: bytes, older: older, digest: digests[0])
    }
  }

  /// Where mutants of a base lie, whose name tells whether they are encrypted.
  private func place(_ base: MutantBase) -> String { "\(folder)/mutant-\(name)-\(base.rawValue).realm" }

  /// Returns what came of a mutant, in words for the table, or "fault" and a description.
  ///
  /// - Parameter isInspected: Whether it is verified and salvaged before it is read.
  func run(round: Int, seed: UInt64, isInspected: Bool) throws -> [String] {
    let kinds: [MutantBase] = [
      .full, .full, .full, .full, .encrypted, .encrypted, .tiny, .tiny, .empty, .pending,
    ]
    let base = kinds[round % kinds.count]
    let sound = bases[base]!
    // Neighbouring seeds would give the same numbers one after the other.
    var seeds = SeededGenerator(seed: seed &+ UInt64(round))
    let mutant = Mutation.apply(to: sound.bytes, older: sound.older, seed: seeds.next() ^ seeds.next() >> 7)
    let path = place(base)
    // One in ten, of each base in its turn.
    let migrates = round % 10 == round / 10 % 10
    func fault(_ text: String) -> String {
      "fault mutant \(round), \(base)\(migrates ? ", migrated" : "") (\(mutant.description)): \(text)"
    }
    var inspection = isInspected ? try inspect(mutant.bytes, at: path) : nil
    if let text = inspection?.fault { return [fault("\(text): \(firstLine)")] }
    let reader = try read(mutant.bytes, at: path, migrates: migrates)
    let outcome: String
    switch reader.fate {
    case .done where reader.numbers == [sound.digest]: outcome = "unharmed"
    case .done:
      inspection = try inspection ?? inspect(mutant.bytes, at: path)
      if inspection?.verified != .sound {
        outcome = "different data, found by verifying"
      } else if base == .pending || Self.lacksNewest(mutant.bytes, of: sound.bytes) {
        // The version that the disk was known to have, or one after it; or nothing leads to the newer one.
        outcome = "an older version"
      } else {
        return [fault("different data, and nothing is said of it")]
      }
    case .error: outcome = "error"
    case .signal(SIGILL), .signal(SIGTRAP):
      if !errorText.contains("is damaged") || !errorText.contains(path) {
        return [fault("stopped without saying why: \(firstLine)")]
      }
      outcome = "stop with words"
    default: return [fault("\(reader.fate) \(firstLine)")]
    }
    // Who verifies has seen everything.
    if reader.fate != .done && inspection?.verified == .sound {
      return [fault("verified as sound, but \(outcome): \(firstLine)")]
    }
    return [migrates ? outcome + ", migrated" : outcome] + (inspection?.outcomes ?? [])
  }

  /// Whether no header slot leads to a file's newest version any more: each chain of records that did is broken.
  private static func lacksNewest(_ bytes: [UInt8], of sound: [UInt8]) -> Bool {
    func word(_ start: Int, _ offset: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(sound[start + offset + $1]) << UInt64($1 * 8) }
    }
    func version(_ start: Int) -> UInt64? {
      let isRecord =
        start + Mutation.unit <= sound.count && sound[start..<start + 8].elementsEqual("ORPages5".utf8)
      return isRecord ? word(start, 32) : nil
    }
    let newest = stride(from: 0, to: sound.count, by: Mutation.unit).compactMap(version).max()
    func leads(_ slot: Int) -> Bool {
      var (start, last) = (slot, UInt64(0))
      while let found = version(start), found > last, bytes.count >= start + Mutation.unit,
        bytes[start..<start + Mutation.unit] == sound[start..<start + Mutation.unit]
      {
        if found == newest { return true }
        (start, last) = (Int(word(start, 96)) * Mutation.unit, found)
      }
      return false
    }
    return !(0..<4).contains { leads($0 * 4096) }
  }

  private var firstLine: String {
    errorText.split(separator: "\n").prefix(3).joined(separator: " / ")
  }

  private var errorText: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }

  private func write(_ bytes: [UInt8], to path: String) throws {
    for suffix in [".lock", "-lock", ".note", ""] { unlink(path + suffix) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// What is said of a file by who looks at all of it.
  private func inspect(_ bytes: [UInt8], at path: String) throws -> MutantInspection {
    try write(bytes, to: path)
    return MutantInspection(path, errorPath: errorPath)
  }

  /// What becomes of who opens a file, and reads and writes.
  private func read(_ bytes: [UInt8], at path: String, migrates: Bool) throws -> MutantProcess {
    try write(bytes, to: path)
    return MutantProcess(["meet", path, migrates ? "migrating" : "as it is"], errorPath: errorPath)
  }

  /// The life of such a process, which tells what stands for all that it read.
  static func meet(_ path: String, migrates: Bool) -> Never {
    MutantProcess.live {
      var reader = MutantReader(path: path, migrates: migrates)
      MutantProcess.tell(try reader.run())
    }
  }
}
