internal import CPostgres
import LibC

extension PostgresConnection {
  /// Executes one statement.
  ///
  /// - Parameters:
  ///   - sql: The statement; `$1`, `$2`, … are its parameters.
  ///   - parameters: Their values.
  ///   - binaryResults: Whether the rows come in the binary format, which `PostgresRow.value` needs.
  ///   - deadline: When to give up. The settings limit how long the server may be silent in any case.
  /// - Throws: The server's error, after which the connection can be used; or one with `isConnectionLost`, after which it
  ///   is closed.
  @discardableResult
  package func run(
    _ sql: String, _ parameters: [PostgresValue] = [], binaryResults: Bool = false,
    deadline: Deadline = .never
  ) throws(PostgresError) -> PostgresRows {
    let encoded = try EncodedParameters(parameters)
    return try exchange(sql) { (handle) throws(PostgresError) in
      let isSent = encoded.withPointers { pointers, lengths in
        PQsendQueryParams(
          handle, sql, Int32(pointers.count), encoded.types, pointers, lengths, encoded.formats,
          binaryResults ? 1 : 0)
      }
      guard isSent == 1 else { throw Self.failure(handle) }
      try flush(handle, deadline)
      return PostgresRows(try lastResult(handle, deadline))
    }
  }

  /// Executes several statements, separated by semicolons, in one round trip. Outside of a transaction they are one.
  ///
  /// - Returns: The result of the last one, as text.
  @discardableResult
  package func runScript(_ sql: String, deadline: Deadline = .never) throws(PostgresError) -> PostgresRows {
    try exchange(sql) { (handle) throws(PostgresError) in
      try send(sql, handle, deadline)
      return PostgresRows(try lastResult(handle, deadline))
    }
  }

  /// Commits the open transaction.
  ///
  /// - Throws: Also if the server has rolled back instead, because a statement had failed: it answers that without an
  ///   error. With `isOutcomeUnknown`, the transaction may have been committed.
  package func commit(deadline: Deadline = .never) throws(PostgresError) {
    let answer = try run("commit", deadline: deadline).commandTag
    guard answer == "COMMIT" else {
      throw PostgresError(
        "The transaction was rolled back, because a statement in it has failed.", sqlState: "25P02")
    }
  }

  /// Rolls the open transaction back.
  package func rollback(deadline: Deadline = .never) throws(PostgresError) {
    try run("rollback", deadline: deadline)
  }

  /// Sends statements without parameters.
  func send(_ sql: String, _ handle: OpaquePointer, _ deadline: Deadline) throws(PostgresError) {
    guard PQsendQuery(handle, sql) == 1 else { throw Self.failure(handle) }
    try flush(handle, deadline)
  }

  /// Waits until all bytes are with the operating system.
  func flush(_ handle: OpaquePointer, _ deadline: Deadline) throws(PostgresError) {
    while true {
      switch PQflush(handle) {
      case 0: return
      case 1:
        // The server may have to be read from before it reads.
        try waitForServer(handle, POLLOUT | POLLIN, deadline)
        guard PQconsumeInput(handle) == 1 else { throw Self.failure(handle) }
      default: throw Self.failure(handle)
      }
    }
  }

  /// Receives the next result of a statement; nil after the last.
  func nextResult(_ handle: OpaquePointer, _ deadline: Deadline) throws(PostgresError) -> OpaquePointer? {
    while PQisBusy(handle) == 1 {
      try waitForServer(handle, POLLIN, deadline)
      // After a failure the result tells it; what the server said last comes first.
      if PQconsumeInput(handle) == 0 { break }
    }
    return PQgetResult(handle)
  }

  /// Receives all results of a statement and returns the last.
  ///
  /// - Throws: The first error among them.
  func lastResult(_ handle: OpaquePointer, _ deadline: Deadline) throws(PostgresError) -> OpaquePointer {
    var last: OpaquePointer?
    var failure: PostgresError?
    while true {
      let result: OpaquePointer?
      do {
        result = try nextResult(handle, deadline)
      } catch {
        PQclear(last)
        throw failure.map { $0.asLost } ?? error
      }
      guard let result else { break }
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
        PQclear(last)
        last = result
      case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
        PQclear(result)
        PQclear(last)
        throw .lost("COPY was executed as a statement of another kind.")
      default:
        failure = failure ?? Self.failure(of: result)
        PQclear(result)
      }
    }
    if let last, failure == nil { return last }
    PQclear(last)
    throw failure ?? Self.failure(handle)
  }

  /// The error of a call that failed before the server answered.
  static func failure(_ handle: OpaquePointer) -> PostgresError {
    let message = String(cString: PQerrorMessage(handle)).trimmingSuffix { $0.isNewline }
    return PostgresError(message.isEmpty ? "The server has not answered." : message)
  }

  /// The error that the server, or libpq, gave as a result.
  static func failure(of result: OpaquePointer) -> PostgresError {
    func field(_ code: Character) -> String? {
      PQresultErrorField(result, Int32(code.asciiValue!)).map { String(cString: $0) }
    }
    let message = field("M") ?? PQresultErrorMessage(result).map { String(cString: $0) } ?? ""
    var error = PostgresError(message.trimmingSuffix { $0.isNewline }, sqlState: field("C"))
    (error.detail, error.hint, error.constraint) = (field("D"), field("H"), field("n"))
    return error
  }
}

extension PostgresError {
  /// The error, of a connection that has been lost since.
  var asLost: PostgresError {
    var error = self
    error.isConnectionLost = true
    return error
  }
}
