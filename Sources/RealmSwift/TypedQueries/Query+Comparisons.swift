import Foundation
import QueryEngine
import Storage

// Comparisons of single values with constants and with other properties.

extension Query {
  /// Whether the property has a value.
  public static func == (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.equal, rhs) }
  /// Whether the property has another value.
  public static func != (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.notEqual, rhs) }
  /// Whether both properties have the same value.
  public static func == (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> {
    lhs.comparing(.equal, property: rhs)
  }
  /// Whether the properties have different values.
  public static func != (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> {
    lhs.comparing(.notEqual, property: rhs)
  }

  /// Whether the value is one of several.
  public func `in`<S: Sequence>(_ values: S) -> Query<Bool> where S.Element == T {
    comparing(.isIn, Array(values))
  }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryOrdered {
  /// Whether the property's value is smaller.
  public static func < (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.less, rhs) }
  /// Whether the property's value is smaller or equal.
  public static func <= (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.lessOrEqual, rhs) }
  /// Whether the property's value is larger.
  public static func > (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.greater, rhs) }
  /// Whether the property's value is larger or equal.
  public static func >= (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.greaterOrEqual, rhs) }

  /// Whether the first property's value is smaller.
  public static func < (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> { lhs.comparing(.less, property: rhs) }
  /// Whether the first property's value is smaller or equal.
  public static func <= (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> {
    lhs.comparing(.lessOrEqual, property: rhs)
  }
  /// Whether the first property's value is larger.
  public static func > (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> {
    lhs.comparing(.greater, property: rhs)
  }
  /// Whether the first property's value is larger or equal.
  public static func >= (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> {
    lhs.comparing(.greaterOrEqual, property: rhs)
  }
}

extension Query where T: Comparable {
  /// Whether the value lies in the range.
  public func contains(_ range: Range<T>) -> Query<Bool> { isIn(range.lowerBound, upTo: range.upperBound) }

  /// Whether the value is in the range.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
    isBetween(range.lowerBound, range.upperBound)
  }
}

extension Query where T: OptionalProtocol, T.Wrapped: Comparable {
  /// Whether there is a value and it lies in the range.
  public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
    isIn(range.lowerBound, upTo: range.upperBound)
  }

  /// Whether the value is in the range.
  public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
    isBetween(range.lowerBound, range.upperBound)
  }
}

// MARK: What is stored

extension Query where T: PersistableEnum {
  /// The value that is stored for the case.
  public var rawValue: Query<T.RawValue> { Query<T.RawValue>(node) }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableEnum {
  /// The value that is stored for the case.
  public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(node) }
}

extension Query where T: _CustomPersistable {
  /// The value that is stored for the custom one; the way to the properties of an embedded object.
  public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(node) }
}

extension Query where T: OptionalProtocol, T.Wrapped: _CustomPersistable {
  /// The value that is stored for the custom one; the way to the properties of an embedded object.
  public var persistableValue: Query<T.Wrapped.PersistedType?> { Query<T.Wrapped.PersistedType?>(node) }
}

// MARK: Mixed values

extension Query where T == AnyRealmValue {
  /// An element of a list in the value; null when there is none. -1 is the last element.
  public subscript(position: Int) -> Query<AnyRealmValue> { appending(.index(position)) }

  /// The value of a key of a dictionary in the value; null when there is none.
  public subscript(key: String) -> Query<AnyRealmValue> { appending(.key(key)) }

  /// The elements of a list, or the values of a dictionary, in the value: some of them has to satisfy a comparison.
  public var any: Query<AnyRealmValue> { appending(.anyElement) }
}
