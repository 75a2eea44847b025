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
  }

  private let inner: PostgresConnection
  private var cut: Cut?
  private let change: (String) -> String

  init(_ inner: PostgresConnection, cut: Cut?, change: @escaping (String) -> String) {
    self.inner = inner
    self.cut = cut
    self.change = change
  }

  /// Number of steps until now.
  private(set) var stepCount = 0

  private func step<Result>(_ body: () throws -> Result) throws -> Result {
    stepCount += 1
    guard let current = cut else { return try body() }
    if current.steps > 0 {
      cut?.steps -= 1
      return try body()
    }
    if current.losesAnswer { _ = try body() }
    inner.close()
    var error = PostgresError("the test has cut the connection")
    error.isConnectionLost = true
    throw error
  }

  func query(_ sql: String, _ parameters: [String?]) throws(PostgresError) -> [[String?]] {
    do {
      return try step { try inner.query(change(sql), parameters) }
    } catch let error as PostgresError {
      throw error
    } catch {
      throw PostgresError("\(error)")
    }
  }

  func copyIn(_ sql: String, _ input: PushInput) throws -> [UnsentRow] {
    try step { try inner.copyIn(change(sql), input) }
  }

  func copyOut(_ sql: String, _ types: [ServerType], _ body: ([Value]) -> Void) throws {
    try step { try inner.copyOut(change(sql), types, body) }
  }

  func close() { inner.close() }
}
