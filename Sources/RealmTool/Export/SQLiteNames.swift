import Storage

/// What classes, properties and collections are called in SQLite, which does not tell upper from lower case, and has one
/// room for the names of all tables and indexes. A name that is taken gets underscores at its end.
struct SQLiteNames {
  private struct Place: Hashable {
    let table: Int
    var column = -1
  }

  private var tables: [Int: String] = [:]
  private var columns: [Place: String] = [:]
  private var collections: [Place: String] = [:]
  private var indexes: [Place: String] = [:]
  private var compoundIndexes: [Place: String] = [:]
  private var nullIndexes: [Place: String] = [:]

  /// Classes keep their names before collections and indexes get theirs.
  init(_ classes: [ClassReader]) {
    var taken: Set<String> = []
    for reader in classes {
      tables[reader.number] = Self.unique(reader.name, &taken)
      nameColumns(reader)
    }
    for reader in classes {
      for number in reader.columns where reader.column(number).collection != .none {
        collections[Place(table: reader.number, column: number)] = Self.unique(
          "\(reader.name)_\(reader.column(number).name)", &taken)
      }
    }
    for reader in classes {
      for number in reader.columns {
        indexes[Place(table: reader.number, column: number)] = Self.unique(
          "\(reader.name)_\(reader.column(number).name)_index", &taken)
      }
      for index in reader.description.indexes {
        let place = Place(table: reader.number, column: index.number)
        let columns = index.columns.map { reader.column($0).name }.joined(separator: "_")
        compoundIndexes[place] = Self.unique("\(reader.name)_\(columns)_index", &taken)
        nullIndexes[place] = Self.unique("\(reader.name)_\(columns)_nulls", &taken)
      }
    }
  }

  private mutating func nameColumns(_ reader: ClassReader) {
    var taken: Set<String> = []
    for number in reader.columns where reader.column(number).collection == .none {
      columns[Place(table: reader.number, column: number)] = Self.unique(
        reader.column(number).name, &taken)
    }
    if reader.description.primaryKey == nil {
      columns[Place(table: reader.number)] = Self.unique("_row", &taken)
    }
  }

  private static func unique(_ name: String, _ taken: inout Set<String>) -> String {
    var name = name.replacing("\0", with: "\u{FFFD}")
    // SQLite keeps these names for itself.
    if name.lowercased().hasPrefix("sqlite_") { name = "_" + name }
    while !taken.insert(name.lowercased()).inserted { name += "_" }
    return SQLiteDatabase.quoted(name)
  }

  // MARK: Names, in quotes

  func table(_ reader: ClassReader) -> String { tables[reader.number]! }

  /// The primary key, or the number of the row.
  func key(_ reader: ClassReader) -> String {
    columns[Place(table: reader.number, column: reader.description.primaryKey ?? -1)]!
  }

  func column(_ reader: ClassReader, _ number: Int) -> String {
    columns[Place(table: reader.number, column: number)]!
  }

  /// The table of a collection.
  func collection(_ reader: ClassReader, _ number: Int) -> String {
    collections[Place(table: reader.number, column: number)]!
  }

  func index(_ reader: ClassReader, _ number: Int) -> String {
    indexes[Place(table: reader.number, column: number)]!
  }

  /// An index over several columns.
  func index(_ reader: ClassReader, _ index: CompoundIndex) -> String {
    compoundIndexes[Place(table: reader.number, column: index.number)]!
  }

  /// The index of those keys in it that have nulls.
  func nullIndex(_ reader: ClassReader, _ index: CompoundIndex) -> String {
    nullIndexes[Place(table: reader.number, column: index.number)]!
  }
}
