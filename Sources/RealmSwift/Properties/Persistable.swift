import Foundation
public import Storage

/// A value of the storage layer, under a name that does not clash with generic parameters.
public typealias StoredValue = Storage.Value

/// What a property is made of, as far as its Swift type tells.
public struct _PropertyKind {
  /// The type of a single value.
  public var type: PropertyType
  /// The collection that the values are in.
  public var collection: CollectionType = .none
  /// Whether a value can be nil.
  public var isOptional = false
  /// The class that a link, or the elements of a collection of links, point to.
  public var objectType: ObjectBase.Type?
  /// The name of that class when the program has no such class.
  var objectClassName: String?
  /// Whether the Swift type is a custom one, which is stored as this.
  var isCustom = false

  /// The name of the class that links lead to, whether the program has it or not.
  var targetName: String? { objectType.map { ClassSchema.of($0).className } ?? objectClassName }

  /// Whether the column can hold null: that of a custom type stored as an embedded object can, even if the property
  /// is not optional.
  var isNullable: Bool {
    isOptional || (isCustom && type == .object && (collection == .none || collection == .map))
  }
}

/// A type that a property can be discovered from.
public protocol _RealmSchemaDiscoverable {
  static var _rlmKind: _PropertyKind { get }
}

/// A type that is stored as another one, or as itself.
public protocol _HasPersistedType {
  associatedtype PersistedType
}

/// A type that a `@Persisted` property can have.
public protocol _Persistable: _RealmSchemaDiscoverable, _HasPersistedType {
  /// The value of an unmanaged property that was never set.
  static func _rlmDefaultValue() -> Self

  /// Reads a managed property; the caller has checked that the object may be used.
  static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Self

  /// What a managed property has stored, as key-value coding has it, when there is no value of this type for it and
  /// `_rlmRead` would stop the program or give nil; otherwise nil.
  static func _rlmUnconverted(_ object: ObjectBase, _ column: Int) -> Any?

  /// Writes a managed property; the caller has checked that the object may be changed.
  static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Self)

  /// Makes the value from one of another type, as documented for `init(value:)`; nil when it does not fit.
  /// `.some(nil)` of an optional type stands for null.
  static func _rlmCoerce(_ value: Any) -> Self?

  /// Whether a value fits what is stored, also when there is no value of this type for it: an enum's raw value that
  /// belongs to no case.
  static func _rlmFitsStorage(_ value: Any) -> Bool

  /// The value for key-value coding and dynamic objects: custom types and enums give what is stored, nil is
  /// null.
  var _rlmDynamicValue: Any? { get }

  /// A value to go on with when a key path is recorded: links give an object that takes notes, too.
  static func _rlmRecorder() -> Self

  /// The stored form of a single value that is no link; nil for links and collections.
  var _rlmStoredScalar: StoredValue? { get }

  /// Whether the row has this value already; false for links and collections.
  func _rlmIsStored(_ object: ObjectBase, _ column: Int) -> Bool

  // The following work on a `Persisted<Self>` at an address. They are requirements so that the compiler specialises
  // them for each type that it knows: code that is generic at run time is many times slower.

  /// Writes the value in memory to the row that its object has been given, and makes the property a view of it.
  static func _rlmManage(
    _ storage: UnsafeMutableRawPointer, _ object: ObjectBase, _ column: Int, isNew: Bool, skipsEqual: Bool)
  /// Makes the property in fresh memory a view of a column, and drops its value unless that is kept.
  static func _rlmMakeView(_ storage: UnsafeMutableRawPointer, _ column: Int, keepsValue: Bool)
  /// Writes a value of any type to a managed object. False when it does not fit.
  static func _rlmWriteAny(_ object: ObjectBase, _ column: Int, _ value: Any, skipsEqual: Bool) -> Bool
  /// The stored form of the value in memory; nil for links and collections.
  static func _rlmStoredScalar(at storage: UnsafeMutableRawPointer, _ object: ObjectBase) -> StoredValue?

  /// Whether a managed property keeps its value in memory (collections do, which are bound to their row).
  static var _rlmKeepsInstance: Bool { get }
  /// Makes a value in memory, which is kept, a view of a managed row.
  func _rlmBind(_ object: ObjectBase, _ column: Int)
  /// The view of an object's row for a value that is kept but was not made for that row (linking objects); nil when it
  /// was.
  func _rlmManaged(by object: ObjectBase) -> Self?
  /// The object or collection in memory that the value is, which may hold others.
  var _rlmReference: AnyObject? { get }
  /// Replaces the content of a collection in memory.
  static func _rlmAssign(_ new: Self, to current: Self)
}

extension _Persistable {
  /// For `_Persistable`: whether a row has the value already.
  public func _rlmIsStored(_ object: ObjectBase, _ column: Int) -> Bool {
    guard let stored = _rlmStoredScalar else { return false }
    return stored.isExactly(object._table.value(column, object._row))
  }

  /// For `_Persistable`: writes a value in memory to its object's new row, and makes it a view of that.
  public static func _rlmManage(
    _ storage: UnsafeMutableRawPointer, _ object: ObjectBase, _ column: Int, isNew: Bool, skipsEqual: Bool
  ) {
    let property = storage.assumingMemoryBound(to: Persisted<Self>.self)
    defer { property.pointee.column = Int32(truncatingIfNeeded: column) }
    if isNew && _rlmKeepsInstance && property.pointee.value == nil {
      // An untouched collection: a new row's is empty.
      return
    }
    if let unconverted = UnconvertedValue.take(from: object, property.pointee.column),
      property.pointee.value == nil
    {
      _ = _rlmWriteAny(object, column, unconverted, skipsEqual: skipsEqual)
      return
    }
    let value = property.pointee.value ?? _rlmDefaultValue()
    if skipsEqual && value._rlmIsStored(object, column) {
      // Unchanged values are not written.
    } else {
      _rlmWrite(object, column, value)
    }
    if _rlmKeepsInstance {
      property.pointee.value = value
      value._rlmBind(object, column)
    } else {
      property.pointee.value = nil
    }
  }

  /// For `_Persistable`: makes a property a view of a column.
  public static func _rlmMakeView(_ storage: UnsafeMutableRawPointer, _ column: Int, keepsValue: Bool) {
    let property = storage.assumingMemoryBound(to: Persisted<Self>.self)
    property.pointee.column = Int32(truncatingIfNeeded: column)
    if !keepsValue { property.pointee.value = nil }
  }

  /// For `_Persistable`: converts a value and writes it; false when it does not fit.
  public static func _rlmWriteAny(
    _ object: ObjectBase, _ column: Int, _ value: Any, skipsEqual: Bool
  ) -> Bool {
    guard let converted = _rlmCoerce(value) else { return false }
    if skipsEqual && converted._rlmIsStored(object, column) { return true }
    _rlmWrite(object, column, converted)
    return true
  }

  /// For `_Persistable`: what is stored for a single value; nil for links and collections.
  public static func _rlmStoredScalar(
    at storage: UnsafeMutableRawPointer, _ object: ObjectBase
  ) -> StoredValue? {
    let property = storage.assumingMemoryBound(to: Persisted<Self>.self)
    if property.pointee.value == nil,
      let unconverted = UnconvertedValue.kept(in: object, property.pointee.column)
    {
      return unconverted.scalar(_rlmKind)
    }
    return property.pointee.unmanagedValue(object)._rlmStoredScalar
  }

  /// For `_Persistable`: what is stored that there is no value for; most types have one for all.
  @inlinable public static func _rlmUnconverted(_ object: ObjectBase, _ column: Int) -> Any? { nil }

  /// For `_Persistable`: whether a value can be stored although it is none of the type.
  public static func _rlmFitsStorage(_ value: Any) -> Bool { false }
  /// For `_Persistable`: what a key path goes on with while it is recorded.
  public static func _rlmRecorder() -> Self { _rlmDefaultValue() }
  /// For `_Persistable`: what is stored for a single value; nil for links and collections.
  public var _rlmStoredScalar: StoredValue? { nil }
  /// For `_Persistable`: the object or collection that the value is.
  @inlinable public var _rlmReference: AnyObject? { nil }
  /// For `_Persistable`: replaces the content of a collection in memory.
  @inlinable public static func _rlmAssign(_ new: Self, to current: Self) {}
  /// For `_Persistable`: the view of a row, for a value that was made for another one.
  @inlinable public func _rlmManaged(by object: ObjectBase) -> Self? { nil }
  /// For `_Persistable`: whether a managed property keeps its value, as collections are.
  @inlinable public static var _rlmKeepsInstance: Bool { false }
  /// For `_Persistable`: makes a value that is kept a view of a managed row.
  @inlinable public func _rlmBind(_ object: ObjectBase, _ column: Int) {}
}

/// A type that has a value without arguments.
public protocol _DefaultConstructible {
  init()
}

/// Types whose properties may be indexed.
public protocol _Indexable {}
/// Types whose properties may have an index of their words.
public protocol _FullTextSearchable {}
/// Types whose properties may be primary keys.
public protocol _PrimaryKey {}

/// A type whose optional can be the type of a property.
public protocol _PersistableInsideOptional: _Persistable {
  static func _rlmReadOptional(_ object: ObjectBase, _ column: Int) -> Self?
  static func _rlmWriteOptional(_ object: ObjectBase, _ column: Int, _ value: Self?)
}

extension _PersistableInsideOptional {
  /// For `_PersistableInsideOptional`: reads a column; nil for null.
  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ object: ObjectBase, _ column: Int) -> Self? {
    object._table.isNull(column, object._row) ? nil : _rlmRead(object, column)
  }

  /// For `_PersistableInsideOptional`: writes a column; null for nil.
  @inlinable
  public static func _rlmWriteOptional(_ object: ObjectBase, _ column: Int, _ value: Self?) {
    if let value {
      _rlmWrite(object, column, value)
    } else {
      object._table.setNull(column, object._row)
    }
  }
}

/// A type that elements of collections can have.
public protocol RealmCollectionValue: Hashable, _RealmSchemaDiscoverable, _HasPersistedType {
  /// The element for a stored value.
  static func _rlmElement(_ value: StoredValue, _ realm: RealmCore) -> Self

  /// The element at an index of a chunk of a managed collection of this type. The chunk is one of the
  /// collection's segments, or of a column.
  static func _rlmElement(_ chunk: Chunk, _ index: Int, _ source: _ElementSource) -> Self

  /// The element for an object, of a type whose elements are objects or views of them.
  static func _rlmElement(_ object: ObjectBase) -> Self

  /// The value to store. Unmanaged objects are added to the realm; embedded ones become rows of their own, which
  /// is why a value is asked for only when it is really stored.
  func _rlmStore(_ realm: RealmCore) -> StoredValue

  /// The value to look for, as by `contains` or `index(of:)`; nil when it cannot be in the realm.
  func _rlmSearchValue(_ realm: RealmCore) -> StoredValue?

  /// Whether values can be stored that there is no element for.
  static var _rlmMayBeUnconverted: Bool { get }

  /// A stored value, as key-value coding has it, when there is no element for it; otherwise nil.
  static func _rlmUnconvertedElement(_ value: StoredValue, _ realm: RealmCore) -> Any?

  /// Makes the element from a value of another type; nil when it does not fit.
  static func _rlmCoerceElement(_ value: Any) -> Self?

  /// The value for key-value coding: nil is null.
  var _rlmDynamicElement: Any? { get }

  /// Whether the element, read as an object, was deleted (a link in a map).
  static var _rlmIsObject: Bool { get }
}

extension RealmCollectionValue {
  /// For `RealmCollectionValue`: whether the element is an object, which may have been deleted.
  @inlinable public static var _rlmIsObject: Bool { false }

  /// For `RealmCollectionValue`: most types have an element for each stored value.
  @inlinable public static var _rlmMayBeUnconverted: Bool { false }
  /// For `RealmCollectionValue`: a stored value that there is no element for.
  @inlinable public static func _rlmUnconvertedElement(_ value: StoredValue, _ realm: RealmCore) -> Any? {
    nil
  }

  /// For `RealmCollectionValue`: the element for what is stored.
  public static func _rlmElement(_ chunk: Chunk, _ index: Int, _ source: _ElementSource) -> Self {
    _rlmElement(chunk.storedValue(index, source.type, target: source.target), source.realm)
  }
  /// For `RealmCollectionValue`: the element for what is stored.
  public static func _rlmElement(_ object: ObjectBase) -> Self {
    // An object, or an optional one.
    unsafeBitCast(object, to: Self.self)
  }
  /// For `RealmCollectionValue`: what to look for in order to find the element; nil when it cannot be there.
  public func _rlmSearchValue(_ realm: RealmCore) -> StoredValue? { _rlmStore(realm) }

  /// The object that the element is, is a view of, or is stored as.
  var _rlmObject: ObjectBase? {
    if Self._rlmIsObject { return unsafeBitCast(self, to: ObjectBase?.self) }
    return _rlmDynamicElement.flatMap { Coercion.object($0) }
  }
}

/// Where the elements of a managed collection come from.
public struct _ElementSource {
  let realm: RealmCore
  let type: ValueType
  /// The table that links point to.
  let target: Int
  /// The class of that table.
  let classTable: ClassTable?
}

/// A type whose optional can be an element.
public protocol _RealmCollectionValueInsideOptional: RealmCollectionValue {
  /// Returns the element of the optional type for a stored value: nil for null, and for what cannot be converted.
  static func _rlmOptionalElement(_ value: StoredValue, _ realm: RealmCore) -> Self?
  /// Returns the element of the optional type at an index of a chunk: nil for null, and for what cannot be converted.
  static func _rlmOptionalElement(_ chunk: Chunk, _ index: Int, _ source: _ElementSource) -> Self?
}

extension _RealmCollectionValueInsideOptional {
  /// For `_RealmCollectionValueInsideOptional`: the element for what is stored; nil for null.
  public static func _rlmOptionalElement(_ value: StoredValue, _ realm: RealmCore) -> Self? {
    value.isNull ? nil : _rlmElement(value, realm)
  }
  /// For `_RealmCollectionValueInsideOptional`: the element for what is stored; nil for null.
  public static func _rlmOptionalElement(
    _ chunk: Chunk, _ index: Int, _ source: _ElementSource
  ) -> Self? {
    chunk.isNull(index) ? nil : _rlmElement(chunk, index, source)
  }
}
