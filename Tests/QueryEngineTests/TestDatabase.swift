import LibC
import QueryEngine
import TestSupport
import Testing

@testable import Storage

/// A database in a temporary file with one snapshot, in which a write transaction is open or not.
final class TestDatabase {
  let snapshot: Snapshot
  /// Nil when somebody else has made the file.
  private let path: String?

  init(_ tables: [TableDescription]) throws {
    let path = ScratchFolder.lastingPath()
    self.path = path
    snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try Writer(snapshot).begin()
    Writer(snapshot).transaction.isCatalogueChanged = true
    snapshot.install(Catalogue(schemaVersion: 1, tables: tables))
  }

  /// Another snapshot of a file, to read.
  init(reading file: DatabaseFile) throws {
    path = nil
    snapshot = try Snapshot(file: file)
  }

  deinit {
    guard let path else { return }
    for suffix in ["", "-lock"] { unlink(path + suffix) }
  }

  func commit() throws { try Writer(snapshot).commit(durability: .relaxed) }

  /// Adds a row; columns that are not named get zero or null.
  @discardableResult
  func insert(_ table: Int, _ values: [String: Value]) -> Int {
    let handle = snapshot.table(table)
    let columns = snapshot.catalogue.tables[table].columns
    let row = handle.insertRow()
    for (number, column) in columns.enumerated() where column.collection == .none {
      let value = values[column.name] ?? (column.isNullable ? .null : Self.zero(column.type))
      handle.setValue(number, row, value)
    }
    for (name, value) in values {
      let number = snapshot.catalogue.tables[table].column(named: name)!
      switch (columns[number].collection, value) {
      case (.list, .list(let elements)): handle.insertElements(number, row, at: 0, elements)
      case (.set, .list(let elements)): for element in elements { handle.insertIntoSet(number, row, element) }
      case (.map, .dictionary(let entries)):
        for entry in entries { handle.setMapValue(number, row, key: entry.key, entry.value) }
      default: break
      }
    }
    return row
  }

  static func zero(_ type: ValueType) -> Value {
    switch type {
    case .int: .int(0)
    case .bool: .bool(false)
    case .string: .string("")
    case .data: .data([])
    case .date: .date(0)
    case .float: .float(0)
    case .double: .double(0)
    case .objectId: .objectId(Fixed12(high: 0, low: 0))
    case .uuid: .uuid(Fixed16(high: 0, low: 0))
    case .decimal128: .decimal128(Fixed16(high: 0, low: 0x40_30))
    case .link, .mixed: .null
    }
  }

  // MARK: Queries

  func predicate(
    _ format: String, _ arguments: Argument..., table: Int = 0, lookup: PropertyLookup? = nil
  ) throws -> Predicate {
    try resolve(
      PredicateExpression(format: format, arguments: arguments), table: table, catalogue: snapshot.catalogue,
      lookup: lookup)
  }

  func rows(_ format: String, _ arguments: Argument..., table: Int = 0) throws -> [Int] {
    let predicate = try resolve(
      PredicateExpression(format: format, arguments: arguments), table: table, catalogue: snapshot.catalogue,
      lookup: lookup)
    let rows = snapshot.evaluate(predicate, table: table).rows
    let interpreted = (0..<snapshot.rowLimit(table: table)).filter {
      snapshot.matches(predicate, table: table, row: $0)
    }
    #expect(rows == interpreted, "\(format): column-wise and row by row differ")
    #expect(snapshot.count(predicate, table: table) == rows.count, "\(format): counted")
    #expect(snapshot.firstRow(predicate, table: table) == rows.first, "\(format): the first")
    return rows
  }

  /// How properties are found in `rows`; columns by default.
  var lookup: PropertyLookup?
}

extension Argument {
  static func string(_ text: String) -> Argument { .value(.string(text)) }
  static func int(_ number: Int64) -> Argument { .value(.int(number)) }
  static func double(_ number: Double) -> Argument { .value(.double(number)) }
  static let null = Argument.value(.null)
}
