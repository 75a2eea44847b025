import Foundation
public import Storage

extension Optional: _RealmSchemaDiscoverable where Wrapped: _RealmSchemaDiscoverable {
  /// For `_RealmSchemaDiscoverable`: what a property of this type is made of.
  public static var _rlmKind: _PropertyKind {
    var kind = Wrapped._rlmKind
    kind.isOptional = true
    return kind
  }
}

extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
  /// The stored type: that of the wrapped type, or null.
  public typealias PersistedType = Wrapped.PersistedType?
}

extension Optional: _Indexable where Wrapped: _Indexable {}
extension Optional: _FullTextSearchable where Wrapped: _FullTextSearchable {}
extension Optional: _PrimaryKey where Wrapped: _PrimaryKey {}

extension Optional: _Persistable where Wrapped: _PersistableInsideOptional {
  /// For `_Persistable`: what a property has that was never set.
  public static func _rlmDefaultValue() -> Wrapped? { nil }
  /// For `_Persistable`: what a key path goes on with while it is recorded.
  public static func _rlmRecorder() -> Wrapped? {
    Wrapped.self is ObjectBase.Type ? Wrapped._rlmRecorder() : nil
  }
  /// For `_Persistable`: reads the column of a managed object.
  @inlinable @inline(__always)
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Wrapped? {
    Wrapped._rlmReadOptional(object, column)
  }
  /// For `_Persistable`: what is stored that there is no value for, so that nil is read.
  public static func _rlmUnconverted(_ object: ObjectBase, _ column: Int) -> Any? {
    object._table.isNull(column, object._row) ? nil : Wrapped._rlmUnconverted(object, column)
  }
  /// For `_Persistable`: writes the column of a managed object.
  @inlinable
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Wrapped?) {
    Wrapped._rlmWriteOptional(object, column, value)
  }
  /// For `_Persistable`: makes a value of one of another type; nil when it does not fit.
  public static func _rlmCoerce(_ value: Any) -> Wrapped?? {
    guard let value = Coercion.unwrap(value) else { return .some(nil) }
    if let wrapped = Wrapped._rlmCoerce(value) { return .some(wrapped) }
    return Wrapped._rlmFitsStorage(value) ? .some(nil) : nil
  }
  /// For `_Persistable`: converts a value and writes it; false when it does not fit.
  public static func _rlmWriteAny(
    _ object: ObjectBase, _ column: Int, _ value: Any, skipsEqual: Bool
  ) -> Bool {
    if let converted = _rlmCoerce(value), converted != nil || Coercion.unwrap(value) == nil {
      if skipsEqual && converted._rlmIsStored(object, column) { return true }
      Wrapped._rlmWriteOptional(object, column, converted)
      return true
    }
    return Wrapped._rlmFitsStorage(value)
      && Wrapped._rlmWriteAny(object, column, value, skipsEqual: skipsEqual)
  }
  /// For `_Persistable`: whether a row has the value already.
  public func _rlmIsStored(_ object: ObjectBase, _ column: Int) -> Bool {
    if let self { return self._rlmIsStored(object, column) }
    return Wrapped._rlmKind.type != .object && object._table.isNull(column, object._row)
  }
  /// For `_Persistable`: the value as key-value coding and dynamic objects see it.
  public var _rlmDynamicValue: Any? { self?._rlmDynamicValue }
  /// For `_Persistable`: the object or collection that the value is.
  public var _rlmReference: AnyObject? { self?._rlmReference }
  /// For `_Persistable`: what is stored for a single value; nil for links and collections.
  public var _rlmStoredScalar: StoredValue? {
    guard let self else { return Wrapped._rlmKind.type == .object ? nil : .null }
    return self._rlmStoredScalar
  }
}

extension Optional: RealmCollectionValue where Wrapped: _RealmCollectionValueInsideOptional {
  /// For `RealmCollectionValue`: the element for what is stored.
  public static func _rlmElement(_ value: StoredValue, _ realm: RealmCore) -> Wrapped? {
    Wrapped._rlmOptionalElement(value, realm)
  }
  /// For `RealmCollectionValue`: the element for what is stored.
  public static func _rlmElement(_ chunk: Chunk, _ index: Int, _ source: _ElementSource) -> Wrapped? {
    Wrapped._rlmOptionalElement(chunk, index, source)
  }
  /// For `RealmCollectionValue`: whether values can be stored that there is no element for.
  public static var _rlmMayBeUnconverted: Bool { Wrapped._rlmMayBeUnconverted }
  /// For `RealmCollectionValue`: a stored value that there is no element for.
  public static func _rlmUnconvertedElement(_ value: StoredValue, _ realm: RealmCore) -> Any? {
    value.isNull ? nil : Wrapped._rlmUnconvertedElement(value, realm)
  }
  /// For `RealmCollectionValue`: what is stored for the element.
  public func _rlmStore(_ realm: RealmCore) -> StoredValue { self?._rlmStore(realm) ?? .null }
  /// For `RealmCollectionValue`: what to look for in order to find the element; nil when it cannot be there.
  public func _rlmSearchValue(_ realm: RealmCore) -> StoredValue? {
    guard let self else { return .null }
    return self._rlmSearchValue(realm)
  }
  /// For `RealmCollectionValue`: makes an element of a value of another type; nil when it does not fit.
  public static func _rlmCoerceElement(_ value: Any) -> Wrapped?? {
    guard let value = Coercion.unwrap(value) else { return .some(nil) }
    return Wrapped._rlmCoerceElement(value).map { .some($0) }
  }
  /// For `RealmCollectionValue`: the element as key-value coding sees it.
  public var _rlmDynamicElement: Any? { self?._rlmDynamicElement }
  /// For `RealmCollectionValue`: whether the element is an object, which may have been deleted.
  public static var _rlmIsObject: Bool { Wrapped._rlmIsObject }
}
