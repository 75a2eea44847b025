import RealmSwift
import Storage

/// The properties of classes by which objects refer to each other. Each class is searched once.
final class LinkColumns {
  private let snapshot: Snapshot
  private var columns: [Int: [Int]] = [:]
  private var owning: [Int: [Int]] = [:]
  private var origins: [Int: [(table: Int, column: Int)]] = [:]

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// The numbers of the properties of a class.
  func all(_ table: Int) -> [Int] {
    if let known = columns[table] { return known }
    let found = snapshot.columns(table)
    columns[table] = found
    return found
  }

  /// Calls the body with an object and with all that may be deleted with it, each once.
  ///
  /// - Parameter body: Returns whether to go on to the objects that this one owns.
  func forEachObject(deletedWith object: NumberedObject, _ body: (NumberedObject) -> Bool) {
    var known: Set<NumberedObject> = []
    var waiting = [object]
    while let next = waiting.popLast() {
      if !snapshot.isAlive(next) || !known.insert(next).inserted { continue }
      if body(next) { waiting += ownedObjects(next) }
    }
  }

  /// The objects that are deleted with an object, unless others own them: embedded ones, and those that delete rules concern.
  private func ownedObjects(_ object: NumberedObject) -> [NumberedObject] {
    var objects: [NumberedObject] = []
    for column in owningColumns(object.classNumber) {
      for value in CellContent(CellPlace(object, column), in: snapshot).values {
        value.forEachLink { objects.append(NumberedObject(classNumber: $0, row: $1)) }
      }
    }
    return objects
  }

  private func owningColumns(_ table: Int) -> [Int] {
    if let known = owning[table] { return known }
    let tables = snapshot.catalogue.tables
    let found = all(table).filter { number in
      let column = tables[table].columns[number]
      guard column.type == .link || column.type == .mixed else { return false }
      return column.type == .link && tables[column.target].isEmbedded
        || [.cascade, .cascadeUnlessShared].contains(column.linkRule)
    }
    owning[table] = found
    return found
  }

  /// The properties by which objects link to an object; one that links several times comes as often.
  func incoming(to object: NumberedObject) -> [CellPlace] {
    var places: [CellPlace] = []
    for origin in possibleOrigins(object.classNumber)
    where snapshot.mayHaveBacklinks(from: origin.table, column: origin.column) {
      let rows = snapshot.backlinks(
        to: object.row, of: object.classNumber, from: origin.table, column: origin.column)
      for row in rows {
        places.append(CellPlace(NumberedObject(classNumber: origin.table, row: row), origin.column))
      }
    }
    return places
  }

  private func possibleOrigins(_ table: Int) -> [(table: Int, column: Int)] {
    if let known = origins[table] { return known }
    var found: [(table: Int, column: Int)] = []
    for (origin, description) in snapshot.catalogue.tables.enumerated() where !description.isRemoved {
      for (number, column) in description.columns.enumerated() where !column.isRemoved {
        if column.type == .mixed || (column.type == .link && column.target == table) {
          found.append((origin, number))
        }
      }
    }
    origins[table] = found
    return found
  }
}

extension Snapshot {
  /// The numbers of the properties of a class.
  func columns(_ table: Int) -> [Int] { ClassReader(self, table).columns }
}
