import CSQLite
import Storage

/// A file as a database of SQLite: each class a table with its primary key, or the number of the row as `_row`; links are
/// foreign keys, collections tables of their own, called `Class_property`.
struct SQLiteExport {
  private let file: RealmFile
  private let classes: [ClassReader]
  private let names: SQLiteNames

  /// With the chosen classes come those that they lead to: their keys must be found.
  init(_ file: RealmFile, _ classes: [ClassReader]) {
    self.file = file
    var all: [ClassReader] = []
    var numbers: Set<Int> = []
    var waiting = classes
    while let reader = waiting.popLast() {
      guard numbers.insert(reader.number).inserted else { continue }
      all.append(reader)
      for column in reader.columns where reader.column(column).type == .link {
        waiting.append(ClassReader(reader.snapshot, reader.column(column).target))
      }
    }
    self.classes = all.sorted { $0.name < $1.name }
    names = SQLiteNames(self.classes)
  }

  /// - Returns: The number of objects.
  func write(to path: String, _ progress: Progress) throws -> Int {
    let output = try OutputFile(path: path, for: FilePermissions(path: file.path))
    var count = 0
    do {
      let database = try SQLiteDatabase(path: output.place, name: path)
      // No other process uses the file, and it is deleted after an error.
      try database.run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
      for reader in classes { try makeTables(reader, database) }
      let total = classes.reduce(0) { $0 + $1.count }
      for reader in classes {
        try insert(reader, database) {
          count += 1
          progress.update(count, of: total)
        }
      }
      for reader in classes {
        try makeIndexes(reader, database)
        try makeCompoundIndexes(reader, database)
      }
      try database.run("COMMIT")
    }
    try output.finish()
    return count
  }

  // MARK: Tables

  private func keyType(_ reader: ClassReader) -> String {
    reader.description.primaryKey.map { Self.type(reader.column($0).type) } ?? "INTEGER"
  }

  private static func type(_ type: ValueType) -> String {
    switch type {
    case .int, .bool: "INTEGER"
    case .float, .double: "REAL"
    case .data: "BLOB"
    case .mixed: ""
    case .string, .date, .objectId, .uuid, .decimal128, .link: "TEXT"
    }
  }

  /// The type of a value, with what it refers to.
  private func type(_ column: Column, _ reader: ClassReader) -> String {
    guard column.type == .link else { return Self.type(column.type) }
    let target = ClassReader(reader.snapshot, column.target)
    return "\(keyType(target)) REFERENCES \(names.table(target))(\(names.key(target)))"
  }

  private func makeTables(_ reader: ClassReader, _ database: SQLiteDatabase) throws {
    var columns: [String] = []
    if reader.description.primaryKey == nil { columns.append("\(names.key(reader)) INTEGER PRIMARY KEY") }
    for number in reader.columns {
      let column = reader.column(number)
      if column.collection != .none { continue }
      // What is not a number is null there.
      let mayBeNull = column.isNullable || [.link, .mixed, .float, .double].contains(column.type)
      // An INTEGER key would get a number of its own instead of null.
      let type = column.isPrimaryKey && mayBeNull && column.type == .int ? "INT" : type(column, reader)
      columns.append(
        "\(names.column(reader, number)) \(type)\(column.isPrimaryKey ? " PRIMARY KEY" : "")\(mayBeNull ? "" : " NOT NULL")"
      )
    }
    try database.run("CREATE TABLE \(names.table(reader)) (\(columns.joined(separator: ", ")))")
    for number in reader.columns where reader.column(number).collection != .none {
      let column = reader.column(number)
      let isNullable = reader.description.primaryKey.map { reader.column($0).isNullable } ?? false
      let owner =
        "owner \(keyType(reader))\(isNullable ? "" : " NOT NULL") REFERENCES \(names.table(reader))(\(names.key(reader)))"
      let value = "value \(type(column, reader))"
      let (place, key) =
        switch column.collection {
        case .map: ("key TEXT NOT NULL, ", ", PRIMARY KEY (owner, key)")
        case .list: ("position INTEGER NOT NULL, ", ", PRIMARY KEY (owner, position)")
        default: ("", "")
        }
      try database.run("CREATE TABLE \(names.collection(reader, number)) (\(owner), \(place)\(value)\(key))")
    }
  }

  private func makeIndexes(_ reader: ClassReader, _ database: SQLiteDatabase) throws {
    for number in reader.columns {
      let column = reader.column(number)
      let isLink = column.type == .link
      if column.collection == .none, column.hasValueIndex && !column.isPrimaryKey || isLink {
        try database.run(
          "CREATE \(column.isUnique ? "UNIQUE " : "")INDEX \(names.index(reader, number)) ON \(names.table(reader)) (\(names.column(reader, number)))"
        )
      } else if column.collection == .set || column.collection != .none && isLink {
        try database.run(
          "CREATE INDEX \(names.index(reader, number)) ON \(names.collection(reader, number)) (\(column.collection == .set ? "owner, " : "")value)"
        )
      }
    }
  }

  /// The indexes over several columns. Where values are unique, nulls are exempt as they are in SQLite; but in a primary key
  /// null is a value like others, which needs an index of its own there.
  private func makeCompoundIndexes(_ reader: ClassReader, _ database: SQLiteDatabase) throws {
    for index in reader.description.indexes {
      let columns = index.columns.map { names.column(reader, $0) }
      try database.run(
        "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(names.index(reader, index)) ON \(names.table(reader)) (\(columns.joined(separator: ", ")))"
      )
      let nullable = zip(index.columns, columns).filter { reader.column($0.0).isNullable }.map(\.1)
      if index.kind != .primaryKey || nullable.isEmpty { continue }
      // No value of a key is a BLOB.
      let parts = columns.map { nullable.contains($0) ? "ifnull(\($0), x'')" : $0 }
      try database.run(
        "CREATE UNIQUE INDEX \(names.nullIndex(reader, index)) ON \(names.table(reader)) (\(parts.joined(separator: ", "))) WHERE \(nullable.map { "\($0) IS NULL" }.joined(separator: " OR "))"
      )
    }
  }

  // MARK: Rows

  private func insert(_ reader: ClassReader, _ database: SQLiteDatabase, _ progress: () -> Void) throws {
    let single = reader.columns.filter { reader.column($0).collection == .none }
    let many = reader.columns.filter { reader.column($0).collection != .none }
    let hasRow = reader.description.primaryKey == nil
    let places = Array(repeating: "?", count: single.count + (hasRow ? 1 : 0)).joined(separator: ", ")
    let statement = try database.prepare("INSERT INTO \(names.table(reader)) VALUES (\(places))")
    let elements = try many.map { number in
      let column = reader.column(number)
      let places = column.collection == .set ? "?, ?" : "?, ?, ?"
      return try database.prepare("INSERT INTO \(names.collection(reader, number)) VALUES (\(places))")
    }
    let table = reader.table
    try reader.forEachRow { row in
      if hasRow { statement.bind(1, Int64(row)) }
      for (position, number) in single.enumerated() {
        bind(table.value(number, row), Int32(position + (hasRow ? 2 : 1)), statement, reader.snapshot)
      }
      try statement.run()
      for (statement, number) in zip(elements, many) {
        try insertElements(row, number, reader, statement)
      }
      progress()
    }
  }

  private func insertElements(
    _ row: Int, _ number: Int, _ reader: ClassReader, _ statement: SQLiteStatement
  ) throws {
    let collection = reader.column(number).collection
    for (position, element) in reader.table.elements(number, row).enumerated() {
      bind(.link(table: reader.number, row: row), 1, statement, reader.snapshot)
      switch collection {
      case .map: statement.bind(2, reader.table.key(number, row, at: position))
      case .list: statement.bind(2, Int64(position))
      default: break
      }
      bind(element, collection == .set ? 2 : 3, statement, reader.snapshot)
      try statement.run()
    }
  }

  private func bind(_ value: Value, _ position: Int32, _ statement: SQLiteStatement, _ snapshot: Snapshot) {
    switch value {
    case .null: statement.bindNull(position)
    case .int(let number): statement.bind(position, number)
    case .bool(let flag): statement.bind(position, Int64(flag ? 1 : 0))
    case .float(let number): statement.bind(position, Double(number))
    case .double(let number): statement.bind(position, number)
    case .data(let bytes): statement.bind(position, bytes)
    case .link(let table, let row):
      let target = ClassReader(snapshot, table)
      guard let key = target.description.primaryKey else { return statement.bind(position, Int64(row)) }
      bind(target.table.value(key, row), position, statement, snapshot)
    case .string, .date, .objectId, .uuid, .decimal128, .list, .dictionary:
      statement.bind(position, ValueText.text(value, snapshot))
    }
  }
}
