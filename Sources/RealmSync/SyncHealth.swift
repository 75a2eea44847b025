public import Foundation
import Sync

/// What is known of a synchronised realm, computed from what the server has confirmed.
public struct SyncHealth: Sendable {
  /// The state of a synchronised realm.
  public enum Status: Sendable, Hashable {
    /// The realm has what the server has, and the server has what the realm has: both were confirmed within
    /// the last two poll intervals, no local change has waited for more than 60 seconds, and the last audit has found no
    /// difference.
    case current
    /// The server can be reached, but a local change has waited for longer, nothing has been confirmed for as long, or the
    /// last audit has found differences.
    case behind(since: Date)
    /// The server cannot be reached, or accepts no changes for now, as the reason says.
    case offline(since: Date, reason: String)
    /// The server does not accept the role or its password, or the provider of the password has thrown an error, which the reason
    /// describes. The session tries again, at the latest after a minute, and asks the provider each time.
    case refused(since: Date, reason: String)
    /// Nothing is sent or received until the reason is removed: the schema, a permission, the protocol, the database, the file. The session
    /// tries again, at the latest after a minute.
    case stopped(reason: String)
  }

  /// The state, from the facts below.
  public let status: Status
  /// The version of the file up to which the server has confirmed to have all changes.
  public let acknowledgedVersion: UInt64
  /// The time of the last confirmation by the server's clock; nil if there was none since the realm was opened.
  public let lastAcknowledged: Date?
  /// The time of the last state of the server that the realm has, by the server's clock; nil if there was none since
  /// the realm was opened.
  public let lastPull: Date?
  /// Number of objects with changes that the server has not confirmed.
  public let waiting: Int
  /// Time of the oldest of these changes; nil if nothing is waiting.
  public let oldestWaiting: Date?
  /// Number of objects that the server has refused since the realm was opened.
  public let rejected: Int
  /// Time that the server's clock is ahead of this machine's, in seconds.
  public let clockOffset: TimeInterval
  /// The last audit of the file; nil if there was none.
  public let lastAudit: AuditReport?
  /// The times that local changes have waited until the server had them; nil if none was sent since the realm was opened.
  public let uploadLag: SyncLag?
  /// The times from changes elsewhere to their arrival in the realm file; nil if none came since the realm was opened.
  public let downloadLag: SyncLag?
}

/// The durations of the last 100 transfers of a kind.
public struct SyncLag: Sendable, Hashable {
  /// The time that half of the transfers were faster than, in seconds.
  public let median: TimeInterval
  /// The time of the slowest transfer, in seconds.
  public let maximum: TimeInterval
}

/// The result of comparing a realm file with the server.
public struct AuditReport: Sendable, Hashable {
  /// The time of the state of the server that was compared, by the server's clock.
  public let date: Date
  /// Number of objects of the server that were compared.
  public let objects: Int
  /// Number of objects that differed, and were repaired.
  public let differences: Int
}
