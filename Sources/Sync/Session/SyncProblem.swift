/// Why a client cannot go on until somebody changes something: the schema, a permission, the file.
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
}

/// Why a client reads everything again.
package enum ResetCause: Sendable, Hashable {
  case historyChanged
  case tooOld
  case requested
}
