import Foundation
import QueryEngine
public import Storage

/// The objects of a class that satisfy a query. Results are live: they always reflect the current state of
/// the realm.
///
/// ```swift
/// let huts = realm.objects(Hut.self)
/// print(huts.count, huts.first?.name ?? "none")
/// for hut in huts { print(hut.name) }
/// ```
///
/// Results are evaluated lazily, when they are first read. They reflect changes made on their own thread at
/// once, and changes of other threads and processes after a refresh.
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

  /// The realm that the results belong to.
  public var realm: Realm? { Realm(core.realm) }
  /// Whether the results were created before their realm was invalidated. Live results can still be used
  /// then: they are evaluated again.
  public var isInvalidated: Bool { core.isInvalidated }
  /// Whether the results belong to a frozen realm and never change.
  public var isFrozen: Bool { core.realm.isFrozen }

  /// The number of elements.
  public var count: Int { core.count }

  /// The element at a position. Stops the program if the position is out of bounds.
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

  /// Returns up to a maximum number of elements from the beginning. The remaining elements are not computed.
  public func prefix(_ maxLength: Int) -> Slice<Results> {
    precondition(maxLength >= 0, "Can't take a prefix of negative length from a collection")
    let isEnough = maxLength > 0 && !core.isOfValues && core.row(ifAt: maxLength - 1) != nil
    return Slice(base: self, bounds: 0..<(isEnough ? maxLength : Swift.min(maxLength, count)))
  }

  /// The first element, or nil if there is none.
  public var first: Element? {
    core.pause()
    if core.isOfValues { return count == 0 ? nil : element(at: 0) }
    return core.firstRow.map(object)
  }

  private func object(_ row: Int) -> Element { Element._rlmElement(core.object(row)) }

  /// The last element, or nil if there is none.
  public var last: Element? {
    core.pause()
    let count = core.count
    return count == 0 ? nil : element(at: count - 1)
  }

  /// Returns an iterator over the elements that the results have now.
  public func makeIterator() -> RLMIterator<Element> {
    if core.isOfValues {
      return RLMIterator(
        cursor: ArrayCursor(ContiguousArray(core.values.map { Element._rlmElement($0, core.realm) })))
    }
    return core.iterator(core.cursor())
  }

  /// Returns the position of an object of the same realm, or nil if the results do not contain it.
  ///
  /// Stops the program if the object was deleted or is of another class.
  public func index(of object: Element) -> Int? {
    core.checkMember(object)
    guard let value = object._rlmSearchValue(core.realm) else { return nil }
    if core.isOfValues { return core.values.firstIndex { StoredValue.order($0, value) == 0 } }
    guard case .link(core.classTable.table.number, let row) = value else { return nil }
    return core.position(ofRow: row)
  }

  /// Returns whether both are copies of the same results.
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

  /// Sets a property of every object to one value.
  ///
  /// ```swift
  /// try realm.write { huts.setValue(24, forKey: "beds") }
  /// ```
  ///
  /// Stops the program outside a write transaction, and if the property is unknown or the value does not fit
  /// it.
  public func setValue(_ value: Any?, forKey key: String) {
    core.setValue(value, forKey: key)
  }
}

extension Results: Encodable where Element: Encodable {}
extension LinkingObjects: Encodable where Element: Encodable {}

extension ResultsCore {
  /// Stops the program for a managed object that cannot be asked for: one that was deleted, or of another class.
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
