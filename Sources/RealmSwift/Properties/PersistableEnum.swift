import Foundation
public import Storage

/// A former protocol for enums, declared for Objective-C; new enums adopt ``PersistableEnum``.
public protocol RealmEnum: RawRepresentable {}

/// An enum that can be the type of a persisted property. Its raw value is stored.
///
/// ```swift
/// enum Surface: String, PersistableEnum {
///   case gravel, rock, snow
/// }
///
/// class Pitch: Object {
///   @Persisted var surface = Surface.rock
///   @Persisted var surfaceInWinter: Surface?
/// }
/// ```
///
/// If the stored raw value belongs to no case, an optional property is nil; reading a property that is not
/// optional stops the program. Queries, observers, descriptions and copies of the object use the raw value
/// and do not stop.
public protocol PersistableEnum: _PersistableInsideOptional, CaseIterable, RealmEnum,
  _RealmCollectionValueInsideOptional, _DefaultConstructible, MinMaxType, Comparable
where RawValue: _Scalar & Comparable, PersistedType == RawValue {}

extension PersistableEnum {
  /// Creates the first case.
  public init() { self = Self.allCases.first! }

  /// Returns whether the left raw value is smaller.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

  fileprivate init(stored rawValue: RawValue) {
    guard let value = Self(rawValue: rawValue) else { Self.failConversion(of: rawValue) }
    self = value
  }

  @inline(__always)
  fileprivate static func element(_ rawValue: RawValue) -> Self {
    if let value = Self(rawValue: rawValue) { return value }
    trap("Could not convert value '\(rawValue)' to type '\(Self.self)'.")
  }
}

extension PersistableEnum {
  /// For `_RealmSchemaDiscoverable`: what a property of this type is made of.
  public static var _rlmKind: _PropertyKind { RawValue._rlmKind }
  /// For `_Persistable`: what a property has that was never set.
  public static func _rlmDefaultValue() -> Self { Self() }

  /// For `_Persistable`: reads the column of a managed object.
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Self {
    Self(stored: RawValue._rlmRead(object, column))
  }

  /// For `_Persistable`: the raw value that is stored when it is that of no case.
  public static func _rlmUnconverted(_ object: ObjectBase, _ column: Int) -> Any? {
    unconverted(RawValue._rlmRead(object, column))
  }

  private static func unconverted(_ rawValue: RawValue) -> Any? {
    Self(rawValue: rawValue) == nil ? rawValue._rlmDynamicValue : nil
  }

  /// For `_Persistable`: writes the column of a managed object.
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    RawValue._rlmWrite(object, column, value.rawValue)
  }

  /// For `_PersistableInsideOptional`: reads a column; nil for null.
  public static func _rlmReadOptional(_ object: ObjectBase, _ column: Int) -> Self? {
    RawValue._rlmReadOptional(object, column).flatMap(Self.init(rawValue:))
  }

  /// For `_Persistable`: makes a value of one of another type; nil when it does not fit.
  public static func _rlmCoerce(_ value: Any) -> Self? {
    if let value = value as? Self { return value }
    return RawValue._rlmCoerce(value).flatMap(Self.init(rawValue:))
  }

  /// For `_Persistable`: whether a value can be stored although it is none of the type.
  public static func _rlmFitsStorage(_ value: Any) -> Bool { RawValue._rlmCoerce(value) != nil }

  /// Stores raw values that belong to no case, too.
  public static func _rlmWriteAny(
    _ object: ObjectBase, _ column: Int, _ value: Any, skipsEqual: Bool
  ) -> Bool {
    let raw: Any = (value as? Self)?.rawValue ?? value
    return RawValue._rlmWriteAny(object, column, raw, skipsEqual: skipsEqual)
  }

  /// For `_Persistable`: the value as key-value coding and dynamic objects see it.
  public var _rlmDynamicValue: Any? { rawValue._rlmDynamicValue }
  /// For `_Persistable`: what is stored for a single value; nil for links and collections.
  public var _rlmStoredScalar: StoredValue? { rawValue._rlmStored }

  /// For `RealmCollectionValue`: the element for what is stored.
  public static func _rlmElement(_ value: StoredValue, _ realm: RealmCore) -> Self {
    element(RawValue._rlmElement(value, realm))
  }

  /// For `RealmCollectionValue`: the element for what is stored.
  public static func _rlmElement(_ chunk: Chunk, _ index: Int, _ source: _ElementSource) -> Self {
    element(RawValue._rlmElement(chunk, index, source))
  }

  /// For `_RealmCollectionValueInsideOptional`: the case for what is stored; nil for null, and where there is none.
  public static func _rlmOptionalElement(_ value: StoredValue, _ realm: RealmCore) -> Self? {
    value.isNull ? nil : Self(rawValue: RawValue._rlmElement(value, realm))
  }

  /// For `_RealmCollectionValueInsideOptional`: the case for what is stored; nil for null, and where there is none.
  public static func _rlmOptionalElement(
    _ chunk: Chunk, _ index: Int, _ source: _ElementSource
  ) -> Self? {
    chunk.isNull(index) ? nil : Self(rawValue: RawValue._rlmElement(chunk, index, source))
  }

  /// Whether raw values can be stored that belong to no case. For `RealmCollectionValue`.
  public static var _rlmMayBeUnconverted: Bool { true }

  /// Returns the raw value that no case stands for; nil where there is a case. For `RealmCollectionValue`.
  public static func _rlmUnconvertedElement(_ value: StoredValue, _ realm: RealmCore) -> Any? {
    unconverted(RawValue._rlmElement(value, realm))
  }

  /// For `RealmCollectionValue`: what is stored for the element.
  public func _rlmStore(_ realm: RealmCore) -> StoredValue { rawValue._rlmStored }
  /// For `RealmCollectionValue`: makes an element of a value of another type; nil when it does not fit.
  public static func _rlmCoerceElement(_ value: Any) -> Self? { _rlmCoerce(value) }
  /// For `RealmCollectionValue`: the element as key-value coding sees it.
  public var _rlmDynamicElement: Any? { rawValue._rlmDynamicElement }
}
