import Foundation
import TestSupport

/// What came of the rounds of a suite. Any thread may add to it.
final class Outcomes: Sendable {
  private struct State {
    var counts: [String: Int] = [:]
    var faults: [String] = []
  }

  private let state = Mutex(State())

  /// A round that went as it should, in one of the ways in which it may.
  func note(_ outcome: String) { state.withLock { $0.counts[outcome, default: 0] += 1 } }

  /// A round that showed a fault of the database, with what is needed to repeat it.
  func fault(_ description: String) {
    state.withLock { $0.faults.append(description) }
    FileHandle.standardError.write(Data("  fault: \(description)\n".utf8))
  }

  var faultCount: Int { state.withLock { $0.faults.count } }

  /// For example "312 error, 688 unharmed".
  var summary: String {
    let counts = state.withLock(\.counts)
    if counts.isEmpty { return "nothing" }
    return counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }
}
