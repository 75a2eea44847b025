import LibC
import Storage
import Sync

/// A connection that is cut at a given step, before the server gets the statement or before its answer arrives, and that can
/// change the statements, as a faulty client would have them.
final class CuttingConnection: ServerConnection {
  /// Where the connection is cut.
  struct Cut {
    /// Number of steps that succeed before.
    var steps: Int
    /// Whether the server still executes the step, and only its answer is lost.
    var losesAnswer: Bool
    /// The beginning of the statements that count; nil for all.
    var statement: String?
    /// Whether the process is killed there, instead.
    var killsProcess = false
  }

  private let inner: PostgresConnection
  private var cut: Cut?
  private let change: (String) throws -> String
  /// Whether a value that PostgreSQL cannot store fails the push, as the server would do it.
  private let failsOnUnsendable: Bool
  /// Ends the inner connection; nil when it has been ended.
  private var end: ((PostgresConnection) -> Void)?

  /// - Parameters:
  ///   - change: Is called before each statement, and returns what is sent instead.
  ///   - end: Is called once with the inner connection, when this one is cut or closed.
  init(
    _ inner: PostgresConnection, cut: Cut?, failsOnUnsendable: Bool = false,
    change: @escaping (String) throws -> String,
    end: @escaping (PostgresConnection) -> Void = { $0.close() }
  ) {
    self.inner = inner
    self.cut = cut
    self.failsOnUnsendable = failsOnUnsendable
    self.change = change
    self.end = end
  }

  /// Is called with each row that arrives, and the statement.
  var noteRow: ((String, [Value]) -> Void)?

  /// Number of rows of a `COPY … TO` after which the connection is cut; nil if it is not.
  var rowsUntilCut: Int?

  /// Number of steps until now.
  private(set) var stepCount = 0

  private func step<Result>(_ sql: String, _ body: (String) throws -> Result) throws -> Result {
    stepCount += 1
    if end == nil { throw Self.lost }
    guard let current = cut, sql.hasPrefix(current.statement ?? "") else { return try body(change(sql)) }
    if current.steps > 0 {
      cut?.steps -= 1
      return try body(change(sql))
    }
    if current.losesAnswer { _ = try body(change(sql)) }
    if current.killsProcess { kill(getpid(), SIGKILL) }
    close()
    throw Self.lost
  }

  private static var lost: PostgresError {
    var error = PostgresError("the test has cut the connection")
    error.isConnectionLost = true
    return error
  }

  func query(_ sql: String, _ parameters: [String?]) throws(PostgresError) -> [[String?]] {
    do {
      return try step(sql) { try inner.query($0, parameters) }
    } catch let error as PostgresError {
      throw error
    } catch {
      throw PostgresError("\(error)")
    }
  }

  func copyIn(_ sql: String, _ input: PushInput) throws -> [UnsentRow] {
    let unsent = try step(sql) { try inner.copyIn($0, input) }
    if failsOnUnsendable, let row = unsent.first { throw PostgresError(row.reason) }
    return unsent
  }

  func copyIn(_ sql: String, _ input: ElementInput) throws -> [UnsentRow] {
    try step(sql) { try inner.copyIn($0, input) }
  }

  func copyOut(_ sql: String, _ types: [ServerType], _ body: ([Value]) -> Void) throws {
    try step(sql) { sql in
      try inner.copyOut(sql, types) { row in
        noteRow?(sql, row)
        body(row)
      }
    }
  }

  func copyOutEncoded(_ sql: String, fields: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try step(sql) { sql in
      try inner.copyOutEncoded(sql, fields: fields) { row in
        try body(row)
        if rowsUntilCut == 1 { throw Self.lost }
        rowsUntilCut? -= 1
      }
    }
  }

  func close() {
    end?(inner)
    end = nil
  }
}
