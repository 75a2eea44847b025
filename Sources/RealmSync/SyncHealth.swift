public import Foundation
import Sync

/// What is known of a synchronised realm, computed from what the server has confirmed.
public struct SyncHealth: Sendable {
  /// The state of a synchronised realm.
  public enum Status: Sendable, Hashable {
    /// The realm has what the server has, and the server has what the realm has: both were confirmed within
    /// the last two poll intervals, and no local change has waited for more than 60 seconds.
    case current
    /// The server can be reached, but more than that is waiting, or nothing has been confirmed yet.
    case behind(since: Date)
    /// The server cannot be reached.
    case offline(since: Date, reason: String)
    /// Nothing is sent or received until the reason is removed: the schema, a permission, the protocol.
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
}
