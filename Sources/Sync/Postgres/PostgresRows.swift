internal import CPostgres
package import Storage

/// The rows that a statement returned.
///
/// Rows and fields are views into the result, which lives as long as one of them. They belong to one thread.
package final class PostgresRows: RandomAccessCollection {
  private let result: OpaquePointer
  /// Number of rows.
  package let count: Int
  /// Number of fields of each row.
  package let columnCount: Int

  init(_ result: OpaquePointer) {
    self.result = result
    count = Int(PQntuples(result))
    columnCount = Int(PQnfields(result))
  }

  deinit { PQclear(result) }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  /// The row at an index.
  package subscript(index: Int) -> PostgresRow {
    precondition(index >= 0 && index < count, "the result has a row of this number")
    return PostgresRow(rows: self, index: index)
  }

  /// What the server did: "INSERT 0 5", "COMMIT", "ROLLBACK".
  package var commandTag: String { String(cString: PQcmdStatus(result)) }

  /// Number of rows that the statement returned or wrote; 0 for statements that do neither.
  package var affectedCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  /// The name of a column.
  package func columnName(_ column: Int) -> String {
    PQfname(result, Int32(column)).map { String(cString: $0) } ?? ""
  }

  /// The bytes of a field, nil for null. Valid as long as this object.
  fileprivate func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
    precondition(column >= 0 && column < columnCount, "the result has a column of this number")
    let (row, column) = (Int32(row), Int32(column))
    guard PQgetisnull(result, row, column) == 0 else { return nil }
    return UnsafeRawBufferPointer(
      start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
  }

  fileprivate func isBinary(_ column: Int) -> Bool { PQfformat(result, Int32(column)) == 1 }
}

/// A row of a result.
package struct PostgresRow {
  fileprivate let rows: PostgresRows
  fileprivate let index: Int

  /// Number of fields.
  package var count: Int { rows.columnCount }

  /// Whether a field is null.
  package func isNull(_ column: Int) -> Bool { rows.bytes(index, column) == nil }

  /// Calls the body with the bytes of a field, nil for null: text, or what the type has in the binary format.
  package func withBytes<Result, Failure: Error>(
    _ column: Int, _ body: (UnsafeRawBufferPointer?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(rows.bytes(index, column))
  }

  /// The field as text, nil for null: as the server writes it, or in the binary format that of a column of the type `text`.
  package func text(_ column: Int) -> String? {
    rows.bytes(index, column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The integer in a field in either format, nil for null.
  ///
  /// - Throws: `PostgresError` if the field holds no integer of at most 64 bits.
  package func integer(_ column: Int) throws(PostgresError) -> Int64? {
    guard let bytes = rows.bytes(index, column) else { return nil }
    if rows.isBinary(column) {
      switch bytes.count {
      case 2: return Int64(try BinaryFormat.number(bytes, as: Int16.self))
      case 4: return Int64(try BinaryFormat.number(bytes, as: Int32.self))
      default: return try BinaryFormat.number(bytes)
      }
    }
    guard let number = Int64(String(decoding: bytes, as: UTF8.self)) else {
      throw PostgresError("The server sent a field that holds no integer where one was expected.")
    }
    return number
  }

  /// The truth value in a field in either format, nil for null.
  package func boolean(_ column: Int) -> Bool? {
    rows.bytes(index, column).map { $0.first == 1 || $0.first == UInt8(ascii: "t") }
  }

  /// The value of a realm file in a field of a binary result.
  package func value(_ column: Int, as type: ServerType) throws(PostgresError) -> Value {
    guard let bytes = rows.bytes(index, column) else { return .null }
    precondition(rows.isBinary(column), "the statement was run for binary results")
    return try BinaryFormat.value(bytes, as: type)
  }

  /// The numbers in a field of the type `bigint[]` of a binary result, nil for null.
  package func integers(_ column: Int) throws(PostgresError) -> [Int64?]? {
    guard let bytes = rows.bytes(index, column) else { return nil }
    precondition(rows.isBinary(column), "the statement was run for binary results")
    return try BinaryFormat.integers(bytes)
  }
}
