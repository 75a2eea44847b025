import Foundation

/// What is said while the measurements run, on standard error; the table comes at the end.
final class RunLog {
  private(set) var failureCount = 0

  func note(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }

  func failure(of system: System, in work: String, _ error: any Error) {
    failureCount += 1
    note("\n*** FAILED: \(work) on \(system.rawValue): \(error)\n")
  }

  func samples(_ samples: [System: Samples], of work: String, unit: Measurement.Unit = .seconds) {
    var line = work.padded(to: 16)
    for system in System.allCases {
      guard let values = samples[system], let median = values.median else { continue }
      let range = [values.minimum ?? median, values.maximum ?? median].map(unit.format).joined(separator: "–")
      line += "  \(system.rawValue) \(unit.format(median)) (\(range))"
    }
    note(line)
  }
}

extension Measurement.Unit {
  /// The unit's name in the table.
  var symbol: String {
    switch self {
    case .seconds: "ms"
    case .nanoseconds: "ns"
    case .bytes: "MB"
    }
  }

  /// A figure in the table's unit, with about three significant digits.
  func format(_ figure: Double) -> String {
    let scaled =
      switch self {
      case .seconds: figure * 1e3
      case .nanoseconds: figure * 1e9
      case .bytes: figure / 1e6
      }
    let decimals = scaled < 1 ? 3 : scaled < 10 ? 2 : scaled < 1000 ? 1 : 0
    return String(format: "%.\(decimals)f", scaled)
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  func indented(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
