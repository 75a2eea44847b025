import LibC

/// Decides when a journal pays: its file has to be created and synced.
struct QuickCommits {
  /// So many durable commits have to follow each other.
  static let enough = 8
  /// At most so long one after the other, in nanoseconds. Tests are in no hurry.
  var longestPause = 1_000_000_000

  private var count = 0
  private var lastTime = 0
  private var lastVersion: UInt64 = 0

  /// Before a durable commit on top of a version. Returns whether there were enough.
  mutating func note(_ version: UInt64) -> Bool {
    // A commit of another process in between interrupts the series.
    if isPausing || version != lastVersion + 1 { interrupt() }
    count += 1
    lastVersion = version
    noteTime()
    return count > Self.enough
  }

  /// After a commit with a journal.
  mutating func noteTime() { lastTime = Self.time }

  /// Whether the last one was long ago.
  var isPausing: Bool { Self.time - lastTime > longestPause }

  private static var time: Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    return now.tv_sec * 1_000_000_000 + now.tv_nsec
  }

  /// Something came between them.
  mutating func interrupt() { count = min(count, 0) }

  /// So many more are needed, because a journal was made for nothing, or could not be.
  mutating func add(_ more: Int) { count = -more }
}
