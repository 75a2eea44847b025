internal import CPostgres
import LibC

/// A signal of another session.
package struct PostgresNotification: Sendable, Hashable {
  /// The channel that it was sent to.
  package let channel: String
  /// The text that was sent with it.
  package let payload: String
  /// The number of the process that serves the sender.
  package let senderProcess: Int32

  package init(channel: String, payload: String, senderProcess: Int32) {
    (self.channel, self.payload, self.senderProcess) = (channel, payload, senderProcess)
  }
}

extension PostgresConnection {
  /// How waiting for notifications has ended.
  package enum NotificationWait: Sendable, Hashable {
    /// At least one has arrived.
    case notifications([PostgresNotification])
    /// Another thread has called `PostgresInterrupter.wake`.
    case interrupted
    /// The deadline has come.
    case timedOut
  }

  /// Subscribes to a channel, from the end of the transaction on.
  package func listen(_ channel: String) throws(PostgresError) {
    try run("listen \"\(channel.replacing("\"", with: "\"\""))\"")
  }

  /// Returns the number of the process that serves the connection. What libpq says is another one behind a pooler.
  package func serverProcess() throws(PostgresError) -> Int32? {
    try run("select pg_backend_pid()::text")[0].text(0).flatMap { Int32($0) }
  }

  /// Returns the notifications that have arrived and were not returned before, without waiting.
  package func takeNotifications() throws(PostgresError) -> [PostgresNotification] {
    guard let handle else { throw .lost("The connection is closed.") }
    let isConnected = PQconsumeInput(handle) == 1
    var notifications: [PostgresNotification] = []
    while let notification = PQnotifies(handle) {
      let content = notification.pointee
      notifications.append(
        PostgresNotification(
          channel: String(cString: content.relname), payload: String(cString: content.extra),
          senderProcess: content.be_pid))
      PQfreemem(notification)
    }
    guard isConnected && PQstatus(handle) == CONNECTION_OK || !notifications.isEmpty else {
      let failure = Self.failure(handle).asLost
      close()
      throw failure
    }
    return notifications
  }

  /// Waits until a notification arrives, another thread wakes this one, or the deadline comes.
  ///
  /// - Throws: `PostgresError` if the connection is lost, as far as the operating system knows: a server that stopped
  ///   without a word is noticed by the next statement only.
  package func waitForNotifications(until deadline: Deadline) throws(PostgresError) -> NotificationWait {
    while true {
      let notifications = try takeNotifications()
      if !notifications.isEmpty { return .notifications(notifications) }
      guard let handle else { throw .lost("The connection is closed.") }
      switch try waitForSocket(PQsocket(handle), deadline) {
      case .ready: continue
      case .interrupted: return .interrupted
      case .timedOut: return .timedOut
      }
    }
  }

  private func waitForSocket(_ socket: Int32, _ deadline: Deadline) throws(PostgresError) -> Waited {
    while true {
      var polled = [socket, interrupter.wakeDescriptor, interrupter.stopDescriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let count = poll(&polled, 3, deadline.pollTimeout)
      if polled[2].revents != 0 {
        close()
        throw .interrupted
      }
      if polled[1].revents != 0 && interrupter.take() { return .interrupted }
      if polled[0].revents != 0 { return .ready }
      if count == 0 && deadline.hasPassed { return .timedOut }
    }
  }
}
