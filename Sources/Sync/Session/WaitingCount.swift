/// Counts again and again what waits in a file while the server cannot be asked, at the cost of a tenth of a processor at most.
///
/// Between two counts no version of the file is in use, so that the file does not grow with each commit.
struct WaitingCount {
  private let client: SyncClient
  private var version: UInt64?
  private var earliest = Deadline.after(0)

  init(_ client: SyncClient) {
    self.client = client
    client.releaseVersion()
  }

  /// Whether anything was committed since the last count.
  var hasNews: Bool { version != client.file.newestVersion }

  /// The time of the next count; never while nothing was committed since the last.
  var due: Deadline { hasNews ? earliest : .never }

  /// Minimum time between two counts, in seconds: a program that commits all the time is not disturbed more often.
  private static let shortestPause = 0.1

  /// Counts, if it is time to. Nil otherwise, and when the file cannot be read, which the next attempt to send reports.
  mutating func countIfDue() -> SyncFacts? {
    guard hasNews, earliest.hasPassed else { return nil }
    let start = ContinuousClock.now
    version = client.file.newestVersion
    let isCounted = (try? client.noteWaiting()) != nil
    client.releaseVersion()
    earliest = .after(max((ContinuousClock.now - start) / .seconds(1) * 9, Self.shortestPause))
    return isCounted ? client.facts : nil
  }
}
