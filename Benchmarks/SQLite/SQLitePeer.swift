import CSQLite

/// SQLite through its C interface: write-ahead log, full synchronisation, prepared statements, and
/// otherwise the settings that it comes with, unless `isTuned`.
final class SQLitePeer: MeasuredDatabase {
  static let system = System.sqlite
  static let fileExtension = "sqlite"

  /// A 256 MB cache and a memory-mapped file; set once, before any database is opened.
  nonisolated(unsafe) static var isTuned = false

  private let connection: OpaquePointer
  /// Statements stay prepared for the whole life of the connection, as a program would keep them.
  private var statements: [String: SQLiteStatement] = [:]

  init(path: String, durability: Durability) throws {
    var connection: OpaquePointer?
    let code = sqlite3_open(path, &connection)
    guard code == SQLITE_OK, let connection else {
      throw SQLiteError(code: code, connection: connection)
    }
    self.connection = connection
    // Readers and a writer may meet for a moment.
    sqlite3_busy_timeout(connection, 10_000)
    try execute("PRAGMA journal_mode = WAL")
    try execute("PRAGMA synchronous = \(durability == .full ? "FULL" : "OFF")")
    if Self.isTuned {
      try execute("PRAGMA cache_size = -262144")
      try execute("PRAGMA mmap_size = 1073741824")
    }
    try execute(
      """
      CREATE TABLE IF NOT EXISTS dog(
        id INTEGER PRIMARY KEY, name TEXT, age INTEGER, color TEXT, weight REAL, born INTEGER,
        vaccinated INTEGER)
      """)
    try execute("CREATE TABLE IF NOT EXISTS person(id INTEGER PRIMARY KEY, name TEXT)")
    try execute(
      """
      CREATE TABLE IF NOT EXISTS person_dogs(
        person INTEGER, position INTEGER, dog INTEGER, PRIMARY KEY(person, position)) WITHOUT ROWID
      """)
  }

  func close() throws {
    statements = [:]
    // The last connection moves the log into the database file and removes it.
    let code = sqlite3_close(connection)
    guard code == SQLITE_OK else { throw SQLiteError(code: code, connection: connection) }
  }

  func execute(_ sql: String) throws {
    let code = sqlite3_exec(connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code: code, connection: connection) }
  }

  func statement(_ sql: String) throws -> SQLiteStatement {
    if let statement = statements[sql] { return statement }
    let statement = try SQLiteStatement(sql, on: connection)
    statements[sql] = statement
    return statement
  }

  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try statement("BEGIN").execute()
    let result = try body()
    try statement("COMMIT").execute()
    return result
  }

  func insertDogs(of dataset: Dataset) throws {
    let insert = try statement("INSERT INTO dog VALUES(?, ?, ?, ?, ?, ?, ?)")
    let colors = PackedStrings(DogGenerator.colors)
    try transaction {
      try dataset.packedNames.withPointers { names in
        try colors.withPointers { colors in
          for id in 0..<dataset.count {
            insert.bind(id, at: 1)
            insert.bind(names[id], at: 2)
            insert.bind(dataset.ages[id], at: 3)
            insert.bind(colors[Int(dataset.colors[id])], at: 4)
            insert.bind(dataset.weights[id], at: 5)
            insert.bind(dataset.born[id], at: 6)
            insert.bind(dataset.vaccinated[id] ? 1 : 0, at: 7)
            try insert.execute()
          }
        }
      }
    }
  }

  func sumOfAgesAndNameLengths() throws -> Int {
    let dogs = try statement("SELECT age, name FROM dog")
    defer { dogs.reset() }
    var sum = 0
    while try dogs.step() {
      sum += dogs.integer(at: 0) + dogs.utf8Length(at: 1)
    }
    return sum
  }

  func countOfDogs(youngerThan age: Int) throws -> Int {
    let count = try statement("SELECT count(*) FROM dog WHERE age < ?")
    count.bind(age, at: 1)
    return try count.firstInteger() ?? 0
  }

  func sumOfAges(forKeys keys: [Int]) throws -> Int {
    let select = try statement("SELECT age FROM dog WHERE id = ?")
    // One read transaction spares SQLite a lock for every key.
    return try transaction {
      var sum = 0
      for key in keys {
        select.bind(key, at: 1)
        sum += try select.firstInteger() ?? 0
      }
      return sum
    }
  }

  func setAges(_ changes: [AgeChange]) throws {
    try transaction {
      try setAgesOneByOne(changes[...])
    }
  }

  /// A statement outside a transaction is a transaction of its own.
  func setAgesOneByOne(_ changes: ArraySlice<AgeChange>) throws {
    let update = try statement("UPDATE dog SET age = ? WHERE id = ?")
    for change in changes {
      update.bind(change.age, at: 1)
      update.bind(change.id, at: 2)
      try update.execute()
    }
  }

  func sumOfAllAges() throws -> Int {
    try statement("SELECT sum(age) FROM dog").firstInteger() ?? 0
  }
}
