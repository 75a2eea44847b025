import CSQLite

extension SQLitePeer {
  static func openAndRead(dog id: Int, at path: String) throws -> OpenedDog {
    let start = Stopwatch.now()
    var connection: OpaquePointer?
    let code = sqlite3_open(path, &connection)
    guard code == SQLITE_OK, let connection else {
      throw SQLiteError(code: code, connection: connection)
    }
    defer { sqlite3_close_v2(connection) }
    let select = try SQLiteStatement("SELECT name, age FROM dog WHERE id = ?", on: connection)
    select.bind(id, at: 1)
    guard try select.step() else { throw BenchmarkError("There is no dog \(id).") }
    let name = select.string(at: 0)
    let age = select.integer(at: 1)
    let seconds = Stopwatch.now() - start
    return OpenedDog(seconds: seconds, name: name, age: age)
  }
}
