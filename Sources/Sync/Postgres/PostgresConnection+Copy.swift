internal import CPostgres
import LibC

extension PostgresConnection {
  /// Sends rows by a statement `copy … from stdin (format binary)`.
  ///
  /// When the body throws, the server drops all rows, the transaction has failed, and the error is thrown on.
  ///
  /// - Returns: The number of rows that the server has taken.
  @discardableResult
  package func copyIn(
    _ sql: String, deadline: Deadline = .never, _ body: (BinaryRowWriter) throws -> Void
  ) throws -> Int {
    var bodyError: (any Error)?
    let count = try exchange(sql) { (handle) throws(PostgresError) -> Int in
      try beginCopy(sql, PGRES_COPY_IN, isBinary: true, handle, deadline)
      let writer = BinaryRowWriter(to: self, deadline: deadline)
      do {
        try body(writer)
        try writer.finish()
      } catch {
        if let error = error as? PostgresError, error.isConnectionLost { throw error }
        bodyError = error
      }
      try endCopy(handle, deadline, message: bodyError == nil ? nil : "The client has abandoned the rows.")
      do throws(PostgresError) {
        let rows = PostgresRows(try lastResult(handle, deadline))
        return rows.affectedCount
      } catch {
        if error.isConnectionLost || bodyError == nil { throw error }
        return 0
      }
    }
    if let bodyError { throw bodyError }
    return count
  }

  /// Receives rows by a statement `copy … to stdout (format binary)`.
  ///
  /// When the body throws, the connection is closed and the error is thrown on: the server could not be asked to stop
  /// without waiting for it.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - fields: Number of fields that each row must have.
  ///   - body: Is called for each row.
  /// - Returns: The number of rows.
  @discardableResult
  package func copyOut(
    _ sql: String, fields: Int, deadline: Deadline = .never,
    _ body: (inout BinaryRowReader) throws -> Void
  ) throws -> Int {
    var copy = BinaryCopy(fields: fields)
    try receiveCopy(sql, isBinary: true, deadline) { try copy.read($0, body) }
    try copy.finish()
    return copy.rowCount
  }

  /// Receives what a statement `copy … to stdout` sends, message by message, in the text or the binary format.
  package func copyOutBytes(
    _ sql: String, isBinary: Bool = false, deadline: Deadline = .never,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try receiveCopy(sql, isBinary: isBinary, deadline, body)
  }

  private func receiveCopy(
    _ sql: String, isBinary: Bool, _ deadline: Deadline, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var bodyError: (any Error)?
    do {
      _ = try exchange(sql) { (handle) throws(PostgresError) -> PostgresRows in
        try beginCopy(sql, PGRES_COPY_OUT, isBinary: isBinary, handle, deadline)
        while let message = try nextMessage(handle, deadline) {
          defer { PQfreemem(message.bytes) }
          do {
            try body(UnsafeRawBufferPointer(start: message.bytes, count: message.count))
          } catch {
            bodyError = error
            throw PostgresError.lost("The rows were abandoned.")
          }
        }
        return PostgresRows(try lastResult(handle, deadline))
      }
    } catch {
      throw bodyError ?? error
    }
  }

  /// Sends a COPY statement and receives the server's consent.
  private func beginCopy(
    _ sql: String, _ direction: ExecStatusType, isBinary: Bool, _ handle: OpaquePointer, _ deadline: Deadline
  ) throws(PostgresError) {
    try send(sql, handle, deadline)
    guard let result = try nextResult(handle, deadline) else { throw Self.failure(handle) }
    let (status, format) = (PQresultStatus(result), PQbinaryTuples(result))
    if status == direction {
      PQclear(result)
      // The server sends and expects what the statement says, which is not what the caller does.
      guard (format == 1) == isBinary else {
        throw .lost("The statement has another format of COPY than its caller.")
      }
      return
    }
    let failure = Self.failure(of: result)
    let isError = status == PGRES_FATAL_ERROR
    PQclear(result)
    guard isError else { throw .lost("The statement is no COPY in the direction of its caller.") }
    while let result = try nextResult(handle, deadline) { PQclear(result) }
    throw failure
  }

  /// Receives the next message of a COPY; nil after the last.
  private func nextMessage(
    _ handle: OpaquePointer, _ deadline: Deadline
  ) throws(PostgresError) -> (bytes: UnsafeMutablePointer<CChar>, count: Int)? {
    var bytes: UnsafeMutablePointer<CChar>?
    while true {
      let count = PQgetCopyData(handle, &bytes, 1)
      if count > 0, let bytes { return (bytes, Int(count)) }
      if count == -1 { return nil }
      guard count == 0 else { throw Self.failure(handle).asLost }
      try waitForServer(handle, POLLIN, deadline)
      // Ends the COPY with the server's last message, if it sent one.
      if PQconsumeInput(handle) == 0 { return nil }
    }
  }

  /// Sends bytes of a COPY and waits until the operating system has taken them.
  func putCopyData(_ bytes: UnsafeRawBufferPointer, _ deadline: Deadline) throws(PostgresError) {
    guard let handle else { throw .lost("The connection is closed.") }
    while true {
      switch PQputCopyData(handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
      {
      case 1: return try flush(handle, deadline)
      case 0: try waitForServer(handle, POLLOUT, deadline)
      default: throw Self.failure(handle)
      }
    }
  }

  private func endCopy(
    _ handle: OpaquePointer, _ deadline: Deadline, message: String?
  ) throws(PostgresError) {
    while true {
      switch PQputCopyEnd(handle, message) {
      case 1: return try flush(handle, deadline)
      case 0: try waitForServer(handle, POLLOUT, deadline)
      default: throw Self.failure(handle)
      }
    }
  }
}
