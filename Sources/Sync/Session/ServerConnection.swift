package import Storage

/// A connection to the server, as far as a sync client uses it: a test puts cuts between its steps.
package protocol ServerConnection: AnyObject {
  /// Runs a statement and returns its rows as texts.
  @discardableResult
  func query(_ sql: String, _ parameters: [String?]) throws(PostgresError) -> [[String?]]

  /// Sends rows with a `COPY … FROM STDIN (format binary)`. Returns the rows that were left out, because PostgreSQL cannot store
  /// a value of them.
  func copyIn(_ sql: String, _ input: PushInput) throws -> [UnsentRow]

  /// Sends elements with a `COPY … FROM STDIN (format binary)`. Returns the owners of elements that were left out, because PostgreSQL
  /// cannot store them.
  func copyIn(_ sql: String, _ input: ElementInput) throws -> [UnsentRow]

  /// Receives the rows of a `COPY … TO STDOUT (format binary)`.
  ///
  /// - Parameter types: The types of the columns.
  func copyOut(_ sql: String, _ types: [ServerType], _ body: ([Value]) -> Void) throws

  /// Receives the rows of a `COPY … TO STDOUT (format binary)`, and calls the body with the bytes of the fields of each row, which
  /// are valid in the body only.
  ///
  /// - Parameter fields: The number of fields of each row.
  func copyOutEncoded(_ sql: String, fields: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws

  /// Closes the connection. A transaction that is open is thereby rolled back.
  func close()
}

extension ServerConnection {
  @discardableResult
  func query(_ sql: String) throws(PostgresError) -> [[String?]] { try query(sql, []) }
}

/// The rows of a push's input of one class.
package struct PushInput {
  /// One row: the operation, the key, values, and stamps.
  package struct Row {
    package var operation: PushedRow.Operation
    package var key: Value
    /// The values of the properties; null for a deletion.
    package var values: [Value]
    /// The stamp of a creation or deletion.
    package var at: Stamp?
    /// By the numbers of the properties on the server; nil for a deletion.
    package var stamps: [Stamp?]?
  }

  package var keyType: ServerType
  /// The types of the properties.
  package var types: [ServerType]
  /// Calls the body with each row.
  package var forEachRow: ((Row) throws -> Void) throws -> Void
}

/// A row that PostgreSQL cannot store.
package struct UnsentRow: Sendable {
  package var key: Value
  package var reason: String
  /// The collection of the element; nil for an object.
  package var property: String?
}

extension PostgresConnection: ServerConnection {
  package func query(_ sql: String, _ parameters: [String?]) throws(PostgresError) -> [[String?]] {
    let rows = try run(sql, parameters.map { $0.map { PostgresValue.text($0) } ?? .null })
    return rows.map { row in (0..<row.count).map { row.text($0) } }
  }

  package func copyIn(_ sql: String, _ input: PushInput) throws -> [UnsentRow] {
    var unsent: [UnsentRow] = []
    _ = try copyIn(sql) { writer in
      try input.forEachRow { row in
        do {
          try writer.row(fields: 4 + input.types.count) {
            writer.character(row.operation.rawValue.asciiValue!)
            try writer.value(row.key, as: input.keyType)
            for (value, type) in zip(row.values, input.types) { try writer.value(value, as: type) }
            if let at = row.at { writer.integer(at.rawValue) } else { writer.null() }
            if let stamps = row.stamps { writer.integers(stamps.map { $0?.rawValue }) } else { writer.null() }
          }
        } catch let error as UnsendableValue {
          unsent.append(UnsentRow(key: row.key, reason: error.description))
        }
      }
    }
    return unsent
  }

  package func copyOut(_ sql: String, _ types: [ServerType], _ body: ([Value]) -> Void) throws {
    var values: [Value] = []
    try copyOut(sql, fields: types.count) { reader in
      try reader.read(types, into: &values)
      body(values)
    }
  }

  package func copyOutEncoded(
    _ sql: String, fields: Int, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try copyOut(sql, fields: fields) { reader in try body(reader.takeRest()) }
  }
}
