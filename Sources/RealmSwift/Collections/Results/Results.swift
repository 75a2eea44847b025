import Foundation
import QueryEngine
public import Storage

/// The objects of a class, or those of them that a query selects, always as they are now.
///
///     let dogs = realm.objects(Dog.self)
///     print(dogs.count, dogs.first?.name ?? "none")
///     for dog in dogs { print(dog.name) }
///
/// Nothing is computed until the results are asked for something. They follow every change on their thread: of this
/// thread at once, of others after a refresh.
public struct Results<Element: RealmCollectionValue>: RealmCollection {
  let core: ResultsCore

  init(core: ResultsCore) {
    self.core = core
  }

  /// All objects of a class.
  init(realm: RealmCore, classTable: ClassTable) {
    core = ResultsCore(realm: realm, type: classTable.schema.type, source: .table, origin: .table)
  }

  /// All objects of a class that only the file knows.
  init(realm: RealmCore, dynamicTable: Int) {
    core = ResultsCore(realm: realm, type: nil, dynamicTable: dynamicTable, source: .table, origin: .table)
  }

  /// For `RealmCollection`: the name of the collection in descriptions and messages.
  public static var _rlmName: String { "Results" }
  /// For `RealmCollection`: where the elements come from.
  public var _rlmOrigin: _CollectionOrigin { _CollectionOrigin(kind: .query(core)) }

  /// The realm that the results come from.
  public var realm: Realm? { Realm(core.realm) }
  /// Whether the results were made before their realm was invalidated. Live results can still be used then: they are
  /// evaluated again.
  public var isInvalidated: Bool { core.isInvalidated }
  /// Whether it belongs to a frozen realm, and never changes.
  public var isFrozen: Bool { core.realm.isFrozen }

  /// The number of elements.
  public var count: Int { core.count }

  /// The element at a position, which must exist.
  public subscript(position: Int) -> Element {
    if position < 0 { trap("Cannot pass a negative value for 'index'.") }
    core.pause(at: position)
    if !core.isOfValues, let row = core.row(ifAt: position) { return object(row) }
    let count = core.count
    if position >= count { trap("Index \(position) is out of bounds (must be less than \(count)).") }
    return element(at: position)
  }

  private func element(at position: Int) -> Element {
    if core.isOfValues { return Element._rlmElement(core.values[position], core.realm) }
    return object(core.row(at: position))
  }

  /// So many of the first elements, or all when there are fewer. The others need not be found for them.
  public func prefix(_ maxLength: Int) -> Slice<Results> {
    precondition(maxLength >= 0, "Can't take a prefix of negative length from a collection")
    let isEnough = maxLength > 0 && !core.isOfValues && core.row(ifAt: maxLength - 1) != nil
    return Slice(base: self, bounds: 0..<(isEnough ? maxLength : Swift.min(maxLength, count)))
  }

  /// The first element; nil when there is none.
  public var first: Element? {
    core.pause()
    if core.isOfValues { return count == 0 ? nil : element(at: 0) }
    return core.firstRow.map(object)
  }

  private func object(_ row: Int) -> Element { Element._rlmElement(core.object(row)) }

  /// The last element; nil when there is none.
  public var last: Element? {
    core.pause()
    let count = core.count
    return count == 0 ? nil : element(at: count - 1)
  }

  /// Goes over the elements as they are when it begins.
  public func makeIterator() -> RLMIterator<Element> {
    if core.isOfValues {
      return RLMIterator(
        cursor: ArrayCursor(ContiguousArray(core.values.map { Element._rlmElement($0, core.realm) })))
    }
    return core.iterator(core.cursor())
  }

  /// The position of an object of the same realm; nil when it is not among the results.
  ///
  /// Stops the program for an object that was deleted or is of another class.
  public func index(of object: Element) -> Int? {
    core.checkMember(object)
    guard let value = object._rlmSearchValue(core.realm) else { return nil }
    if core.isOfValues { return core.values.firstIndex { StoredValue.order($0, value) == 0 } }
    guard case .link(core.classTable.table.number, let row) = value else { return nil }
    return core.position(ofRow: row)
  }

  /// Two results are equal when they are copies of the same one.
  public static func == (a: Results, b: Results) -> Bool { a.core === b.core }

  /// For the collection's protocol: an aggregate of a property of the elements; null when there is none.
  public func _rlmAggregate(_ operation: _Aggregate, _ property: String) -> StoredValue {
    if core.isOfValues { return core.values.aggregate(AggregateOperation(operation)) }
    let classTable = core.classTable
    Aggregation.check(operation, property, classTable.schema)
    // What is checked is stored.
    let column = classTable.column(named: property)!
    return core.realm.snapshot.aggregate(
      AggregateOperation(operation), table: classTable.table.number, column: column, over: core.selection)
  }

  /// Sets a property of all objects to one value.
  ///
  ///     try realm.write { dogs.setValue("poodle", forKey: "breed") }
  ///
  /// Stops the program outside a write transaction, for an unknown property or a value that does not fit it.
  public func setValue(_ value: Any?, forKey key: String) {
    core.setValue(value, forKey: key)
  }
}

extension Results: Encodable where Element: Encodable {}
extension LinkingObjects: Encodable where Element: Encodable {}

extension ResultsCore {
  /// Stops the program for a managed object that can not be asked for: one that was deleted, or of another class.
  func checkMember<Element: RealmCollectionValue>(_ element: Element) {
    guard Element._rlmIsObject, !isOfValues, let object = unsafeBitCast(element, to: ObjectBase?.self),
      object._isManaged
    else { return }
    if !object._isAlive { trap("Attempting to access an invalid object") }
    let classTable = classTable
    let name = object.classSchema.className
    if name != classTable.className {
      trap("Object of type '\(name)' does not match Results type '\(classTable.className)'")
    }
  }
}
