import Foundation
import QueryEngine
import Storage

// Comparisons of single values with constants and with other properties.

extension Query {
  /// Returns a condition that is true if the property equals the value.
  public static func == (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.equal, rhs) }
  /// Returns a condition that is true if the property differs from the value.
  public static func != (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.notEqual, rhs) }
  /// Returns a condition that is true if both properties are equal.
  public static func == (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> {
    lhs.comparing(.equal, property: rhs)
  }
  /// Returns a condition that is true if the properties differ.
  public static func != (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> {
    lhs.comparing(.notEqual, property: rhs)
  }

  /// Returns a condition that is true if the property equals any of several values.
  ///
  /// ```swift
  /// let known = huts.where { $0.name.in(["Larch", "Summit"]) }
  /// ```
  public func `in`<S: Sequence>(_ values: S) -> Query<Bool> where S.Element == T {
    comparing(.isIn, Array(values))
  }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryOrdered {
  /// Returns a condition that is true if the property is less than the value.
  public static func < (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.less, rhs) }
  /// Returns a condition that is true if the property is less than or equal to the value.
  public static func <= (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.lessOrEqual, rhs) }
  /// Returns a condition that is true if the property is greater than the value.
  public static func > (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.greater, rhs) }
  /// Returns a condition that is true if the property is greater than or equal to the value.
  public static func >= (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.greaterOrEqual, rhs) }

  /// Returns a condition that is true if the first property is less than the second.
  public static func < (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> { lhs.comparing(.less, property: rhs) }
  /// Returns a condition that is true if the first property is less than or equal to the second.
  public static func <= (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> {
    lhs.comparing(.lessOrEqual, property: rhs)
  }
  /// Returns a condition that is true if the first property is greater than the second.
  public static func > (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> {
    lhs.comparing(.greater, property: rhs)
  }
  /// Returns a condition that is true if the first property is greater than or equal to the second.
  public static func >= (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> {
    lhs.comparing(.greaterOrEqual, property: rhs)
  }
}

extension Query where T: Comparable {
  /// Returns a condition that is true if the property is in the range.
  ///
  /// ```swift
  /// let middle = huts.where { $0.altitude.contains(1_500...2_500) }
  /// ```
  public func contains(_ range: Range<T>) -> Query<Bool> { isIn(range.lowerBound, upTo: range.upperBound) }

  /// Returns a condition that is true if the property is in the range.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
    isBetween(range.lowerBound, range.upperBound)
  }
}

extension Query where T: OptionalProtocol, T.Wrapped: Comparable {
  /// Returns a condition that is true if the property has a value and the value is in the range.
  public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
    isIn(range.lowerBound, upTo: range.upperBound)
  }

  /// Returns a condition that is true if the property has a value and the value is in the range.
  public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
    isBetween(range.lowerBound, range.upperBound)
  }
}

// MARK: What is stored

extension Query where T: PersistableEnum {
  /// The raw value that is stored for the case.
  public var rawValue: Query<T.RawValue> { Query<T.RawValue>(node) }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableEnum {
  /// The raw value that is stored for the case.
  public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(node) }
}

extension Query where T: _CustomPersistable {
  /// The stored value of a custom type, which gives access to the properties of an embedded object.
  public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(node) }
}

extension Query where T: OptionalProtocol, T.Wrapped: _CustomPersistable {
  /// The stored value of a custom type, which gives access to the properties of an embedded object.
  public var persistableValue: Query<T.Wrapped.PersistedType?> { Query<T.Wrapped.PersistedType?>(node) }
}

// MARK: Mixed values

extension Query where T == AnyRealmValue {
  /// The element of a list in a mixed value; null if there is none. -1 is the last element.
  public subscript(position: Int) -> Query<AnyRealmValue> { appending(.index(position)) }

  /// The value of a key of a dictionary in a mixed value; null if the key is missing.
  public subscript(key: String) -> Query<AnyRealmValue> { appending(.key(key)) }

  /// The elements of a list, or the values of a dictionary, in a mixed value: a comparison is true if any of
  /// them satisfies it.
  public var any: Query<AnyRealmValue> { appending(.anyElement) }
}
