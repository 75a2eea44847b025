/// What all tables of a snapshot share, where property accesses reach it without a reference to the snapshot.
public struct SnapshotState {
  /// Changes whenever anything visible, or the place of anything in memory, may have changed.
  public var contentStamp = 0
  /// How often it changed although nothing visible did.
  var relocationCount = 0
  /// Whether a write transaction is open.
  public var isWriting = false
  /// Room for the bytes of strings and data that are written; valid while a write transaction is open.
  @usableFromInline var arenaNext: UnsafeMutableRawPointer?
  @usableFromInline var arenaFree = 0
}
