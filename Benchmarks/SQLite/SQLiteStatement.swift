import CSQLite

struct SQLiteError: Error, CustomStringConvertible {
  var code: Int32
  var description: String

  init(code: Int32, connection: OpaquePointer?) {
    self.code = code
    description = "SQLite error \(code): " + String(cString: sqlite3_errmsg(connection))
  }
}

/// A prepared statement. Parameters count from 1 and columns from 0, as in SQLite.
final class SQLiteStatement {
  private let connection: OpaquePointer
  private let handle: OpaquePointer

  init(_ sql: String, on connection: OpaquePointer) throws {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else {
      throw SQLiteError(code: code, connection: connection)
    }
    self.connection = connection
    self.handle = handle
  }

  deinit {
    sqlite3_finalize(handle)
  }

  func bind(_ value: Int, at index: Int32) {
    sqlite3_bind_int64(handle, index, Int64(value))
  }

  func bind(_ value: Double, at index: Int32) {
    sqlite3_bind_double(handle, index, value)
  }

  /// SQLite reads the bytes where they are: they must outlive the execution of the statement.
  func bind(_ text: UnsafeBufferPointer<CChar>, at index: Int32) {
    sqlite3_bind_text(handle, index, text.baseAddress, Int32(text.count), nil)
  }

  func bind(_ text: String, at index: Int32) {
    // The address -1 (SQLITE_TRANSIENT, a macro that Swift does not see) asks SQLite for a copy.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_text(handle, index, text, -1, transient)
  }

  /// Advances to the next row; false when there is none.
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw SQLiteError(code: code, connection: connection)
    }
  }

  func reset() {
    sqlite3_reset(handle)
  }

  /// Executes a statement that returns no rows, and makes it ready for the next time.
  func execute() throws {
    defer { reset() }
    while try step() {}
  }

  /// The integer in the first column of the only row; nil when there is no row.
  func firstInteger() throws -> Int? {
    defer { reset() }
    return try step() ? integer(at: 0) : nil
  }

  func integer(at column: Int32) -> Int {
    Int(sqlite3_column_int64(handle, column))
  }

  func double(at column: Int32) -> Double {
    sqlite3_column_double(handle, column)
  }

  /// The length in UTF-8, after having SQLite fetch the text.
  func utf8Length(at column: Int32) -> Int {
    _ = sqlite3_column_text(handle, column)
    return Int(sqlite3_column_bytes(handle, column))
  }

  /// The text in UTF-8, valid until the next step.
  func text(at column: Int32) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(handle, column)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  func string(at column: Int32) -> String {
    sqlite3_column_text(handle, column).map { String(cString: $0) } ?? ""
  }
}
