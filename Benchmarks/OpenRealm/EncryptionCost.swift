import Foundation

/// What encryption costs: works of this program in processes of their own, alternately on plain and on encrypted files.
struct EncryptionCost {
  /// How many times as long each work may take. What is read more than once is warm, as it is in the works themselves.
  private static let limits = [
    ("W1", 1.3), ("W2", 1.1), ("W3", 1.1), ("W5", 1.1), ("W6", 1.1), ("W9", 1.1),
  ]
  private static let rounds = 5
  /// The first work only writes, which nobody does to a frozen realm.
  static let works =
    limits.map { "encrypted \($0.0)" } + limits.dropFirst().map { "encrypted frozen \($0.0)" }

  let directory: String
  let options: Options

  func run() throws -> (measurements: [Measurement], notes: [String]) {
    let parts = try [false, true].compactMap { try run(isFrozen: $0) }
    return (parts.flatMap(\.measurements), parts.map(\.note))
  }

  /// - Parameter isFrozen: Whether frozen realms are read, where readers of encrypted ones take note of themselves.
  private func run(isFrozen: Bool) throws -> (measurements: [Measurement], note: String)? {
    let prefix = isFrozen ? "encrypted frozen" : "encrypted"
    let works = Self.limits.filter {
      let name = "\(prefix) \($0.0)"
      return Self.works.contains(name) && options.includes(name)
    }
    if works.isEmpty { return nil }
    let results = "\(directory)/\(prefix)"
    try FileManager.default.createDirectory(atPath: results, withIntermediateDirectories: true)
    for round in 1...Self.rounds {
      // Who comes second finds the machine as the first one has left it.
      for isEncrypted in round % 2 == 1 ? [false, true] : [true, false] {
        try measure(works.map(\.0), isEncrypted, isFrozen, to: results, round)
      }
    }
    let comparison = try Comparison(directory: results)
    var measurements: [Measurement] = []
    for (work, limit) in works {
      guard let row = comparison.least(of: work) else {
        throw BenchmarkError("\(work) was not measured.")
      }
      var measurement = Measurement(
        work: "\(prefix) \(work)", title: "beside plain files", target: .atMost(limit * row.then))
      measurement.figures[.openRealm] = row.now
      measurements.append(measurement)
    }
    let readers = isFrozen ? ", read by frozen realms" : ""
    return (measurements, "Encrypted (now) beside plain files (then)\(readers):\n" + comparison.table())
  }

  private func measure(
    _ works: [String], _ isEncrypted: Bool, _ isFrozen: Bool, to results: String, _ round: Int
  ) throws {
    _ = try ChildProcess.run(
      [
        "--systems", "openrealm", "--rows", "\(options.rows)", "--directory", "\(results)/files",
        "--results", "\(results)/\(isEncrypted ? "now" : "then")-\(round).json",
      ] + (options.repetitions.map { ["--repetitions", "\($0)"] } ?? [])
        + (isEncrypted ? ["--encrypted"] : []) + (isFrozen ? ["--frozen"] : []) + works)
  }
}
