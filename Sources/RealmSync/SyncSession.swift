import Foundation
public import RealmSwift
import Sync

/// The synchronisation of one realm file: sends its changes and receives those of other clients, on a thread of its own.
///
/// A session runs while a realm of the file is open, or the program has a reference to the session. All realms of a file in a process
/// have the same session, also those that are opened while only the program has a reference to it.
public final class SyncSession: Sendable {
  /// Whether a session sends and receives.
  public enum State: Sendable {
    /// Changes are sent and received, as far as the server can be reached.
    case active
    /// The program has suspended the session.
    case inactive
    /// The session has stopped for a reason that ``SyncHealth/Status`` has.
    case invalid
  }

  /// Whether a session has a connection.
  public enum ConnectionStatus: Sendable {
    /// There is no connection.
    case disconnected
    /// A connection is being made.
    case connecting
    /// There is a connection.
    case connected
  }

  /// The direction of a transfer.
  public enum ProgressDirection: Sendable {
    /// From the realm to the server.
    case upload
    /// From the server to the realm.
    case download
  }

  let loop: SyncLoop

  init(_ loop: SyncLoop) { self.loop = loop }

  deinit { loop.stop() }

  /// Whether the session sends and receives.
  public var state: State {
    let report = loop.report
    if report.stopReason != nil { return .invalid }
    return report.isSuspended ? .inactive : .active
  }

  /// Whether the session has a connection.
  public var connectionStatus: ConnectionStatus {
    switch loop.report.connection {
    case .disconnected: .disconnected
    case .connecting: .connecting
    case .connected: .connected
    }
  }

  /// Closes the connection when the step in progress has ended. Changes that are committed afterwards wait in the file until
  /// ``resume()``.
  public func suspend() { loop.setSuspended(true) }

  /// Continues after ``suspend()``, and tries at once to connect if the session waits to do so.
  public func resume() { loop.setSuspended(false) }

  /// Waits for a transfer.
  ///
  /// `.upload`: the server has confirmed all changes that were committed before the call, in a state of its own that was read
  /// after they were sent. What it has refused is undone in the realm file by then; what a trigger of the database has made of
  /// accepted values comes with the download, after which ``health`` is current; until then it may be behind. `.download`: the realm file has a state of the server that is later than the call.
  /// The realm shows it after a refresh.
  ///
  /// - Throws: `Realm.Error` if the session has stopped; `CancellationError` as soon as the task is cancelled. The transfer goes on
  ///   then.
  public func wait(for direction: ProgressDirection) async throws {
    let condition = direction == .upload ? loop.uploadCondition() : loop.downloadCondition()
    if let reason = try await loop.wait(for: condition) { throw Realm.Error(.fail, reason) }
  }

  /// Receives all objects again and removes those that the server does not have. Local changes that the server does not
  /// have yet are kept.
  ///
  /// - Throws: As ``wait(for:)``.
  public func resyncEverything() async throws {
    loop.requestFullPull()
    try await wait(for: .download)
  }

  /// Compares the realm file with the server, except for lists, and repairs what differs. Local changes that the server does not
  /// have yet are kept.
  ///
  /// The server sends a hash for each group of some 250 objects, and only the objects of groups that differ; all objects of a class
  /// with a `jsonb` column, and all elements of sets and maps. A session audits its file by itself, as the configuration's
  /// `auditInterval` says.
  ///
  /// - Throws: As ``wait(for:)``.
  @discardableResult
  public func audit() async throws -> AuditReport {
    if let reason = try await loop.wait(for: loop.requestAudit()) { throw Realm.Error(.fail, reason) }
    guard let findings = loop.report.facts.lastAudit else { throw Realm.Error(.fail, "There was no audit.") }
    return AuditReport(findings)
  }

  /// What is known of the state of the realm and of the server.
  public var health: SyncHealth { SyncHealth(loop.report, at: Date()) }
}

extension Realm {
  /// The synchronisation of the realm's file; nil for local realms.
  public var syncSession: SyncSession? { (synchronisation as? RunningSession)?.session }
}
