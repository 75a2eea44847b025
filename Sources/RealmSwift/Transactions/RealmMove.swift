import Storage

/// A realm has moved: from one version of the file to another, or back to what its version was before something was
/// written. The one event that all who follow a realm are told of.
struct RealmMove {
  enum Cause {
    /// The newest version was asked for.
    case refreshed
    /// The same; the observers are told when they are asked for later.
    case refreshedQuietly
    /// A write transaction was opened, on the newest version.
    case writeBegun
    /// A write transaction has ended, or those that were staged have: what they changed is part of the version. The
    /// observers of the tokens are not to be told of it.
    case committed(skipping: [NotificationToken])
    /// The open write transaction has ended, and is to be committed together with later ones.
    case staged
    /// What was written since the version is gone: all of it when there is a failure, otherwise what the open write
    /// transaction has changed.
    case rolledBack
    /// Everything that was read is forgotten, and read anew from the newest version.
    case invalidated
  }

  let cause: Cause
  /// The version before.
  let from: UInt64
  /// The version now, which is the same when there was no newer one, or nothing was written.
  let to: UInt64
  /// What has gone wrong on the way.
  let failure: StorageError?
  private let snapshot: Snapshot
  private var decoded: VersionChanges??

  /// - Parameter snapshot: What the realm shows now.
  init(_ cause: Cause, from: UInt64, to snapshot: Snapshot, failure: StorageError? = nil) {
    self.from = from
    self.snapshot = snapshot
    self.failure = failure
    to = snapshot.version
    switch cause {
    // A commit that only the disk may not have is one.
    case .committed where failure != nil && from == to, .staged where failure != nil: self.cause = .rolledBack
    default: self.cause = cause
    }
  }

  /// Whether another version is shown.
  var isToOtherVersion: Bool { from != to }

  /// Whether the realm has written what is new by itself.
  var isLocal: Bool { if case .committed = cause { true } else { false } }

  /// What happened from the one version to the other: nil when the log of changes cannot tell, so that everything may
  /// have changed. The log is read on demand, and only once.
  var changes: VersionChanges? {
    mutating get {
      if let decoded { return decoded }
      let changes = snapshot.changes(after: from)
      decoded = .some(changes)
      return changes
    }
  }
}
