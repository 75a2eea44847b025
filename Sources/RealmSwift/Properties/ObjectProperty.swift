import Foundation
public import Storage

// Links: properties of type `Dog?`, and objects as elements of collections.
extension ObjectBase: _RealmSchemaDiscoverable {
  /// For `_RealmSchemaDiscoverable`: what a property of this type is made of.
  public static var _rlmKind: _PropertyKind {
    _PropertyKind(type: .object, objectType: self)
  }
}

extension _PersistableInsideOptional where Self: ObjectBase {
  /// For `_Persistable`: what a property has that was never set.
  public static func _rlmDefaultValue() -> Self { Self() }
  /// For `_Persistable`: what a key path goes on with while it is recorded.
  public static func _rlmRecorder() -> Self {
    unsafeDowncast(KeyPathRecorder.recorder(of: self), to: Self.self)
  }
  /// For `_Persistable`: reads the column of a managed object.
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Self {
    _rlmReadOptional(object, column)!
  }
  /// For `_Persistable`: writes the column of a managed object.
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    _rlmWriteOptional(object, column, value)
  }
  /// For `_PersistableInsideOptional`: reads a column; nil for null.
  public static func _rlmReadOptional(_ object: ObjectBase, _ column: Int) -> Self? {
    guard let row = object._table.link(column, object._row) else { return nil }
    let realm = object._realm.unsafelyUnwrapped
    return unsafeDowncast(realm.linkTarget(object._table, column).accessor(row), to: Self.self)
  }
  /// For `_PersistableInsideOptional`: writes a column; null for nil.
  public static func _rlmWriteOptional(_ object: ObjectBase, _ column: Int, _ value: Self?) {
    let realm = object._realm.unsafelyUnwrapped
    guard let value else { return object._table.setLink(column, object._row, nil) }
    let target = realm.linkTarget(object._table, column)
    if target.isEmbedded && value._isManaged {
      if value._realm === realm && value._row == object._table.link(column, object._row) { return }
      trap("Can't set link to existing managed embedded object")
    }
    if target.isEmbedded, realm.updatePolicy == .modified, let old = object._table.link(column, object._row) {
      return realm.add(value, overEmbedded: old, target)
    }
    object._table.setLink(column, object._row, realm.rowForLink(to: value, target))
  }
  /// For `_Persistable`: makes a value of one of another type; nil when it does not fit.
  public static func _rlmCoerce(_ value: Any) -> Self? { ObjectPopulation.object(self, from: value) }
  /// For `_Persistable`: the value as key-value coding and dynamic objects see it.
  public var _rlmDynamicValue: Any? { self }
  /// For `_Persistable`: the object or collection that the value is.
  public var _rlmReference: AnyObject? { self }
}

extension RealmCollectionValue where Self: ObjectBase {
  /// For `RealmCollectionValue`: the element for what is stored.
  public static func _rlmElement(_ value: StoredValue, _ realm: RealmCore) -> Self {
    guard case .link(let table, let row) = value else {
      if value.isNull { trap(.objectInvalidated) }
      trap("The elements of the collection are no objects: object[propertyName] gives it with their type.")
    }
    return unsafeDowncast(realm.classTable(number: table, as: Self.self).accessor(row), to: Self.self)
  }
  /// For `RealmCollectionValue`: the element for what is stored.
  public static func _rlmElement(_ chunk: Chunk, _ index: Int, _ source: _ElementSource) -> Self {
    unsafeDowncast(
      source.classTable.unsafelyUnwrapped.accessor(Int(chunk.integer(index))), to: Self.self)
  }
  /// For `RealmCollectionValue`: what is stored for the element.
  public func _rlmStore(_ realm: RealmCore) -> StoredValue {
    let target = realm.classTable(of: self)
    return .link(table: target.table.number, row: realm.rowForLink(to: self, target))
  }
  /// For `RealmCollectionValue`: what to look for in order to find the element; nil when it cannot be there.
  public func _rlmSearchValue(_ realm: RealmCore) -> StoredValue? {
    guard _realm === realm, _isAlive else { return nil }
    return .link(table: _table.number, row: _row)
  }
  /// For `RealmCollectionValue`: makes an element of a value of another type; nil when it does not fit.
  public static func _rlmCoerceElement(_ value: Any) -> Self? { ObjectPopulation.object(self, from: value) }
  /// For `RealmCollectionValue`: the element as key-value coding sees it.
  public var _rlmDynamicElement: Any? { self }
  /// For `RealmCollectionValue`: whether the element is an object, which may have been deleted.
  public static var _rlmIsObject: Bool { true }
}

extension Object: _PersistableInsideOptional, _RealmCollectionValueInsideOptional {
  /// The stored type: an object.
  public typealias PersistedType = Object
}

extension EmbeddedObject: _PersistableInsideOptional, _RealmCollectionValueInsideOptional {
  /// The stored type: an object.
  public typealias PersistedType = EmbeddedObject
}
