import CSQLite

/// A database of SQLite that is being written.
final class SQLiteDatabase {
  private var handle: OpaquePointer?
  /// As messages name it.
  private let name: String

  /// - Throws: `ToolError`.
  init(path: String, name: String) throws {
    self.name = name
    guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK else {
      defer { sqlite3_close(handle) }
      throw error()
    }
  }

  deinit { sqlite3_close(handle) }

  fileprivate func error() -> ToolError {
    let code = sqlite3_extended_errcode(handle)
    let advice =
      switch code & 0xFF {
      case SQLITE_FULL, SQLITE_IOERR: " Make room on the disk, or write to another one."
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY: " Choose a folder that you may write to."
      default: ""
      }
    return ToolError(
      "Failed to write '\(name)': SQLite says: \(String(cString: sqlite3_errmsg(handle))).\(advice)")
  }

  func run(_ statement: String) throws {
    if sqlite3_exec(handle, statement, nil, nil, nil) != SQLITE_OK { throw error() }
  }

  func prepare(_ statement: String) throws -> SQLiteStatement { try SQLiteStatement(self, handle, statement) }

  /// A name in quotes.
  static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}

/// A statement that is run with different values.
final class SQLiteStatement {
  private let database: SQLiteDatabase
  private var handle: OpaquePointer?
  /// That what is bound is to be copied.
  private static let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  fileprivate init(_ database: SQLiteDatabase, _ connection: OpaquePointer?, _ text: String) throws {
    self.database = database
    if sqlite3_prepare_v2(connection, text, -1, &handle, nil) != SQLITE_OK { throw database.error() }
  }

  deinit { sqlite3_finalize(handle) }

  func bind(_ position: Int32, _ number: Int64) { sqlite3_bind_int64(handle, position, number) }
  func bind(_ position: Int32, _ number: Double) { sqlite3_bind_double(handle, position, number) }
  func bindNull(_ position: Int32) { sqlite3_bind_null(handle, position) }

  func bind(_ position: Int32, _ text: String) {
    var text = text
    text.withUTF8 { bytes in
      // An empty text has no address, which would be null.
      bytes.withMemoryRebound(to: CChar.self) {
        _ = sqlite3_bind_text64(
          handle, position, $0.baseAddress ?? UnsafePointer(bitPattern: 1), UInt64($0.count), Self.copies,
          UInt8(SQLITE_UTF8))
      }
    }
  }

  func bind(_ position: Int32, _ data: [UInt8]) {
    if data.isEmpty {
      sqlite3_bind_zeroblob(handle, position, 0)
    } else {
      sqlite3_bind_blob64(handle, position, data, UInt64(data.count), Self.copies)
    }
  }

  func run() throws {
    defer { sqlite3_reset(handle) }
    if sqlite3_step(handle) != SQLITE_DONE { throw database.error() }
  }
}
