import Foundation
public import Storage

extension Optional: _RealmSchemaDiscoverable where Wrapped: _RealmSchemaDiscoverable {
  public static var _rlmKind: _PropertyKind {
    var kind = Wrapped._rlmKind
    kind.isOptional = true
    return kind
  }
}

extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
  public typealias PersistedType = Wrapped.PersistedType?
}

extension Optional: _Indexable where Wrapped: _Indexable {}
extension Optional: _FullTextSearchable where Wrapped: _FullTextSearchable {}
extension Optional: _PrimaryKey where Wrapped: _PrimaryKey {}

extension Optional: _Persistable where Wrapped: _PersistableInsideOptional {
  public static func _rlmDefaultValue() -> Wrapped? { nil }
  public static func _rlmRecorder() -> Wrapped? {
    Wrapped.self is ObjectBase.Type ? Wrapped._rlmRecorder() : nil
  }
  @inlinable @inline(__always)
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Wrapped? {
    Wrapped._rlmReadOptional(object, column)
  }
  @inlinable
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Wrapped?) {
    Wrapped._rlmWriteOptional(object, column, value)
  }
  public static func _rlmCoerce(_ value: Any) -> Wrapped?? {
    guard let value = Coercion.unwrap(value) else { return .some(nil) }
    if let wrapped = Wrapped._rlmCoerce(value) { return .some(wrapped) }
    return Wrapped._rlmFitsStorage(value) ? .some(nil) : nil
  }
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
  public var _rlmDynamicValue: Any? { self?._rlmDynamicValue }
  public var _rlmStoredScalar: StoredValue? {
    guard let self else { return Wrapped._rlmKind.type == .object ? nil : .null }
    return self._rlmStoredScalar
  }
}

extension Optional: RealmCollectionValue where Wrapped: _RealmCollectionValueInsideOptional {
  public static func _rlmElement(_ value: StoredValue, _ realm: RealmCore) -> Wrapped? {
    value.isNull ? nil : Wrapped._rlmElement(value, realm)
  }
  public static func _rlmElement(_ chunk: Chunk, _ index: Int, _ source: _ElementSource) -> Wrapped? {
    chunk.isNull(index) ? nil : Wrapped._rlmElement(chunk, index, source)
  }
  public func _rlmStore(_ realm: RealmCore) -> StoredValue { self?._rlmStore(realm) ?? .null }
  public func _rlmSearchValue(_ realm: RealmCore) -> StoredValue? {
    guard let self else { return .null }
    return self._rlmSearchValue(realm)
  }
  public static func _rlmCoerceElement(_ value: Any) -> Wrapped?? {
    guard let value = Coercion.unwrap(value) else { return .some(nil) }
    return Wrapped._rlmCoerceElement(value).map { .some($0) }
  }
  public var _rlmDynamicElement: Any? { self?._rlmDynamicElement }
  public static var _rlmIsObject: Bool { Wrapped._rlmIsObject }
}
