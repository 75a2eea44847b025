import QueryEngine
package import Storage

/// A list, set, map, nested list or map of a mixed value, or results, with elements of any type.
///
/// Nothing here stops the program because of its caller: every function checks first, and throws a `Refusal`. A collection
/// finds its elements as the generic collections do: lists, sets and maps by the row and column that they are stored in,
/// nested ones by identities, so that they follow their element when it is moved, and results by their query.
package final class NumberedCollection {
  package let realm: NumberedRealm
  let content: Content
  /// The type of the elements.
  package let type: ValueType
  /// The class of the elements; -1 if they are no objects.
  package let classNumber: Int
  /// The object whose backlinks these results are.
  private let linkTarget: LinkTarget?
  /// The rows that these results were made from, when those are rows of a snapshot.
  let origin: FixedRows?
  private let invalidationCount: Int

  enum Content {
    case backing(any CollectionBacking)
    case results(ResultsCore)
    case snapshot(FixedRows)
  }

  /// What a collection is.
  package enum Kind: Sendable {
    case list
    case set
    case map
    case results
  }

  private init(
    _ realm: NumberedRealm, _ content: Content, _ type: ValueType, classNumber: Int = -1,
    linkTarget: LinkTarget? = nil, origin: FixedRows? = nil
  ) {
    self.realm = realm
    self.content = content
    self.type = type
    self.classNumber = classNumber
    self.linkTarget = linkTarget
    self.origin = origin
    invalidationCount = realm.core.invalidationCount
  }

  convenience init(_ realm: NumberedRealm, _ backing: any CollectionBacking) {
    let type = backing.source.type
    self.init(
      realm, .backing(backing), type, classNumber: type == .link ? backing.source.target : -1)
  }

  convenience init(_ realm: NumberedRealm, links: LinkTarget) {
    self.init(
      realm, .results(links.query), .link, classNumber: links.origin.table.number, linkTarget: links)
  }

  convenience init(_ realm: NumberedRealm, _ rows: FixedRows) {
    self.init(realm, .snapshot(rows), .link, classNumber: rows.classNumber, origin: rows)
  }

  /// Results of a query on this collection.
  func derived(_ query: ResultsCore) -> NumberedCollection {
    NumberedCollection(realm, .results(query), type, classNumber: classNumber, origin: origin)
  }

  /// Results with the elements that a query finds in another realm of the file.
  convenience init(
    _ realm: NumberedRealm, _ query: ResultsCore, like other: NumberedCollection, origin: FixedRows? = nil
  ) {
    self.init(realm, .results(query), other.type, classNumber: other.classNumber, origin: origin)
  }

  fileprivate convenience init(_ realm: NumberedRealm, allOf number: Int) {
    let classTable = realm.core.dynamicClassTable(number)
    let query = ResultsCore(
      realm: realm.core, type: classTable.schema.type, dynamicTable: number, source: .table, origin: .table)
    self.init(realm, .results(query), .link, classNumber: number)
  }

  // MARK: What it is

  package var kind: Kind {
    guard case .backing(let backing) = content else { return .results }
    return switch backing.kind {
    case .list: .list
    case .set: .set
    case .map: .map
    }
  }

  package var isOfObjects: Bool { type == .link }

  /// The collection as a query on its elements.
  var query: ResultsCore {
    switch content {
    case .backing(let backing): ResultsCore(backing)
    case .results(let query): query
    case .snapshot(let rows): rows.query(in: realm.core)
    }
  }

  // MARK: Usability

  /// Throws unless the caller can use the collection here, and it still exists.
  package func check() throws(Refusal) {
    try realm.check()
    if !isPresent { throw invalidated }
    if isOfObjects && realm.tables.pointee.classes[classNumber].isRemoved { throw invalidated }
  }

  /// Whether the caller can use the collection here, and it still exists.
  package var isValid: Bool {
    do throws(Refusal) {
      try check()
      return true
    } catch {
      return false
    }
  }

  /// Whether the collection still exists.
  var isPresent: Bool {
    switch content {
    case .backing(let backing): backing.isValid
    case .results(let query): !query.isInvalidated && linkTarget?.isValid ?? true
    case .snapshot: invalidationCount == realm.core.invalidationCount
    }
  }

  private var invalidated: Refusal {
    guard case .backing(let backing) = content else {
      return Refusal(.invalidated, "Access to invalidated Results objects")
    }
    return Refusal(
      .invalidated,
      "\(backing.kind.noun) is no longer valid. Either the parent object was deleted or the containing Realm has been invalidated or closed."
    )
  }

  /// Throws unless a number is the position of one of `count` elements.
  func check(position: Int, below count: Int) throws(Refusal) {
    if UInt(bitPattern: position) < UInt(bitPattern: count) { return }
    throw Refusal(
      .outOfBounds, "Index \(UInt(bitPattern: position)) is out of bounds (must be less than \(count)).")
  }
}

/// Rows of a class that stay the same whatever happens to the objects.
final class FixedRows: Sendable {
  let classNumber: Int
  let rows: [Int]

  init(classNumber: Int, rows: [Int]) {
    self.classNumber = classNumber
    self.rows = rows
  }

  /// A query on those of the objects that exist.
  func query(in realm: RealmCore) -> ResultsCore {
    let number = classNumber
    return ResultsCore(
      realm: realm, type: realm.dynamicClassTable(number).schema.type, dynamicTable: number,
      source: .rows { [self] in
        let table = realm.snapshot.table(number)
        return rows.filter { table.isAlive($0) }
      }, origin: .table)
  }
}

extension NumberedRealm {
  /// All objects of a class.
  package func objects(_ number: Int) throws(Refusal) -> NumberedCollection {
    _ = try checkedClass(number)
    return NumberedCollection(self, allOf: number)
  }

  /// The list, set or map of an object.
  package func collection(_ object: NumberedObject, _ column: Int) throws(Refusal) -> NumberedCollection {
    let kind = try checkedColumn(object.classNumber, column)
    let table = try checkedTable(of: object)
    if kind.collection == .none { throw wrongType(object.classNumber, column, asked: "collection") }
    let stored = StoredCollection(
      core, table, object.row, column, stamp: table.state.pointee.vanishStamp, isDynamic: kind.type == .link)
    return NumberedCollection(self, stored)
  }

  /// The list or map that is the value of a mixed property.
  package func nestedCollection(
    _ object: NumberedObject, _ column: Int
  ) throws(Refusal) -> NumberedCollection {
    let kind = try checkedColumn(object.classNumber, column)
    let table = try checkedTable(of: object)
    guard kind.single == ValueType.mixed.rawValue else {
      throw wrongType(object.classNumber, column, asked: "collection")
    }
    let owner = core.dynamicClassTable(object.classNumber).accessor(object.row)
    let isNull = table.isNull(column, object.row)
    let nested: NestedCollection? =
      isNull
      ? nil
      : table.withBytes(column, object.row) { bytes in
        let view = MixedView(bytes)
        guard view.isList || view.isDictionary else { return nil }
        return NestedCollection(
          .property(owner, column: column), NestedPath(view), kind: view.isList ? .list : .map)
      }
    try checkDamage()
    guard let nested else {
      throw Refusal(
        .wrongType, "The value of property \(name(object.classNumber, column)) is no list and no map.")
    }
    // A frozen collection is found once, before other threads use it.
    if core.isFrozen && !nested.locate() { throw damageRefusal }
    return NumberedCollection(self, nested)
  }

  /// The objects of a class that link to an object by a property.
  package func backlinks(
    to object: NumberedObject, from origin: Int, _ column: Int
  ) throws(Refusal) -> NumberedCollection {
    let table = try checkedTable(of: object)
    let kind = try checkedColumn(origin, column)
    guard kind.type == .mixed || (kind.type == .link && Int(kind.target) == object.classNumber) else {
      throw Refusal(
        .wrongType,
        "Property \(name(origin, column)) does not link to objects of class '\(className(object.classNumber))'."
      )
    }
    return NumberedCollection(
      self,
      links: LinkTarget(core, table, object.row, origin: core.dynamicClassTable(origin), column: column))
  }
}
