import Foundation
public import Storage

/// A type of property that holds the objects which link to the object it belongs to.
public protocol LinkingObjectsProtocol {
  /// The class of the linking objects.
  associatedtype Element
  /// Creates the linking objects of a class and one of its properties.
  init(fromType: Element.Type, property: String)
  /// The name of the property that holds the links.
  var originProperty: String { get }
}

/// The objects that link to an object through one of their properties: the inverse of that relationship. A
/// live collection.
///
/// ```swift
/// @Persisted(originProperty: "huts") var trails: LinkingObjects<Trail>
/// ```
///
/// An object that links several times is contained once for each link. An unmanaged object has no linking
/// objects.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: LinkingObjectsProtocol {
  /// The name of the property that holds the links.
  public let originProperty: String
  /// The object that is linked to; nil until it is managed.
  let target: LinkTarget?

  /// Creates the linking objects of a class and one of its properties.
  public init(fromType _: Element.Type, property propertyName: String) {
    originProperty = propertyName
    target = nil
  }

  init(_ object: ObjectBase, originProperty: String) {
    let realm = object._realm.unsafelyUnwrapped
    let origin = realm.classTable(Element.self)
    guard let index = origin.schema.index(of: originProperty), origin.columns[index] >= 0 else {
      trap("Property '\(originProperty)' not found in object of type '\(origin.className)'")
    }
    self.init(
      LinkTarget(object, origin: origin, column: origin.columns[index]), originProperty: originProperty)
  }

  init(_ target: LinkTarget, originProperty: String) {
    self.originProperty = originProperty
    self.target = target
  }
}

extension LinkingObjects: RealmCollection {
  /// For `RealmCollection`: the name of the collection in descriptions and messages.
  public static var _rlmName: String { "LinkingObjects" }

  /// The realm that manages the object; nil for an unmanaged object.
  public var realm: Realm? { target.map { Realm($0.realm) } }

  /// Whether the collection can no longer be used, because its object was deleted or its realm invalidated.
  public var isInvalidated: Bool { target.map { !$0.isValid } ?? false }

  /// Whether the collection belongs to a frozen realm and never changes.
  public var isFrozen: Bool { target?.realm.isFrozen ?? false }

  /// For `RealmCollection`: where the elements come from.
  public var _rlmOrigin: _CollectionOrigin {
    target.map { _CollectionOrigin(kind: .query($0.query)) } ?? .unmanaged
  }

  private var rows: ContiguousArray<Int> {
    guard let target else { return [] }
    target.checkAccess()
    return target.rows
  }

  /// The number of links.
  public var count: Int { rows.count }

  /// The element at a position. Stops the program if the position is out of bounds.
  public subscript(position: Int) -> Element {
    if target == nil, let element = KeyPathRecorder.element(Element.self) { return element }
    let rows = rows
    target?.realm.pause(at: position)
    position.checkPosition(below: rows.count)
    return unsafeDowncast(target.unsafelyUnwrapped.origin.accessor(rows[position]), to: Element.self)
  }

  /// Returns an iterator over the elements that the collection has now.
  public func makeIterator() -> RLMIterator<Element> {
    guard let target else { return RLMIterator(cursor: ArrayCursor([])) }
    return RLMIterator(objects: ObjectCursor(target.origin, rows: rows))
  }

  /// Returns the position of an element, or nil if the collection does not contain it.
  public func index(of object: Element) -> Int? {
    target?.query.checkMember(object)
    guard let target, case .link(target.origin.table.number, let row) = object._rlmSearchValue(target.realm)
    else { return nil }
    return rows.firstIndex(of: row)
  }

  /// Returns whether both are the links to the same object through the same property.
  public static func == (lhs: LinkingObjects, rhs: LinkingObjects) -> Bool {
    guard let left = lhs.target, let right = rhs.target else {
      return lhs.target == nil && rhs.target == nil && lhs.originProperty == rhs.originProperty
    }
    return left.realm === right.realm && left.table.state == right.table.state && left.row == right.row
      && left.origin === right.origin && left.column == right.column
  }

  /// For the collection's protocol: an aggregate of a property of the elements; null when there is none.
  public func _rlmAggregate(_ operation: _Aggregate, _ property: String) -> StoredValue {
    guard let target else {
      return Aggregation.compute(operation, property, over: self, orStored: nil, name: "LinkingObjects")
    }
    target.checkAccess()
    return Results<Element>(core: target.query)._rlmAggregate(operation, property)
  }
}

extension LinkingObjects: _RealmSchemaDiscoverable, _HasPersistedType {
  /// The type that is stored: the linking objects themselves.
  public typealias PersistedType = LinkingObjects

  /// For `_RealmSchemaDiscoverable`: what a property of this type is made of.
  public static var _rlmKind: _PropertyKind {
    _PropertyKind(type: .linkingObjects, objectType: Element.self)
  }
}

extension LinkingObjects: _Persistable {
  /// Without the name of a property, which the schema's validation reports.
  public static func _rlmDefaultValue() -> LinkingObjects {
    LinkingObjects(fromType: Element.self, property: "")
  }
  /// For `_Persistable`: whether a managed property keeps its value, as collections are.
  public static var _rlmKeepsInstance: Bool { true }
  /// For `_Persistable`: reads the column of a managed object.
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> LinkingObjects { _rlmDefaultValue() }
  /// For `_Persistable`: writes the column of a managed object.
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: LinkingObjects) {
    trap("LinkingObjects properties are read-only")
  }
  /// For `_Persistable`: replaces the content of a collection in memory.
  public static func _rlmAssign(_ new: LinkingObjects, to current: LinkingObjects) {
    trap("LinkingObjects properties are read-only")
  }
  /// For `_Persistable`: makes a value of one of another type; nil when it does not fit.
  public static func _rlmCoerce(_ value: Any) -> LinkingObjects? { value as? LinkingObjects }
  /// For `_Persistable`: the value as key-value coding and dynamic objects see it.
  public var _rlmDynamicValue: Any? { self }

  /// For `_Persistable`: the view of a row, for a value that was made for another one.
  public func _rlmManaged(by object: ObjectBase) -> LinkingObjects? {
    if let target, target.row == object._row, target.table.state == object._state { return nil }
    return LinkingObjects(object, originProperty: originProperty)
  }
}
