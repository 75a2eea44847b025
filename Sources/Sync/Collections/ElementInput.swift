package import Storage

/// The rows of a push's input of one collection.
package struct ElementInput {
  /// One row: the operation, the owner's key, values, and stamps.
  package struct Row {
    package var operation: Character
    package var owner: Value
    package var values: [Value]
    package var stamps: [Stamp?]
    /// Why it cannot be sent; nil if the values do not say anything against it.
    package var refusal: UnsendableValue?
  }

  package var keyType: ServerType
  /// The types of the values.
  package var types: [ServerType]
  package var stampCount: Int
  /// The name of the collection.
  package var property: String
  /// Calls the body with each row.
  package var forEachRow: ((Row) throws -> Void) throws -> Void
}

extension PostgresConnection {
  package func copyIn(_ sql: String, _ input: ElementInput) throws -> [UnsentRow] {
    var unsent: [UnsentRow] = []
    _ = try copyIn(sql) { writer in
      try input.forEachRow { row in
        do {
          if let refusal = row.refusal { throw refusal }
          try writer.row(fields: 2 + input.types.count + input.stampCount) {
            writer.character(row.operation.asciiValue!)
            try writer.value(row.owner, as: input.keyType)
            for (value, type) in zip(row.values, input.types) { try writer.value(value, as: type) }
            for stamp in row.stamps {
              if let stamp { writer.integer(stamp.rawValue) } else { writer.null() }
            }
          }
        } catch let error as UnsendableValue {
          unsent.append(
            UnsentRow(key: row.owner, reason: error.description, property: input.property))
        }
      }
    }
    return unsent
  }
}
