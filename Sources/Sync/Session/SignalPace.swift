/// When a session pulls after signals of the server.
///
/// After a pause it pulls at once. While pulls follow each other without a pause, each one waits for a random time before it begins,
/// so that one pull answers several signals: n clients that each answer each of m pushes at once would make n × m pulls. A pull that
/// a signal asks for within a quarter of the time that the last one took, or before that has ended, follows without a pause: a server
/// with too many clients takes long for a pull, and two clients that answer each other do not wait.
package struct SignalPace: Sendable {
  /// Maximum delay of the first pull that follows another one without a pause, in seconds.
  private let shortest: Double
  /// Maximum delay of a pull, in seconds.
  private let longest: Double
  /// Minimum time from the end of a pull to the next signal that is a pause, as a share of the time that the pull took.
  private let pause: Double
  /// Returns a delay from 0 to a maximum.
  private let choose: @Sendable (Double) -> Double
  /// Maximum delay of the present pull, in seconds.
  private var limit = 0.0
  /// When the time after the last pull begins that is a pause.
  private var pauseBegins = -Double.infinity
  /// When the pull begins that a signal has asked for.
  private var due = Double.infinity

  package init(
    shortest: Double = 0.01, longest: Double = 1, pause: Double = 0.25,
    choose: @escaping @Sendable (Double) -> Double = { .random(in: 0...$0) }
  ) {
    (self.shortest, self.longest, self.pause, self.choose) = (shortest, longest, pause, choose)
  }

  /// Takes note of a signal.
  ///
  /// - Parameter now: In seconds, of a clock that is never adjusted, as for all calls.
  package mutating func noteSignal(now: Double) {
    // The pull that is to come answers this signal, too.
    guard due == .infinity else { return }
    if now <= pauseBegins {
      limit = min(max(limit * 2, shortest), longest)
    } else {
      // A short pause does not yet say that the server has time.
      limit = limit < shortest || now - pauseBegins > longest ? 0 : limit / 2
    }
    due = now + choose(limit)
  }

  /// Takes note that a pull has ended, which answers all signals noted before, for whatever reason it was made.
  package mutating func notePull(began: Double, now: Double) {
    (due, pauseBegins) = (.infinity, now + pause * (now - began))
  }

  /// Time until the pull that a signal has asked for, in seconds; infinite when none has.
  package func wait(now: Double) -> Double { max(due - now, 0) }
}
