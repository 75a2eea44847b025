public import Dispatch
import Foundation
public import RealmSwift
import Sync

extension SyncSession {
  /// The state of a transfer. Rows are counted, not bytes.
  public struct Progress: Sendable, Hashable {
    /// Number of rows that have been transferred.
    public let transferredRows: Int
    /// Number of rows that are to be transferred in all, as far as it is known.
    public let transferrableRows: Int

    /// The part that has been transferred, from 0 to 1.
    public var progressEstimate: Double {
      transferrableRows == 0 ? 1 : Double(transferredRows) / Double(transferrableRows)
    }

    /// Whether everything that is known of has been transferred.
    public var isTransferComplete: Bool { transferredRows >= transferrableRows }
  }

  /// The time for which progress is reported.
  public enum ProgressMode: Sendable {
    /// Until the token is invalidated.
    case reportIndefinitely
    /// Until the next transfer is complete.
    case forCurrentlyOutstandingWork
  }

  /// Calls a function while rows are transferred, on the thread of the session: after each 1,000 rows, and at the end.
  ///
  /// - Parameters:
  ///   - direction: The transfers of which the function is notified.
  ///   - mode: How long it is called.
  ///   - block: The function.
  /// - Returns: A token that ends the reports when it is invalidated or released.
  public func addProgressNotification(
    for direction: ProgressDirection, mode: ProgressMode, block: @escaping @Sendable (Progress) -> Void
  ) -> ProgressNotificationToken? {
    let number = loop.observers.add(
      direction == .upload ? .upload : .download, isOnce: mode == .forCurrentlyOutstandingWork
    ) { transfer in
      block(
        Progress(transferredRows: transfer.transferred, transferrableRows: transfer.transferrable))
    }
    loop.wake()
    return ProgressNotificationToken { [observers = loop.observers] in observers.remove(number) }
  }

  /// A token that ends reports of progress.
  public final class ProgressNotificationToken: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }

    /// Ends the reports.
    public func invalidate() { end() }
  }
}

extension AsyncOpenTask {
  /// Calls a function while a synchronised realm is downloaded before it is opened.
  ///
  /// - Parameters:
  ///   - queue: The queue on which the function is called.
  ///   - block: The function.
  public func addProgressNotification(
    queue: DispatchQueue = .main, block: @escaping (SyncSession.Progress) -> Void
  ) {
    // Called on the queue only.
    nonisolated(unsafe) let block = block
    observeProgress { progress in
      queue.async {
        block(
          SyncSession.Progress(
            transferredRows: progress.transferred, transferrableRows: progress.transferrable))
      }
    }
  }
}

extension RunningSession {
  /// Time between two checks whether there is a connection.
  private static let interval = Duration.milliseconds(10)

  func download(
    _ behavior: Realm.OpenBehavior, timeout: TimeInterval,
    progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws {
    let loop = session.loop
    if try behavior == .never || behavior == .once && loop.hasDownloaded() { return }
    let number = loop.observers.add(.download, isOnce: false) { transfer in
      progress(TransferProgress(transferred: transfer.transferred, transferrable: transfer.transferrable))
    }
    defer { loop.observers.remove(number) }
    let condition = loop.downloadCondition()
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        if let reason = try await loop.wait(for: condition) { throw Realm.Error(.fail, reason) }
      }
      group.addTask { try await Self.limitTimeWithoutConnection(loop, timeout) }
      try await group.next()
    }
    // The download may have begun before the observer was registered.
    let rows = loop.observers.downloadedRows
    progress(TransferProgress(transferred: rows, transferrable: rows))
  }

  /// Returns never: throws when the server refuses the role or its password, when there is no connection after a time, in seconds, or
  /// when the task is cancelled.
  private static func limitTimeWithoutConnection(_ loop: SyncLoop, _ limit: TimeInterval) async throws {
    let start = ContinuousClock.now
    let former = loop.report.failures
    while true {
      let report = loop.report
      if report.failures > former, let failure = report.failure, failure.isRefusal {
        throw Realm.Error(.fail, "The realm could not be downloaded before opening: \(failure.reason)")
      }
      if report.connection != .connected, ContinuousClock.now - start >= .seconds(limit) {
        let reason = report.failure?.reason ?? (report.isSuspended ? "the session is suspended" : "no answer")
        throw Realm.Error(
          .fail,
          "The realm could not be downloaded before opening, because there was no connection for \(limit) "
            + "seconds: \(reason)")
      }
      try await Task.sleep(for: interval)
    }
  }
}
