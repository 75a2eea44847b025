extension SyncLoop {
  /// The state of the connection.
  package enum Connection: Sendable {
    case disconnected, connecting, connected
  }

  /// Why a session has no connection, or nothing is accepted over the one that it has.
  package struct Failure: Sendable {
    /// In milliseconds since 1970.
    package var since: Int64
    package var reason: String
    /// Whether the server has not accepted the role or its password, or there was no password.
    package var isRefusal: Bool
  }

  /// What is known of a session, by the clock of this machine where nothing else is said.
  package struct Report: Sendable {
    package var facts = SyncFacts()
    package var connection = Connection.disconnected
    package var isSuspended = false
    /// Why the session sends and receives nothing: the schema, a privilege or the file has to be changed first.
    package var stopReason: String?
    /// Why there is no connection, or nothing is accepted; nil when neither holds, or no connection has been tried.
    package var failure: Failure?
    /// Number of attempts to connect or to transfer that have failed.
    package var failures: UInt64 = 0
    /// When the session has last confirmed both directions, in milliseconds since 1970.
    package var lastCycle: Int64?
    /// When the session was made, in milliseconds since 1970.
    package var started: Int64
    /// The version up to which the server has everything, read back from the server.
    package var uploaded: UInt64 = 0
    /// Maximum time between two pulls while the server sends no signal, in seconds.
    package var pollInterval: Double
  }
}
