import Foundation
public import Storage

/// An enum as it was declared for Objective-C; new ones are a `PersistableEnum`.
public protocol RealmEnum: RawRepresentable {}

/// An enum that a property can have as its type. Its raw value is what is stored.
///
///     enum Mood: String, PersistableEnum {
///       case content, hungry, asleep
///     }
///
///     class Parrot: Object {
///       @Persisted var mood = Mood.content
///       @Persisted var usualMood: Mood?
///     }
///
/// Where the stored raw value belongs to no case, an optional property is nil; reading one that is not optional stops
/// the program.
public protocol PersistableEnum: _PersistableInsideOptional, CaseIterable, RealmEnum,
  _RealmCollectionValueInsideOptional, _DefaultConstructible, MinMaxType, Comparable
where RawValue: _Scalar & Comparable, PersistedType == RawValue {}

extension PersistableEnum {
  /// The first case.
  public init() { self = Self.allCases.first! }

  /// Whether the left raw value is smaller.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

  fileprivate init(stored rawValue: RawValue) {
    guard let value = Self(rawValue: rawValue) else {
      trap(
        "Failed to convert persisted value '\(rawValue)' to type '\(Self.self)' in a non-optional context.")
    }
    self = value
  }

  @inline(__always)
  fileprivate static func element(_ rawValue: RawValue) -> Self {
    if let value = Self(rawValue: rawValue) { return value }
    trap("Could not convert value '\(rawValue)' to type '\(Self.self)'.")
  }
}

extension PersistableEnum {
  public static var _rlmKind: _PropertyKind { RawValue._rlmKind }
  public static func _rlmDefaultValue() -> Self { Self() }

  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Self {
    Self(stored: RawValue._rlmRead(object, column))
  }

  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    RawValue._rlmWrite(object, column, value.rawValue)
  }

  public static func _rlmReadOptional(_ object: ObjectBase, _ column: Int) -> Self? {
    RawValue._rlmReadOptional(object, column).flatMap(Self.init(rawValue:))
  }

  public static func _rlmCoerce(_ value: Any) -> Self? {
    if let value = value as? Self { return value }
    return RawValue._rlmCoerce(value).flatMap(Self.init(rawValue:))
  }

  public static func _rlmFitsStorage(_ value: Any) -> Bool { RawValue._rlmCoerce(value) != nil }

  /// Stores raw values that belong to no case, too.
  public static func _rlmWriteAny(
    _ object: ObjectBase, _ column: Int, _ value: Any, skipsEqual: Bool
  ) -> Bool {
    let raw: Any = (value as? Self)?.rawValue ?? value
    return RawValue._rlmWriteAny(object, column, raw, skipsEqual: skipsEqual)
  }

  public var _rlmDynamicValue: Any? { rawValue._rlmDynamicValue }
  public var _rlmStoredScalar: StoredValue? { rawValue._rlmStored }

  public static func _rlmElement(_ value: StoredValue, _ realm: RealmCore) -> Self {
    element(RawValue._rlmElement(value, realm))
  }

  public static func _rlmElement(_ chunk: Chunk, _ index: Int, _ source: _ElementSource) -> Self {
    element(RawValue._rlmElement(chunk, index, source))
  }

  public func _rlmStore(_ realm: RealmCore) -> StoredValue { rawValue._rlmStored }
  public static func _rlmCoerceElement(_ value: Any) -> Self? { _rlmCoerce(value) }
  public var _rlmDynamicElement: Any? { rawValue._rlmDynamicElement }
}
