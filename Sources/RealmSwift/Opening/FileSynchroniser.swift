package import Foundation
package import Storage

/// What keeps the file of a realm in the same state as a server.
///
/// `RealmSync` conforms to it, so that programs without sync do not link what it needs.
package protocol FileSynchroniser: Sendable {
  /// Maximum time that opening with a download waits while there is no connection, in seconds.
  var openTimeout: TimeInterval { get }

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
package protocol FileSynchronisation: AnyObject, Sendable {
  /// Waits until the file has a state of the server: `always` one that is later than the call, `once` any whole one.
  ///
  /// - Parameters:
  ///   - timeout: Maximum time that the call waits while there is no connection, in seconds.
  ///   - progress: A function that is called, on any thread, with what has been received.
  /// - Throws: `Realm.Error` when there is no connection for too long, or the session has stopped; `CancellationError`.
  func download(
    _ behavior: Realm.OpenBehavior, timeout: TimeInterval,
    progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws
}

/// The state of a transfer.
package struct TransferProgress: Sendable, Hashable {
  /// Number of rows that have been transferred.
  package var transferred: Int
  /// Number of rows that are to be transferred in all, as far as it is known.
  package var transferrable: Int

  package init(transferred: Int, transferrable: Int) {
    self.transferred = transferred
    self.transferrable = transferrable
  }
}

extension Realm {
  /// What synchronises the realm's file; nil for local realms.
  package var synchronisation: (any FileSynchronisation)? { core.synchronisation }
}

extension Realm.Configuration {
  /// The properties that the classes declare as counters, by the names of class and column.
  package var counters: [(className: String, column: String)] {
    (classes?.schemas ?? []).flatMap { schema in
      schema.properties.filter(\.isCounter).map { (schema.className, $0.columnName) }
    }
  }
}
