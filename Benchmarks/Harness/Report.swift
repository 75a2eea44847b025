import Foundation

/// The table and the file of results.
struct Report {
  private(set) var measurements: [Measurement] = []
  private(set) var notes: [String] = []

  mutating func add(_ measurement: Measurement) {
    measurements.append(measurement)
  }

  mutating func add(note: String) {
    notes.append(note)
  }

  func table() -> String {
    let header = ["work", "what", "openrealm", "sqlite", "lmdb", "", "ratio", "target", "met"]
    let rows = [header] + measurements.map(row)
    let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      row.indices.map { column in
        let isText = column < 2 || column == 5
        return isText ? row[column].padded(to: widths[column]) : row[column].indented(to: widths[column])
      }.joined(separator: "  ")
    }
    let rule = String(repeating: "-", count: lines.map(\.count).max() ?? 0)
    let paragraph = notes.isEmpty ? [] : [""] + notes
    return ([lines[0], rule] + lines.dropFirst() + paragraph).joined(separator: "\n")
  }

  private func row(_ measurement: Measurement) -> [String] {
    let figures = System.allCases.map { system in
      if measurement.failures.contains(system) { return "WRONG" }
      return measurement.figures[system].map(measurement.unit.format) ?? "–"
    }
    let target =
      switch measurement.target {
      case .ratio(let limit): "≤ " + limit.formatted(significantDigits: 2)
      case .atMost(let limit): "≤ \(measurement.unit.format(limit)) \(measurement.unit.symbol)"
      }
    let met = measurement.isTargetMet.map { $0 ? "yes" : "NO" } ?? "–"
    return [measurement.work, measurement.title] + figures
      + [measurement.unit.symbol, measurement.ratio?.formatted(significantDigits: 3) ?? "–", target, met]
  }

  /// A list of records; an absent figure is null.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(measurements.map(Record.init))
  }

  private struct Record: Encodable {
    let measurement: Measurement

    private enum CodingKeys: String, CodingKey {
      case work
      case openrealm = "openrealm_s"
      case sqlite = "sqlite_s"
      case lmdb = "lmdb_s"
      case ratio
      case unit
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(measurement.work, forKey: .work)
      // Encoded, not left out, when there is none.
      try container.encode(measurement.figures[.openRealm], forKey: .openrealm)
      try container.encode(measurement.figures[.sqlite], forKey: .sqlite)
      try container.encode(measurement.figures[.lmdb], forKey: .lmdb)
      try container.encode(measurement.ratio, forKey: .ratio)
      // Everything is in seconds, but for sizes.
      if measurement.unit == .bytes { try container.encode("bytes", forKey: .unit) }
    }
  }
}

extension Double {
  fileprivate func formatted(significantDigits: Int) -> String {
    guard self > 0, isFinite else { return "0" }
    let decimals = Swift.max(0, significantDigits - 1 - Int(log10(self).rounded(.down)))
    return String(format: "%.\(decimals)f", self)
  }
}
