import QueryEngine
import Storage

// Where things are in a file, by numbers that are the same in every realm of it: what freezing, thawing and thread
// safe references find them by.

/// An object.
struct ObjectLocation: Hashable, Sendable {
  let table: Int
  let row: Int
  let type: ObjectBase.Type

  init(_ object: ObjectBase) {
    table = object._table.number
    row = object._row
    type = Swift.type(of: object)
  }

  static func == (first: ObjectLocation, second: ObjectLocation) -> Bool {
    first.table == second.table && first.row == second.row && first.type == second.type
  }

  func hash(into hasher: inout Hasher) { hasher.combine(row) }
}

/// A list, set or map.
indirect enum CollectionLocation: Sendable {
  case stored(table: Int, row: Int, column: Int, isDynamic: Bool)
  /// The value of a mixed property, or what a way leads to from there.
  case property(ObjectLocation, column: Int, NestedPath, kind: CollectionKind)
  /// An element of a mixed list that is a column, or what a way leads to from there. The position is where it was last.
  case element(CollectionLocation, position: Int, NestedPath, kind: CollectionKind)
  /// The value of a key of a mixed map that is a column, or what a way leads to from there.
  case entry(CollectionLocation, key: String, NestedPath, kind: CollectionKind)

  /// The row that the collection belongs to.
  var row: (table: Int, row: Int) {
    switch self {
    case .stored(let table, let row, _, _): (table, row)
    case .property(let object, _, _, _): (object.table, object.row)
    case .element(let parent, _, _, _), .entry(let parent, _, _, _): parent.row
    }
  }
}

/// The objects that link to one.
struct LinksLocation: Sendable {
  let table: Int
  let row: Int
  let origin: Int
  let isDynamic: Bool
  let column: Int
}

/// What a query selects from.
enum ResultsOrigin: Sendable {
  case table
  case collection(CollectionLocation)
  case links(LinksLocation)

  /// The row that the query depends on.
  var row: (table: Int, row: Int)? {
    switch self {
    case .table: nil
    case .collection(let location): location.row
    case .links(let location): (location.table, location.row)
    }
  }
}

/// A query.
struct ResultsLocation: @unchecked Sendable {
  let type: ObjectBase.Type?
  let dynamicTable: Int?
  let origin: ResultsOrigin
  /// Values that never change.
  let steps: [ResultsCore.Step]
}

extension ManagedCollection {
  var isDynamic: Bool { source.classTable?.dynamicNumber != nil }
}

extension LinkTarget {
  var location: LinksLocation {
    LinksLocation(
      table: table.number, row: row, origin: origin.table.number, isDynamic: origin.dynamicNumber != nil,
      column: column)
  }
}

extension ResultsCore {
  var location: ResultsLocation {
    ResultsLocation(type: type, dynamicTable: dynamicTable, origin: origin, steps: steps)
  }
}

extension RealmCore {
  /// The table of a class, unless the file's version does not have it yet.
  private func existingTable(_ number: Int) -> Table? {
    number < snapshot.catalogue.tables.count ? snapshot.table(number) : nil
  }

  /// The object at a location, or nil when it is not there.
  func object(at location: ObjectLocation) -> ObjectBase? {
    guard let table = existingTable(location.table), table.isAlive(location.row) else { return nil }
    let classTable =
      location.type == DynamicObject.self
      ? dynamicClassTable(location.table) : classTable(number: location.table)
    // The realm may have been opened with other classes.
    guard classTable.schema.type == location.type else { return nil }
    return classTable.accessor(location.row)
  }

  /// The collection at a location, or nil when it is not there.
  func collection(at location: CollectionLocation) -> (any CollectionBacking)? {
    let nested: NestedCollection
    switch location {
    case .stored(let number, let row, let column, let isDynamic):
      guard let table = existingTable(number), table.isAlive(row) else { return nil }
      return StoredCollection(
        self, table, row, column, stamp: table.state.pointee.vanishStamp, isDynamic: isDynamic)
    case .property(let owner, let column, let path, let kind):
      guard let object = object(at: owner) else { return nil }
      nested = NestedCollection(.property(object, column: column), path, kind: kind)
    case .element(let parent, let position, let path, let kind):
      guard let parent = collection(at: parent)?.stored else { return nil }
      nested = NestedCollection(.element(parent, position: position), path, kind: kind)
    case .entry(let parent, let key, let path, let kind):
      guard let parent = collection(at: parent)?.stored else { return nil }
      nested = NestedCollection(.entry(parent, key: key), path, kind: kind)
    }
    return nested.locate() ? nested : nil
  }

  /// The links to an object at a location, or nil when it is not there.
  func links(at location: LinksLocation) -> LinkTarget? {
    guard let table = existingTable(location.table), table.isAlive(location.row),
      existingTable(location.origin) != nil
    else { return nil }
    let origin =
      location.isDynamic ? dynamicClassTable(location.origin) : classTable(number: location.origin)
    return LinkTarget(self, table, location.row, origin: origin, column: location.column)
  }

  /// The query at a location, or nil when what it selects from is not there.
  func results(at location: ResultsLocation) -> ResultsCore? {
    switch location.origin {
    case .table:
      return ResultsCore(
        realm: self, type: location.type, dynamicTable: location.dynamicTable, source: .table,
        origin: .table, chain: ResultsSteps(location.steps))
    case .collection(let collection):
      return self.collection(at: collection).map { ResultsCore($0).adding(location.steps) }
    case .links(let links):
      return self.links(at: links).map { $0.query.adding(location.steps) }
    }
  }
}
