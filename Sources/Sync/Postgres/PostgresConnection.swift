internal import CPostgres
import LibC

/// A connection to a PostgreSQL server through libpq.
///
/// libpq never blocks: the connection waits by itself, with a deadline, and other threads can interrupt it. A call whose
/// answer does not come closes the connection and throws an error of the kind `lost`; it never hangs. A connection
/// belongs to one thread at a time.
///
/// Invariant: `handle` is a valid libpq connection until `close` has set it to nil.
package final class PostgresConnection {
  private(set) var handle: OpaquePointer?
  /// Interrupts this connection from other threads.
  package let interrupter: PostgresInterrupter
  /// Maximum time in seconds without a byte from the server while an answer is due; at first that of the settings.
  package var silenceLimit: Double

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - settings: Where the server is, and the limits of waiting.
  ///   - interrupter: Interrupts this connection, from its establishment on.
  ///   - deadline: When to give up, if that is earlier than the settings say.
  package init(
    _ settings: PostgresSettings, interrupter: PostgresInterrupter = PostgresInterrupter(),
    deadline: Deadline = .never
  ) throws(PostgresError) {
    self.interrupter = interrupter
    silenceLimit = settings.silenceLimit
    let limit = min(deadline, .after(settings.connectTimeout))
    do throws(PostgresError) {
      handle = try Self.establish(settings, wasRefused: false, interrupter, limit)
    } catch {
      // The password may have been changed since it was provided last. Where the server asks another service for passwords, it
      // does not tell a wrong one from an unknown role.
      guard error.isAuthenticationFailure, !error.hasProviderFailed, case .provider = settings.password
      else { throw error }
      handle = try Self.establish(settings, wasRefused: true, interrupter, limit)
    }
    try prepareSession(settings, limit)
  }

  deinit { close() }

  /// Closes the connection. The server rolls an open transaction back.
  package func close() {
    guard let handle else { return }
    self.handle = nil
    // So that nothing waits for a server that does not read.
    let descriptor = PQsocket(handle)
    if descriptor >= 0 && PQtransactionStatus(handle) != PQTRANS_IDLE {
      shutdown(descriptor, Int32(SHUT_RDWR))
    }
    PQfinish(handle)
  }

  /// Whether the connection can be used.
  package var isOpen: Bool { handle.map { PQstatus($0) == CONNECTION_OK } ?? false }

  /// The server's version, as 150018 for 15.18.
  package var serverVersion: Int { handle.map { Int(PQserverVersion($0)) } ?? 0 }

  /// The number of the process that serves this connection.
  package var backendProcess: Int32 { handle.map { PQbackendPID($0) } ?? 0 }

  /// Whether a transaction is open, also one that has failed.
  package var isInTransaction: Bool {
    guard let handle else { return false }
    return [PQTRANS_INTRANS, PQTRANS_INERROR].contains(PQtransactionStatus(handle))
  }

  /// Whether the connection is encrypted by TLS.
  package var usesTLS: Bool { handle.map { PQsslInUse($0) == 1 } ?? false }

  /// Returns what cancels the statement that this connection executes, for use by another thread.
  package func canceller() -> PostgresCanceller? {
    handle.flatMap { PQgetCancel($0) }.map(PostgresCanceller.init)
  }

  /// Sets what the session's texts and limits depend on, whatever the role's own settings are.
  private func prepareSession(_ settings: PostgresSettings, _ deadline: Deadline) throws(PostgresError) {
    let statementTimeout = Int(settings.statementTimeout * 1000)
    let idleTimeout = Int(settings.silenceLimit * 1000)
    try runScript(
      """
      set statement_timeout = \(statementTimeout); set idle_in_transaction_session_timeout = \(idleTimeout);
      set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set bytea_output = 'hex'; set extra_float_digits = 1;
      set standard_conforming_strings = on; set client_min_messages = warning
      """, deadline: deadline)
  }
}

/// Asks a server to end the statement of a connection.
package final class PostgresCanceller: @unchecked Sendable {
  // libpq allows its use by any thread; it is freed once, at the end.
  private let request: OpaquePointer

  fileprivate init(_ request: OpaquePointer) { self.request = request }

  deinit { PQfreeCancel(request) }

  /// Sends the request through a connection of its own, without TLS. Blocks until the server has received it, as long as
  /// the network lets it: not for a thread that must not hang. The statement then ends with SQLSTATE 57014, unless it
  /// has ended before.
  package func cancel() throws(PostgresError) {
    var message = [CChar](repeating: 0, count: 256)
    guard PQcancel(request, &message, 256) == 1 else {
      throw PostgresError(
        String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
  }
}

// MARK: - Establishing

extension PostgresConnection {
  private static func establish(
    _ settings: PostgresSettings, wasRefused: Bool, _ interrupter: PostgresInterrupter, _ deadline: Deadline
  ) throws(PostgresError) -> OpaquePointer {
    let parameters = try settings.parameters(wasRefused: wasRefused)
    guard let handle = start(parameters) else { throw PostgresError("There is no memory for a connection.") }
    do throws(PostgresError) {
      PQsetNoticeProcessor(handle, { _, _ in }, nil)
      // Only a verbose message tells the SQLSTATE of a connection that the server refuses.
      PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
      var state = PGRES_POLLING_WRITING
      while state != PGRES_POLLING_OK {
        if state == PGRES_POLLING_FAILED || PQstatus(handle) == CONNECTION_BAD { throw refusal(handle) }
        let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
        switch wait(PQsocket(handle), events, interrupter.stopDescriptor, deadline) {
        case .ready: state = PQconnectPoll(handle)
        case .interrupted: throw .interrupted
        case .timedOut: throw .lost("\(settings) has not answered in time.")
        }
      }
      PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
      guard PQsetnonblocking(handle, 1) == 0 else {
        throw .lost("The connection cannot be made non-blocking.")
      }
      return handle
    } catch {
      PQfinish(handle)
      throw error
    }
  }

  private static func start(_ parameters: [(String, String)]) -> OpaquePointer? {
    let texts = parameters.map { (strdup($0.0), strdup($0.1)) }
    defer {
      for (name, value) in texts {
        free(name)
        // Passwords do not stay in freed memory.
        if let value { explicit_bzero(value, strlen(value)) }
        free(value)
      }
    }
    let names = texts.map { UnsafePointer($0.0) } + [nil]
    let values = texts.map { UnsafePointer($0.1) } + [nil]
    // The name of the database may be a connection string of the settings.
    return PQconnectStartParams(names, values, 1)
  }

  /// The error of a connection that has not been established.
  private static func refusal(_ handle: OpaquePointer) -> PostgresError {
    var message = String(cString: PQerrorMessage(handle))
    if let location = message.firstRange(of: "\nLOCATION:") {
      message = String(message[..<location.lowerBound])
    }
    var error = PostgresError.lost(message)
    error.isPasswordMissing = PQconnectionNeedsPassword(handle) == 1
    // "…: FATAL:  28P01: password authentication failed"
    for place in message.ranges(of: ":  ") {
      let state = message[place.upperBound...].prefix(5)
      let isState = state.utf8.allSatisfy { 48...57 ~= $0 || 65...90 ~= $0 }
      if isState && message[state.endIndex...].hasPrefix(": ") {
        error.sqlState = String(state)
        message.removeSubrange(state.startIndex..<message.index(state.endIndex, offsetBy: 2))
        break
      }
    }
    error.message = message.trimmingSuffix { $0.isNewline || $0 == " " }
    return error
  }
}

// MARK: - Waiting

extension PostgresConnection {
  enum Waited { case ready, interrupted, timedOut }

  /// Waits for a socket, an interruption, or a deadline.
  static func wait(
    _ socket: Int32, _ events: Int32, _ interruption: Int32, _ deadline: Deadline
  ) -> Waited {
    while true {
      var polled = [
        pollfd(fd: socket, events: Int16(events), revents: 0),
        pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, 2, deadline.pollTimeout)
      if polled[1].revents != 0 { return .interrupted }
      // An invalid socket is reported as ready: using it tells the error.
      if polled[0].revents != 0 { return .ready }
      if count == 0 && deadline.hasPassed { return .timedOut }
    }
  }

  /// Waits until the server has sent something or, if asked for, can be sent something.
  func waitForServer(_ handle: OpaquePointer, _ events: Int32, _ deadline: Deadline) throws(PostgresError) {
    let limit = min(deadline, .after(silenceLimit))
    switch Self.wait(PQsocket(handle), events, interrupter.stopDescriptor, limit) {
    case .ready: return
    case .interrupted: throw .interrupted
    case .timedOut: throw .lost("The server has not answered in time.")
    }
  }

  /// Calls the body, which sends a statement and receives its answer. Closes the connection if it is lost.
  func exchange<Result>(
    _ sql: String, _ body: (OpaquePointer) throws(PostgresError) -> Result
  ) throws(PostgresError) -> Result {
    guard let handle else { throw .lost("The connection is closed.") }
    guard !sql.utf8.contains(0) else { throw PostgresError("A statement contains the character U+0000.") }
    let mayCommit = PQtransactionStatus(handle) == PQTRANS_IDLE || Self.mayEndTransaction(sql)
    do throws(PostgresError) {
      return try body(handle)
    } catch {
      var error = error
      if PQstatus(handle) != CONNECTION_OK { error.isConnectionLost = true }
      if error.isConnectionLost {
        error.isOutcomeUnknown = mayCommit
        close()
      }
      throw error
    }
  }

  /// Whether a statement may commit an open transaction. True also for some that do not.
  private static func mayEndTransaction(_ sql: String) -> Bool {
    let words = sql.lowercased().split { !($0.isLetter || $0 == "_") }
    return words.contains { ["commit", "end", "prepare"].contains($0) }
  }
}

extension PostgresError {
  static var interrupted: PostgresError {
    var error = PostgresError.lost("The connection was closed by the program.")
    error.isInterrupted = true
    return error
  }
}
