/// How a commit gets to the disk.
enum CommitPath {
  /// LMDB synchronises it, and then the meta page that shows it.
  case synchronised
  /// When the system sees fit.
  case unsynchronised
  /// With a later synchronisation of the file, of which others have their share: see `DeferredSync`.
  case deferred
  /// With a journal: see `Journal`.
  case journal

  /// Whether more is to be done when LMDB has committed, which may fail.
  var isSynchronisedLater: Bool { self == .deferred || self == .journal }
}
