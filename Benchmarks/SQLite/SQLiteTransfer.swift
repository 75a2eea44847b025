import CSQLite
import Foundation

/// Copies a CSV file to a table of SQLite, and a table to a CSV file, in a child process, as the tool is one.
///
/// Reads and writes as SQLite's own shell does: each field is bound as a text, to which the columns' types give their form.
enum SQLiteTransfer {
  static let importCommand = "child-sqlite-import"
  static let exportCommand = "child-sqlite-export"

  private static let columns = [
    ("id", "INTEGER"), ("name", "TEXT"), ("city", "TEXT"), ("price", "REAL"), ("active", "TEXT"),
    ("created", "TEXT"),
  ]

  static func importCSV(_ source: String, to path: String) throws {
    let connection = try open(path)
    defer { sqlite3_close(connection) }
    let list = columns.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    try SQLiteStatement("CREATE TABLE visit (\(list))", on: connection).execute()
    try SQLiteStatement("BEGIN", on: connection).execute()
    let parameters = columns.map { _ in "?" }.joined(separator: ", ")
    let insert = try SQLiteStatement("INSERT INTO visit VALUES (\(parameters))", on: connection)
    let data = try Data(contentsOf: URL(fileURLWithPath: source), options: .alwaysMapped)
    try data.withUnsafeBytes { bytes in
      var reader = CSVFields(bytes.bindMemory(to: CChar.self))
      var isHeader = true
      while reader.hasMore {
        for column in 1...Int32(columns.count) { insert.bind(reader.next(), at: column) }
        if !isHeader { try insert.execute() }
        isHeader = false
      }
    }
    try SQLiteStatement("COMMIT", on: connection).execute()
  }

  static func exportCSV(_ path: String, to target: String) throws {
    let connection = try open(path)
    defer { sqlite3_close(connection) }
    guard let file = fopen(target, "w") else { throw SystemError("fopen", path: target) }
    defer { fclose(file) }
    fputs(columns.map(\.0).joined(separator: ",") + "\n", file)
    let rows = try SQLiteStatement("SELECT * FROM visit", on: connection)
    var line: [UInt8] = []
    while try rows.step() {
      line.removeAll(keepingCapacity: true)
      for column in 0..<Int32(columns.count) {
        if column > 0 { line.append(UInt8(ascii: ",")) }
        append(rows.text(at: column), to: &line)
      }
      line.append(10)
      fwrite(line, 1, line.count, file)
    }
  }

  private static func append(_ text: UnsafeBufferPointer<UInt8>, to line: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    guard text.contains(where: { $0 == UInt8(ascii: ",") || $0 == quote || $0 < 32 }) else {
      line.append(contentsOf: text)
      return
    }
    line.append(quote)
    for byte in text { line.append(contentsOf: byte == quote ? [quote, quote] : [byte]) }
    line.append(quote)
  }

  private static func open(_ path: String) throws -> OpaquePointer {
    var connection: OpaquePointer?
    let code = sqlite3_open(path, &connection)
    guard code == SQLITE_OK, let connection else { throw SQLiteError(code: code, connection: connection) }
    return connection
  }
}

/// The fields of a CSV file that has no quotes, one after the other.
private struct CSVFields {
  private let bytes: UnsafeBufferPointer<CChar>
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<CChar>) { self.bytes = bytes }

  var hasMore: Bool { position < bytes.count }

  mutating func next() -> UnsafeBufferPointer<CChar> {
    let start = position
    while position < bytes.count, bytes[position] != 44, bytes[position] != 10 { position += 1 }
    defer { position += 1 }
    return UnsafeBufferPointer(rebasing: bytes[start..<position])
  }
}
