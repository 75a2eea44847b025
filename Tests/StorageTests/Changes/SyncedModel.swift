import Foundation
import TestSupport

@testable import Storage

/// What a test knows of a synced file: the cells of all rows with a key, and for each transaction what it did to them.
struct SyncedModel {
  /// The column of the key is 0, the last one holds links, which are not compared.
  static let scalars = 1..<4
  static let linkColumn = 4

  static let catalogue: Catalogue = {
    func columns(_ key: Column, _ target: Int) -> [Column] {
      var key = key
      key.isPrimaryKey = true
      key.isIndexed = true
      return [
        key, Column(name: "number", type: .int),
        Column(name: "text", type: .string, isNullable: true, isIndexed: true),
        Column(name: "data", type: .data, isNullable: true),
        Column(name: "friend", type: .link, isNullable: true, target: target),
      ]
    }
    return Catalogue(
      schemaVersion: 1,
      tables: [
        TableDescription(name: "Int", columns: columns(Column(name: "id", type: .int), 1)),
        TableDescription(
          name: "Text", columns: columns(Column(name: "id", type: .string, isNullable: true), 0)),
        TableDescription(name: "ObjectId", columns: columns(Column(name: "id", type: .objectId), 3)),
        TableDescription(
          name: "UUID", columns: columns(Column(name: "id", type: .uuid, isNullable: true), 3)),
        TableDescription(name: "Keyless", columns: [Column(name: "number", type: .int)]),
      ])
  }()
  static let keyedTables = 0..<4

  struct Cell: Hashable {
    var table: Int
    var key: Value
    var column: Int
  }

  struct Object: Hashable {
    var table: Int
    var key: Value
  }

  /// What a transaction did, or what an entry of the log says that it did.
  struct Effect: Hashable, CustomStringConvertible {
    var origin: ChangeOrigin
    var created: Set<Object> = []
    var deleted: Set<Object> = []
    var written: Set<Cell> = []

    var description: String { "\(origin) +\(created) -\(deleted) ~\(written)" }
  }

  /// The rows that an open transaction has touched.
  struct Touched {
    /// The key that a row had before the transaction, and the columns written in it.
    var old: [Place: (key: Value, columns: Set<Int>)] = [:]
    var new: Set<Place> = []
  }

  struct Place: Hashable {
    var table: Int
    var row: Int
  }

  /// All rows with a key, as a snapshot shows them.
  static func rows(_ snapshot: Snapshot) -> [Place: Value] {
    var rows: [Place: Value] = [:]
    for table in keyedTables {
      let source = snapshot.table(table)
      source.forEachRow { rows[Place(table: table, row: $0)] = source.value(0, $0) }
    }
    return rows
  }

  /// The values of all cells.
  static func cells(_ snapshot: Snapshot) -> [Cell: Value] {
    var cells: [Cell: Value] = [:]
    for (place, key) in rows(snapshot) {
      let table = snapshot.table(place.table)
      for column in scalars {
        cells[Cell(table: place.table, key: key, column: column)] = table.value(column, place.row)
      }
    }
    return cells
  }

  /// Returns what a transaction did, at its end.
  static func effect(_ touched: Touched, _ snapshot: Snapshot, _ origin: ChangeOrigin) -> Effect {
    var effect = Effect(origin: origin)
    for (place, former) in touched.old {
      let table = snapshot.table(place.table)
      let key = table.isAlive(place.row) ? table.value(0, place.row) : nil
      if key == former.key {
        for column in former.columns {
          effect.written.insert(Cell(table: place.table, key: former.key, column: column))
        }
        continue
      }
      effect.deleted.insert(Object(table: place.table, key: former.key))
      if let key { effect.created.insert(Object(table: place.table, key: key)) }
    }
    for place in touched.new where snapshot.table(place.table).isAlive(place.row) {
      effect.created.insert(
        Object(table: place.table, key: snapshot.table(place.table).value(0, place.row)))
    }
    return effect
  }

  // MARK: What the log says

  /// Returns what the entries say, with keys in the place of rows: those of the rows at the beginning, and those with which rows
  /// are there at the end or were deleted. Nil when an entry deletes a key that its row did not have.
  static func effects(
    _ entries: [SyncEntry], from beginning: [Place: Value], to end: [Place: Value]
  ) -> [Effect]? {
    var keys = beginning
    var effects: [Effect] = []
    for (number, entry) in entries.enumerated() {
      var effect = Effect(origin: entry.origin)
      for table in entry.tables where keyedTables.contains(table.table) {
        func object(_ row: Int) -> Object? {
          keys[Place(table: table.table, row: row)].map { Object(table: table.table, key: $0) }
        }
        for deleted in table.deleted {
          guard object(deleted.row)?.key == deleted.key else { return nil }
          effect.deleted.insert(Object(table: table.table, key: deleted.key))
          keys[Place(table: table.table, row: deleted.row)] = nil
        }
        for row in table.created.members {
          let place = Place(table: table.table, row: row)
          keys[place] = keyLater(place, entries[(number + 1)...]) ?? end[place]
          if let created = object(row) { effect.created.insert(created) }
        }
        for (column, rows) in table.written where column != linkColumn {
          for row in rows.members {
            guard let object = object(row) else { return nil }
            effect.written.insert(Cell(table: table.table, key: object.key, column: column))
          }
        }
      }
      effects.append(effect)
    }
    return keys == end ? effects : nil
  }

  /// The key with which a row is deleted by later entries.
  private static func keyLater(_ place: Place, _ entries: ArraySlice<SyncEntry>) -> Value? {
    for entry in entries {
      for table in entry.tables where table.table == place.table {
        if let deleted = table.deleted.first(where: { $0.row == place.row }) { return deleted.key }
      }
    }
    return nil
  }
}
