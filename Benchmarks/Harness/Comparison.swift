import Foundation

/// How OpenRealm's figures of two builds, or of two kinds of files, differ, which were measured alternately so that a noisy
/// machine is as noisy for both.
struct Comparison {
  static let command = "compare"

  /// A row of a file of results.
  private struct Figure: Decodable {
    let work: String
    let value: Double?
    let unit: String?

    private enum CodingKeys: String, CodingKey {
      case work
      case value = "openrealm_s"
      case unit
    }
  }

  /// The figures of one work in the rounds, in the order of the files.
  private struct Row {
    let work: String
    let isBytes: Bool
    var then: [Double] = []
    var now: [Double] = []

    var ratios: [Double] { zip(now, then).map { $0 / $1 } }

    /// Said only when all rounds agree.
    var verdict: String {
      let ratios = ratios
      if ratios.allSatisfy({ $0 < 1 }) { return isBytes ? "smaller" : "faster" }
      if ratios.allSatisfy({ $0 > 1 }) { return isBytes ? "larger" : "slower" }
      return "–"
    }
  }

  private var rows: [Row] = []

  /// Reads `then-1.json` and `now-1.json`, and so on, of a folder.
  ///
  /// - Throws: `BenchmarkError` when there is none, and when a work was measured by one of the builds only.
  init(directory: String) throws {
    var round = 1
    while FileManager.default.fileExists(atPath: Self.path(directory, "now", round)) {
      let then = try Self.figures(Self.path(directory, "then", round))
      let now = try Self.figures(Self.path(directory, "now", round))
      guard then.map(\.work) == now.map(\.work) else {
        throw BenchmarkError("The builds have measured different works: name those that both have.")
      }
      if round == 1 { rows = now.map { Row(work: $0.work, isBytes: $0.unit == "bytes") } }
      for (place, (old, new)) in zip(then, now).enumerated() {
        guard let old = old.value, let new = new.value, old > 0 else { continue }
        rows[place].then.append(old)
        rows[place].now.append(new)
      }
      round += 1
    }
    if round == 1 { throw BenchmarkError("There are no results in \(directory).") }
  }

  private static func path(_ directory: String, _ name: String, _ round: Int) -> String {
    "\(directory)/\(name)-\(round).json"
  }

  private static func figures(_ path: String) throws -> [Figure] {
    try JSONDecoder().decode([Figure].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// The least of a work's figures, since whatever else the machine does only adds to them; nil when it was not measured.
  func least(of work: String) -> (then: Double, now: Double)? {
    rows.first { $0.work == work && !$0.now.isEmpty }.map { ($0.then.min() ?? 0, $0.now.min() ?? 0) }
  }

  /// Medians, and how the builds compare in the rounds.
  func table() -> String {
    let header = ["work", "then", "now", "now/then", "least", "most", ""]
    let lines = [header] + rows.filter { !$0.now.isEmpty }.map(Self.line)
    let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      line.indices.map { column in
        column == 0 ? line[column].padded(to: widths[column]) : line[column].indented(to: widths[column])
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  private static func line(_ row: Row) -> [String] {
    let ratios = row.ratios
    return [
      row.work, text(median(row.then), row.isBytes), text(median(row.now), row.isBytes),
      String(format: "%.3f", median(ratios)), String(format: "%.3f", ratios.min() ?? 0),
      String(format: "%.3f", ratios.max() ?? 0), row.verdict,
    ]
  }

  private static func text(_ value: Double, _ isBytes: Bool) -> String {
    String(format: isBytes ? "%.2f MB" : "%.4f ms", isBytes ? value / 1e6 : value * 1e3)
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
