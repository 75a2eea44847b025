/// What a schema change does to the database at its end.
package enum SchemaChangeEnd: Sendable {
  case commit, rollback
}

extension PostgresConnection {
  /// Runs a change of the tables and functions for synchronisation in one transaction. Another program that changes them waits at the
  /// beginning, so that what the body reads stays true until the end.
  ///
  /// - Parameter end: Whether the change is committed or only tried.
  package func changeSchema<Result>(
    _ end: SchemaChangeEnd = .commit, _ body: () throws -> Result
  ) throws -> Result {
    // A transaction of another level would read what was there before it has waited.
    try run("begin isolation level read committed")
    do {
      try run(ServerSchema.lock)
      let result = try body()
      switch end {
      case .commit: try commit()
      case .rollback: try rollback()
      }
      return result
    } catch {
      if isOpen { try? rollback() }
      throw error
    }
  }
}

extension ServerSchema {
  /// The statement that waits for another program that changes the schema. It also works where nothing has been made. The number is
  /// "realm" in ASCII.
  static let lock = "select pg_advisory_xact_lock(x'7265616c6d'::bigint)"
}
