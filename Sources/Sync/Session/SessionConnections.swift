/// The connections of a session: one that sends and receives, and one that signals arrive on.
package struct SessionConnections {
  package var main: any ServerConnection
  /// Nil where signals do not arrive, so that only polling is left.
  package var listener: PostgresConnection?
  /// The number of the process that serves `main`, whose signals are not answered: the pull that follows a push has answered them.
  private let ownProcess: Int32?

  /// - Parameter ownProcess: The number of the process that serves `main`; nil to answer all signals.
  package init(main: any ServerConnection, listener: PostgresConnection?, ownProcess: Int32? = nil) {
    self.main = main
    self.listener = listener
    self.ownProcess = ownProcess
  }

  /// Connects to a server.
  ///
  /// - Parameter schema: The schema whose signals are listened to.
  package static func open(
    _ settings: PostgresSettings, schema: String, _ interrupter: PostgresInterrupter
  ) throws(PostgresError) -> SessionConnections {
    let main = try PostgresConnection(settings, interrupter: interrupter)
    let listener = try PostgresConnection(settings, interrupter: interrupter)
    try listener.listen(SyncClient.channel(of: schema))
    return SessionConnections(main: main, listener: listener, ownProcess: try main.serverProcess())
  }

  /// Waits until the server signals, another thread wakes this one, or some seconds have passed.
  package func wait(
    seconds: Double, _ interrupter: PostgresInterrupter
  ) throws(PostgresError) -> PostgresConnection.NotificationWait {
    let deadline = Deadline.after(seconds)
    guard let listener else {
      interrupter.wait(until: deadline)
      return deadline.hasPassed ? .timedOut : .interrupted
    }
    while true {
      let end = try listener.waitForNotifications(until: deadline)
      guard case .notifications(let found) = end, found.allSatisfy({ $0.senderProcess == ownProcess }) else {
        return end
      }
    }
  }
}
