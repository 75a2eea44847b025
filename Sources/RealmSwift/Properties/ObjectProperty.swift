import Foundation
public import Storage

// Links: properties of type `Dog?`, and objects as elements of collections.
extension ObjectBase: _RealmSchemaDiscoverable {
  public static var _rlmKind: _PropertyKind {
    _PropertyKind(type: .object, objectType: self)
  }
}

extension _PersistableInsideOptional where Self: ObjectBase {
  public static func _rlmDefaultValue() -> Self { Self() }
  public static func _rlmRecorder() -> Self {
    unsafeDowncast(KeyPathRecorder.recorder(of: self), to: Self.self)
  }
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Self {
    _rlmReadOptional(object, column)!
  }
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    _rlmWriteOptional(object, column, value)
  }
  public static func _rlmReadOptional(_ object: ObjectBase, _ column: Int) -> Self? {
    guard let row = object._table.link(column, object._row) else { return nil }
    let realm = object._realm.unsafelyUnwrapped
    return unsafeDowncast(realm.linkTarget(object._table, column).accessor(row), to: Self.self)
  }
  public static func _rlmWriteOptional(_ object: ObjectBase, _ column: Int, _ value: Self?) {
    let realm = object._realm.unsafelyUnwrapped
    guard let value else { return object._table.setLink(column, object._row, nil) }
    let target = realm.linkTarget(object._table, column)
    if target.isEmbedded && value._isManaged {
      if value._realm === realm && value._row == object._table.link(column, object._row) { return }
      trap("Can't set link to existing managed embedded object")
    }
    object._table.setLink(column, object._row, realm.rowForLink(to: value, target))
  }
  public static func _rlmCoerce(_ value: Any) -> Self? { ObjectPopulation.object(self, from: value) }
  public var _rlmDynamicValue: Any? { self }
}

extension RealmCollectionValue where Self: ObjectBase {
  public static func _rlmElement(_ value: StoredValue, _ realm: RealmCore) -> Self {
    guard case .link(let table, let row) = value else {
      if value.isNull { trap(.objectInvalidated) }
      trap("The elements of the collection are no objects: object[propertyName] gives it with their type.")
    }
    return unsafeDowncast(realm.classTable(number: table, as: Self.self).accessor(row), to: Self.self)
  }
  public static func _rlmElement(_ chunk: Chunk, _ index: Int, _ source: _ElementSource) -> Self {
    unsafeDowncast(
      source.classTable.unsafelyUnwrapped.accessor(Int(chunk.integer(index))), to: Self.self)
  }
  public func _rlmStore(_ realm: RealmCore) -> StoredValue {
    let target = realm.classTable(of: self)
    return .link(table: target.table.number, row: realm.rowForLink(to: self, target))
  }
  public func _rlmSearchValue(_ realm: RealmCore) -> StoredValue? {
    guard _realm === realm, _isAlive else { return nil }
    return .link(table: _table.number, row: _row)
  }
  public static func _rlmCoerceElement(_ value: Any) -> Self? { ObjectPopulation.object(self, from: value) }
  public var _rlmDynamicElement: Any? { self }
  public static var _rlmIsObject: Bool { true }
}

extension RealmSwiftObject: _PersistableInsideOptional, _RealmCollectionValueInsideOptional {
  public typealias PersistedType = RealmSwiftObject
}

extension RealmSwiftEmbeddedObject: _PersistableInsideOptional, _RealmCollectionValueInsideOptional {
  public typealias PersistedType = RealmSwiftEmbeddedObject
}
