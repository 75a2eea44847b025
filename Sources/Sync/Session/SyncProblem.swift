/// Why a client cannot go on: the schema, a permission or the file has to be changed first.
package struct SyncProblem: Error, Sendable, Hashable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

/// What a session reports to the program.
package enum SyncEvent: Sendable {
  /// The server has refused changes of objects.
  case rejected([RejectedObject])
  /// The file is compared with the whole database.
  case reset(ResetCause)
  /// The server has values that are not in the form that realms write: the properties keep what they have.
  case unreadable([UnreadableValue])
  /// The file was compared with the server.
  case audited(AuditFindings)
}

/// Why a client reads everything again.
package enum ResetCause: Sendable, Hashable {
  case historyChanged
  case tooOld
  case requested
  case policiesChanged
}
