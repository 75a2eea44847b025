package import Storage

/// What keeps the file of a realm in the same state as a server.
///
/// `RealmSync` conforms to it, so that programs without sync do not link what it needs.
package protocol FileSynchroniser: Sendable {
  /// Throws when a realm with these settings cannot be synchronised, before its file is opened.
  func check(_ configuration: Realm.Configuration) throws

  /// Whether this keeps a file in the same state as the other one does: the same server, and the same classes.
  func isEquivalent(to other: any FileSynchroniser) -> Bool

  /// Starts to synchronise a file that has the classes of the configuration, or returns what does that already.
  ///
  /// - Parameter snapshot: The newest version of the file, for the caller's thread.
  /// - Returns: What synchronises the file as long as anything has a reference to it.
  func synchronise(
    _ file: DatabaseFile, _ snapshot: Snapshot, _ configuration: Realm.Configuration
  ) throws -> any FileSynchronisation
}

/// The synchronisation of one open file.
package protocol FileSynchronisation: AnyObject, Sendable {}

extension Realm {
  /// What synchronises the realm's file; nil for local realms.
  package var synchronisation: (any FileSynchronisation)? { core.synchronisation }
}
