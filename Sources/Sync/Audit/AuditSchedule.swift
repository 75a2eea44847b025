/// When a session audits its file by itself: soon after the first pull, then each interval, at a random time of it.
package struct AuditSchedule {
  private let interval: Double
  /// Maximum time until the first audit of a file, and until the one after differences were found, in seconds.
  private let soon: Double
  private var next = Deadline.never
  /// When the next audit begins although the session is busy.
  private var latest = Deadline.never
  private var isPlanned = false

  /// - Parameters:
  ///   - interval: Seconds between two audits; infinite for none.
  ///   - soon: Maximum number of seconds until the first audit.
  package init(interval: Double, soon: Double = 60) {
    self.interval = interval
    self.soon = min(interval, soon)
  }

  /// Part of the interval by which an audit is late at most because the session is busy.
  private static let patience = 0.1
  /// Maximum time by which an audit is late because the session is busy, in seconds.
  private static let longestDelay = 600.0
  /// Time between two attempts to begin an audit that is due while the session is busy, in seconds.
  private static let pause = 1.0

  /// Whether it is time for an audit.
  ///
  /// - Parameter isBusy: Whether changes are being sent, or a caller waits for a transfer, which an audit would delay.
  package func isDue(isBusy: Bool) -> Bool { isBusy ? latest.hasPassed : next.hasPassed }

  /// Returns the time until the next audit, at most a limit, in seconds.
  package func wait(atMost limit: Double) -> Double {
    if next == .never { return limit }
    return min(limit, next.hasPassed ? Self.pause : Double(next.pollTimeout) / 1000)
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
        seconds: max(interval * .random(in: 0.75...1.25) - age, soon * .random(in: 0...1))
      )
    } else {
      plan(seconds: soon * .random(in: 0...1))
    }
  }

  /// Takes note that an audit begins: if it fails, there is time for other things before the next one.
  package mutating func noteAttempt() { plan(seconds: soon) }

  /// Takes note of an audit.
  package mutating func note(_ findings: AuditFindings) {
    isPlanned = true
    plan(seconds: findings.differences > 0 ? soon : interval * .random(in: 0.75...1.25))
  }

  private mutating func plan(seconds: Double) {
    let isWanted = interval.isFinite && interval > 0
    next = isWanted ? .after(seconds) : .never
    latest = isWanted ? .after(seconds + min(interval * Self.patience, Self.longestDelay)) : .never
  }
}
