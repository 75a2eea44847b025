import Foundation
public import Storage

/// What both kinds of custom types have in common; not to be adopted directly.
public protocol _CustomPersistable: _PersistableInsideOptional, _RealmCollectionValueInsideOptional
where PersistedType: _PersistableInsideOptional & _RealmCollectionValueInsideOptional {
  /// The value that is stored for this one.
  var persistableValue: PersistedType { get }

  /// The value for a stored one; nil when there is none.
  static func _rlmMake(_ persistedValue: PersistedType) -> Self?
}

/// A custom type of persisted properties. Each value is stored as a value of another type: a number, a string
/// or another type of property, or an embedded object.
///
/// ```swift
/// struct Temperature: CustomPersistable {
///   var degrees: Double
///
///   init(persistedValue: Double) { degrees = persistedValue }
///   var persistableValue: Double { degrees }
/// }
/// ```
///
/// The conversions run whenever a managed property is read or written. An unmanaged object holds the value
/// itself.
public protocol CustomPersistable: _CustomPersistable {
  /// The stored type: a type of property, or a class of embedded objects.
  associatedtype PersistedType
  /// Creates the value that is stored as `persistedValue`.
  init(persistedValue: PersistedType)
}

/// A custom type of persisted properties for which the conversion from the stored value can fail.
///
/// ```swift
/// struct Chip: FailableCustomPersistable {
///   var number: Int
///
///   init?(persistedValue: String) {
///     guard let number = Int(persistedValue) else { return nil }
///     self.number = number
///   }
///   var persistableValue: String { String(number) }
/// }
/// ```
///
/// If the conversion fails, an optional property is nil; reading a property that is not optional stops the
/// program. Queries, observers, descriptions and copies of the object use the stored value and do not stop.
public protocol FailableCustomPersistable: _CustomPersistable {
  /// The stored type: a type of property, or a class of embedded objects.
  associatedtype PersistedType
  /// Creates the value that is stored as `persistedValue`, or returns nil if there is none.
  init?(persistedValue: PersistedType)
}

extension CustomPersistable {
  /// For `_CustomPersistable`: the value of a stored one; nil when there is none.
  @inlinable public static func _rlmMake(_ persistedValue: PersistedType) -> Self? {
    Self(persistedValue: persistedValue)
  }
}

extension FailableCustomPersistable {
  /// For `_CustomPersistable`: the value of a stored one; nil when there is none.
  @inlinable public static func _rlmMake(_ persistedValue: PersistedType) -> Self? {
    Self(persistedValue: persistedValue)
  }
}

extension _CustomPersistable {
  /// Hashes what is stored. Embedded objects have no hash of their own that equal values would share.
  public func hash(into hasher: inout Hasher) {
    if !PersistedType._rlmIsObject { persistableValue.hash(into: &hasher) }
  }

  private static func element(_ persisted: PersistedType) -> Self {
    if let value = _rlmMake(persisted) { return value }
    trap("Could not convert value '\(persisted)' to type '\(Self.self)'.")
  }

  private static func required(_ persisted: PersistedType) -> Self {
    if let value = _rlmMake(persisted) { return value }
    failConversion(of: persisted)
  }
}

extension _CustomPersistable {
  /// For `_RealmSchemaDiscoverable`: what a property of this type is made of.
  public static var _rlmKind: _PropertyKind {
    var kind = PersistedType._rlmKind
    kind.isCustom = true
    return kind
  }

  /// For `_Persistable`: what a property has that was never set.
  public static func _rlmDefaultValue() -> Self {
    if let value = _rlmMake(PersistedType._rlmDefaultValue()) { return value }
    trap(
      """
      Failed to default construct a \(Self.self) using the default value for persisted type \(PersistedType.self). \
      This conversion must either succeed, the property must be optional, or you must explicitly specify a default \
      value for the property.
      """)
  }

  /// For `_Persistable`: reads the column of a managed object.
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Self {
    if PersistedType._rlmIsObject {
      return required(
        PersistedType._rlmReadOptional(object, column) ?? PersistedType._rlmDefaultValue())
    }
    return required(PersistedType._rlmRead(object, column))
  }

  /// For `_Persistable`: what is stored that cannot be converted.
  public static func _rlmUnconverted(_ object: ObjectBase, _ column: Int) -> Any? {
    guard let persisted = PersistedType._rlmReadOptional(object, column) else {
      return PersistedType._rlmUnconverted(object, column)
    }
    return _rlmMake(persisted) == nil ? persisted._rlmDynamicValue : nil
  }

  /// For `_Persistable`: writes the column of a managed object.
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    PersistedType._rlmWrite(object, column, value.persistableValue)
  }

  /// For `_PersistableInsideOptional`: reads a column; nil for null.
  public static func _rlmReadOptional(_ object: ObjectBase, _ column: Int) -> Self? {
    PersistedType._rlmReadOptional(object, column).flatMap(_rlmMake)
  }

  /// For `_PersistableInsideOptional`: writes a column; null for nil.
  public static func _rlmWriteOptional(_ object: ObjectBase, _ column: Int, _ value: Self?) {
    PersistedType._rlmWriteOptional(object, column, value?.persistableValue)
  }

  /// For `_Persistable`: makes a value of one of another type; nil when it does not fit.
  public static func _rlmCoerce(_ value: Any) -> Self? {
    if let value = value as? Self { return value }
    if PersistedType._rlmIsObject {
      // The column of an embedded object can be null even if the property cannot, which then has its default.
      if Coercion.unwrap(value) == nil { return _rlmDefaultValue() }
      // The object must have its values when it is converted.
      return ObjectPopulation.Depth.current.startingAnew {
        PersistedType._rlmCoerce(value).flatMap(_rlmMake)
      }
    }
    return PersistedType._rlmCoerce(value).flatMap(_rlmMake)
  }

  /// For `_Persistable`: whether a value can be stored although it is none of the type.
  public static func _rlmFitsStorage(_ value: Any) -> Bool { PersistedType._rlmCoerce(value) != nil }

  /// Stores values that cannot be converted back, too.
  public static func _rlmWriteAny(
    _ object: ObjectBase, _ column: Int, _ value: Any, skipsEqual: Bool
  ) -> Bool {
    if let value = value as? Self {
      if skipsEqual && value._rlmIsStored(object, column) { return true }
      _rlmWrite(object, column, value)
      return true
    }
    if PersistedType._rlmIsObject, Coercion.unwrap(value) == nil {
      PersistedType._rlmWriteOptional(object, column, nil)
      return true
    }
    return PersistedType._rlmWriteAny(object, column, value, skipsEqual: skipsEqual)
  }

  /// For `_Persistable`: the value as key-value coding and dynamic objects see it.
  public var _rlmDynamicValue: Any? { persistableValue._rlmDynamicValue }
  /// For `_Persistable`: what is stored for a single value; nil for links and collections.
  public var _rlmStoredScalar: StoredValue? { persistableValue._rlmStoredScalar }

  /// For `RealmCollectionValue`: the element for what is stored.
  public static func _rlmElement(_ value: StoredValue, _ realm: RealmCore) -> Self {
    if PersistedType._rlmIsObject && value.isNull { return _rlmDefaultValue() }
    return element(PersistedType._rlmElement(value, realm))
  }

  /// For `RealmCollectionValue`: the element for what is stored.
  public static func _rlmElement(_ chunk: Chunk, _ index: Int, _ source: _ElementSource) -> Self {
    if PersistedType._rlmIsObject && chunk.isNull(index) { return _rlmDefaultValue() }
    return element(PersistedType._rlmElement(chunk, index, source))
  }

  /// For `_RealmCollectionValueInsideOptional`: the element for what is stored; nil for null, and where the conversion
  /// fails.
  public static func _rlmOptionalElement(_ value: StoredValue, _ realm: RealmCore) -> Self? {
    value.isNull ? nil : _rlmMake(PersistedType._rlmElement(value, realm))
  }

  /// For `_RealmCollectionValueInsideOptional`: the element for what is stored; nil for null, and where the conversion
  /// fails.
  public static func _rlmOptionalElement(
    _ chunk: Chunk, _ index: Int, _ source: _ElementSource
  ) -> Self? {
    chunk.isNull(index) ? nil : _rlmMake(PersistedType._rlmElement(chunk, index, source))
  }

  /// Whether values can be stored that cannot be converted. For `RealmCollectionValue`.
  public static var _rlmMayBeUnconverted: Bool { true }

  /// Returns the stored value that no element stands for; nil where there is an element. For `RealmCollectionValue`.
  public static func _rlmUnconvertedElement(_ value: StoredValue, _ realm: RealmCore) -> Any? {
    if value.isNull { return nil }
    if let stored = PersistedType._rlmUnconvertedElement(value, realm) { return stored }
    let persisted = PersistedType._rlmElement(value, realm)
    return _rlmMake(persisted) == nil ? persisted._rlmDynamicElement : nil
  }

  /// For `RealmCollectionValue`: what is stored for the element.
  public func _rlmStore(_ realm: RealmCore) -> StoredValue { persistableValue._rlmStore(realm) }
  /// For `RealmCollectionValue`: what to look for in order to find the element; nil when it cannot be there.
  public func _rlmSearchValue(_ realm: RealmCore) -> StoredValue? { persistableValue._rlmSearchValue(realm) }
  /// For `RealmCollectionValue`: makes an element of a value of another type; nil when it does not fit.
  public static func _rlmCoerceElement(_ value: Any) -> Self? { _rlmCoerce(value) }
  /// For `RealmCollectionValue`: the element as key-value coding sees it.
  public var _rlmDynamicElement: Any? { persistableValue._rlmDynamicElement }
}
