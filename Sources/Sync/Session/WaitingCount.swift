/// Counts again and again what waits in a file while the server cannot be asked, at the cost of a tenth of a processor at most.
struct WaitingCount {
  private let client: SyncClient
  private var version: UInt64?
  private var earliest = Deadline.after(0)

  init(_ client: SyncClient) { self.client = client }

  private var hasNews: Bool { version != client.file.newestVersion }

  /// The time of the next count; never while nothing was committed since the last.
  var due: Deadline { hasNews ? earliest : .never }

  /// Counts, if it is time to. Nil otherwise, and when the file cannot be read, which the next attempt to send reports.
  mutating func countIfDue() -> SyncFacts? {
    guard hasNews, earliest.hasPassed else { return nil }
    let start = ContinuousClock.now
    version = client.file.newestVersion
    let isCounted = (try? client.noteWaiting()) != nil
    earliest = .after((ContinuousClock.now - start) / .seconds(1) * 9)
    return isCounted ? client.facts : nil
  }
}
