/// When a session audits its file by itself: soon after the first pull, then each interval, at a random time of it.
package struct AuditSchedule {
  private let interval: Double
  private var next = Deadline.never
  private var isPlanned = false

  /// Maximum time until the first audit of a file, and until the one after differences were found, in seconds.
  private static let soon = 60.0

  /// - Parameter interval: Seconds between two audits; infinite for none.
  package init(interval: Double) { self.interval = interval }

  /// Whether it is time for an audit.
  package var isDue: Bool { next.hasPassed }

  /// Returns the time until the next audit, at most a limit, in seconds.
  package func wait(atMost limit: Double) -> Double {
    next == .never ? limit : min(limit, max(Double(next.pollTimeout), 0) / 1000)
  }

  /// Takes note that a pull was applied.
  ///
  /// - Parameters:
  ///   - last: The last audit of the file.
  ///   - now: By the server's clock, in milliseconds since 1970.
  package mutating func notePull(_ last: AuditFindings?, now: Int64) {
    if isPlanned { return }
    isPlanned = true
    if let last, last.differences == 0 {
      let age = Double(max(now - last.time, 0)) / 1000
      plan(
        seconds: max(interval * .random(in: 0.75...1.25) - age, min(interval, Self.soon) * .random(in: 0...1))
      )
    } else {
      plan(seconds: min(interval, Self.soon) * .random(in: 0...1))
    }
  }

  /// Takes note that an audit begins: if it fails, there is time for other things before the next one.
  package mutating func noteAttempt() { plan(seconds: min(interval, Self.soon)) }

  /// Takes note of an audit.
  package mutating func note(_ findings: AuditFindings) {
    isPlanned = true
    plan(seconds: findings.differences > 0 ? min(interval, Self.soon) : interval * .random(in: 0.75...1.25))
  }

  private mutating func plan(seconds: Double) {
    next = interval.isFinite && interval > 0 ? .after(seconds) : .never
  }
}
