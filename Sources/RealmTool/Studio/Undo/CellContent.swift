import RealmSwift
import Storage

/// A property of an object.
struct CellPlace: Hashable, Sendable {
  var object: NumberedObject
  var column: Int

  init(_ object: NumberedObject, _ column: Int) {
    self.object = object
    self.column = column
  }
}

/// Everything that a property of an object holds: one value, or all elements of a collection.
struct CellContent: Sendable {
  var values: [Value]
  /// The keys of a map, one for each value; empty for everything else.
  var keys: [String] = []

  init(values: [Value], keys: [String] = []) {
    self.values = values
    self.keys = keys
  }

  init(_ place: CellPlace, in snapshot: Snapshot) {
    let (table, row) = (snapshot.table(place.object.classNumber), place.object.row)
    switch snapshot.column(place).collection {
    case .none: values = [table.value(place.column, row)]
    case .list, .set: values = table.elements(place.column, row)
    case .map:
      values = table.elements(place.column, row)
      keys = values.indices.map { table.key(place.column, row, at: $0) }
    }
  }

  /// Approximate memory that the content takes, in bytes.
  var size: Int {
    values.reduce(64) { $0 + $1.approximateSize } + keys.reduce(0) { $0 + 16 + $1.utf8.count }
  }

  /// Whether both are written alike. The order of a set is that of its values, and links have a new place in it when their
  /// objects are restored.
  func isExactly(_ other: CellContent, _ collection: CollectionType) -> Bool {
    if collection == .set {
      return values.count == other.values.count
        && Set(values.map { ExactValue($0) }) == Set(other.values.map { ExactValue($0) })
    }
    return values.areExactly(other.values) && keys.count == other.keys.count
      && zip(keys, other.keys).allSatisfy { $0.isExactly($1) }
  }

  func mapValues(_ transform: (Value) throws -> Value) rethrows -> CellContent {
    CellContent(values: try values.map(transform), keys: keys)
  }
}

extension Snapshot {
  func column(_ place: CellPlace) -> Column {
    catalogue.tables[place.object.classNumber].columns[place.column]
  }

  func isAlive(_ object: NumberedObject) -> Bool {
    catalogue.tables.indices.contains(object.classNumber)
      && !catalogue.tables[object.classNumber].isRemoved
      && isAlive(table: object.classNumber, row: object.row)
  }
}

extension Value {
  /// Approximate memory that the value takes, in bytes.
  var approximateSize: Int {
    switch self {
    case .string(let text): 32 + text.utf8.count
    case .data(let bytes): 64 + bytes.count
    case .list(let values): values.reduce(64) { $0 + $1.approximateSize }
    case .dictionary(let entries):
      entries.reduce(64) { $0 + 32 + $1.key.utf8.count + $1.value.approximateSize }
    default: 32
    }
  }

  /// The value with other links.
  func mappingLinks(_ transform: (NumberedObject) throws -> NumberedObject) rethrows -> Value {
    switch self {
    case .link(let table, let row):
      let object = try transform(NumberedObject(classNumber: table, row: row))
      return .link(table: object.classNumber, row: object.row)
    case .list(let values): return .list(try values.map { try $0.mappingLinks(transform) })
    case .dictionary(let entries):
      return .dictionary(
        try entries.map { DictionaryEntry(key: $0.key, value: try $0.value.mappingLinks(transform)) })
    default: return self
    }
  }
}
