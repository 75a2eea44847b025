import Storage

/// The snapshot of the server whose rows a file has, as queries name it.
struct PullCursor: Sendable {
  private let literal: String
  /// The condition that the subscriptions select an object, behind another condition.
  let andIsSelected: String

  /// - Parameters:
  ///   - snapshot: The text of a `pg_snapshot`.
  ///   - filter: The condition for objects that the subscriptions select, on the alias `t`; nil when they select all.
  init(_ snapshot: String, filter: String?) {
    literal = "\(SQLText.literal(snapshot))::pg_snapshot"
    andIsSelected = filter.map { " and \($0)" } ?? ""
  }

  /// Returns the condition that the transaction in a column was not visible in the snapshot. The first half uses an index.
  func changed(_ column: String) -> String {
    "\(column) >= pg_snapshot_xmin(\(literal)) and not pg_visible_in_snapshot(\(column), \(literal))"
  }
}

extension [Value] {
  /// Calls the body with some keys after the others: a statement that names millions of keys would be too long.
  func forEachStatement(_ body: ([Value]) throws -> Void) rethrows {
    let longest = 10_000
    for start in stride(from: 0, to: count, by: longest) {
      try body(Array(self[start..<Swift.min(start + longest, count)]))
    }
  }
}
