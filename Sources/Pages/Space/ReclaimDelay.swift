/// Lets several small commits of one process share a search for space that has become free.
///
/// The search asks the system for locks of other processes, and reads what all readers hold: a large part of what a small relaxed
/// commit costs. What is found later is only free later. Only the writer touches it.
struct ReclaimDelay {
  /// The last version that this process has committed.
  private var version: UInt64 = 0
  private var commitCount = 0
  /// Number of units that these commits have given up.
  private var unitCount = 0

  private static let commitLimit = 8
  /// The commits give up less than this part of the file.
  private static let share = 64

  /// Whether something was given up for which no search was made.
  var isPending: Bool { commitCount > 0 }

  mutating func noteCommit(_ version: UInt64, givenUp: [Reference]) {
    self.version = version
    commitCount += 1
    for reference in givenUp { unitCount += reference.unitCount }
  }

  /// Whether the next search can wait.
  ///
  /// - Parameters:
  ///   - newest: The newest version: of another process, it may have given up much.
  ///   - end: Number of units of the file.
  func canWait(newest: UInt64, end: UInt64) -> Bool {
    newest == version && commitCount < Self.commitLimit && unitCount < Int(end) / Self.share
  }

  mutating func noteSearch() { (commitCount, unitCount) = (0, 0) }
}
