import Storage

/// The rows that a pull has read of one class.
package struct PulledRows {
  /// Rows as the server has sent them, and the query that they are the result of.
  private var encoded: (rows: EncodedRows, query: PullQuery)?
  private var decoded: [PulledRow] = []

  package init() {}

  package var count: Int { (encoded?.rows.count ?? 0) + decoded.count }
  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ row: PulledRow) { decoded.append(row) }

  /// Appends a row as the server has sent it.
  ///
  /// - Parameter query: The query of the row: one for all rows that are appended so.
  mutating func append(_ fields: UnsafeRawBufferPointer, of query: PullQuery, in blocks: PulledBlocks) {
    if encoded == nil { encoded = (EncodedRows(query.rowTypes, in: blocks), query) }
    encoded!.rows.append(fields)
  }

  /// Calls the body with each row.
  ///
  /// - Throws: `PostgresError` for a row that is damaged; `StorageError` for rows that cannot be read back; what the body throws.
  package func read(_ body: (PulledRow) throws -> Void) throws {
    if let encoded { try encoded.rows.read { try body(encoded.query.row($0)) } }
    for row in decoded { try body(row) }
  }
}
