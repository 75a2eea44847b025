/// The connections of a session: one that sends and receives, and one that signals arrive on.
package struct SessionConnections {
  package var main: any ServerConnection
  /// Nil where signals do not arrive, so that only polling is left.
  package var listener: PostgresConnection?

  package init(main: any ServerConnection, listener: PostgresConnection?) {
    self.main = main
    self.listener = listener
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
    return SessionConnections(main: main, listener: listener)
  }

  /// Waits until the server signals, another thread wakes this one, or some seconds have passed.
  func wait(
    seconds: Double, _ interrupter: PostgresInterrupter
  ) throws(PostgresError) -> PostgresConnection.NotificationWait {
    if let listener { return try listener.waitForNotifications(until: .after(seconds)) }
    let deadline = Deadline.after(seconds)
    interrupter.wait(until: deadline)
    return deadline.hasPassed ? .timedOut : .interrupted
  }
}
