import Storage

/// The attempts to send what the server does not accept for now, while receiving goes on: its disk is full, a table is
/// locked, or it only reads.
struct PushAttempts {
  /// Since when nothing was accepted, and why; nil after an attempt that succeeded.
  private(set) var failure: SyncLoop.Failure?
  private var backOff = BackOff()
  /// Whether the schema was compared after an error that says that it has changed.
  private var hasComparedSchema = false
  private var next = Deadline.never

  /// Maximum time until the next attempt, in seconds; infinite while none has failed.
  var wait: Double { failure == nil ? .infinity : Double(next.pollTimeout) / 1000 }

  /// Lets the next attempt be made at once, over a new connection.
  mutating func retryAtOnce() { next = .after(0) }

  /// Sends what is pending unless an attempt has failed a short time ago. Returns whether anything was sent.
  ///
  /// - Throws: Errors that also end receiving: the connection is lost, or the database has to be changed first.
  mutating func push(_ client: SyncClient) throws -> Bool {
    if failure != nil && !next.hasPassed {
      try client.noteWaiting()
      return false
    }
    do {
      let hasSent = try client.measuredPush()
      self = PushAttempts()
      return hasSent
    } catch let error as PostgresError {
      // The next contact finds out what has changed in the schema. If it finds nothing, a trigger or a policy is wrong.
      let isSchema = error.sqlState.map { ["42703", "42P01"].contains($0) } ?? false
      let isNews = isSchema ? !hasComparedSchema : error.needsIntervention
      if isSchema { hasComparedSchema = true }
      if client.connection == nil || error.isConnectionLost || isNews { throw error }
      failure = SyncLoop.Failure(
        since: failure?.since ?? SyncClock.systemMilliseconds(), reason: "\(error)", isRefusal: false)
      next = .after(backOff.next())
      return false
    }
  }
}
