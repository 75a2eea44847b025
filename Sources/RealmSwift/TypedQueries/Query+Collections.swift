import Foundation
import QueryEngine
import Storage

// Queries on collections: comparisons ask whether any element satisfies them.

extension Query where T: RealmCollection {
  /// The number of elements.
  public var count: Query<Int> { whole(.count) }

  /// Returns a condition that is true if any element is equal.
  public static func == (lhs: Query<T>, rhs: T.Element) -> Query<Bool> { lhs.comparing(.equal, rhs) }
  /// Returns a condition that is true if any element is different.
  public static func != (lhs: Query<T>, rhs: T.Element) -> Query<Bool> { lhs.comparing(.notEqual, rhs) }

  /// Returns a condition that is true if the collection contains a value.
  public func contains(_ element: T.Element) -> Query<Bool> { hasElement(element) }

  /// Returns a condition that is true if the collection contains any of several values.
  public func containsAny<S: Sequence>(in values: S) -> Query<Bool> where S.Element == T.Element {
    comparing(.isIn, Array(values))
  }
}

extension Query {
  func hasElement(_ element: Any) -> Query<Bool> {
    Query<Bool>(.comparison(.constant(element), .isIn, node, []))
  }

  /// Something of the collection as a whole.
  func whole<Result>(_ operation: CollectionOperation) -> Query<Result> {
    Query<Result>(path.appendingToCollection(.operation(operation)))
  }

  /// Whether all elements lie in the range.
  func hasAllElements<Element>(in range: Range<Element>) -> Query<Bool> {
    let (smallest, largest): (Query<Element>, Query<Element>) = (whole(.minimum), whole(.maximum))
    return smallest.comparing(.greaterOrEqual, range.lowerBound) && largest.comparing(.less, range.upperBound)
  }

  func hasAllElements<Element>(in range: ClosedRange<Element>) -> Query<Bool> {
    let (smallest, largest): (Query<Element>, Query<Element>) = (whole(.minimum), whole(.maximum))
    return smallest.comparing(.greaterOrEqual, range.lowerBound)
      && largest.comparing(.lessOrEqual, range.upperBound)
  }
}

extension Query where T: RealmCollection, T.Element: ObjectBase {
  /// A property of the elements.
  public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V> { appending(member) }
}

extension Query
where T: RealmCollection, T.Element: _HasPersistedType, T.Element.PersistedType: _QueryOrdered {
  /// Returns a condition that is true if any element is less than the value.
  public static func < (lhs: Query<T>, rhs: T.Element) -> Query<Bool> { lhs.comparing(.less, rhs) }
  /// Returns a condition that is true if any element is less than or equal to the value.
  public static func <= (lhs: Query<T>, rhs: T.Element) -> Query<Bool> { lhs.comparing(.lessOrEqual, rhs) }
  /// Returns a condition that is true if any element is greater than the value.
  public static func > (lhs: Query<T>, rhs: T.Element) -> Query<Bool> { lhs.comparing(.greater, rhs) }
  /// Returns a condition that is true if any element is greater than or equal to the value.
  public static func >= (lhs: Query<T>, rhs: T.Element) -> Query<Bool> {
    lhs.comparing(.greaterOrEqual, rhs)
  }

  /// The smallest element.
  public var min: Query<T.Element> { whole(.minimum) }
  /// The largest element.
  public var max: Query<T.Element> { whole(.maximum) }
  /// The average of the elements.
  public var avg: Query<T.Element> { whole(.average) }
  /// The sum of the elements.
  public var sum: Query<T.Element> { whole(.sum) }
}

extension Query where T: RealmCollection, T.Element: Comparable {
  /// Returns a condition that is true if all elements are in the range.
  public func contains(_ range: Range<T.Element>) -> Query<Bool> { hasAllElements(in: range) }
  /// Returns a condition that is true if all elements are in the range.
  public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> { hasAllElements(in: range) }
}

extension Query where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: Comparable {
  /// Returns a condition that is true if all elements that are not nil are in the range.
  public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> { hasAllElements(in: range) }
  /// Returns a condition that is true if all elements that are not nil are in the range.
  public func contains(_ range: ClosedRange<T.Element.Wrapped>) -> Query<Bool> { hasAllElements(in: range) }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryOrdered {
  /// The smallest value of the property among the elements of a collection of objects.
  public var min: Query<T> { Query(path.aggregated(.minimum)) }
  /// The largest value of the property among the elements of a collection of objects.
  public var max: Query<T> { Query(path.aggregated(.maximum)) }
  /// The average of the property over the elements of a collection of objects.
  public var avg: Query<T> { Query(path.aggregated(.average)) }
  /// The sum of the property over the elements of a collection of objects.
  public var sum: Query<T> { Query(path.aggregated(.sum)) }
}

// MARK: What is stored

extension Query
where T: RealmCollection, T.Element: PersistableEnum, T.Element.RawValue: RealmCollectionValue {
  /// The raw values that are stored for the cases.
  public var rawValue: Query<AnyRealmCollection<T.Element.RawValue>> { Query<_>(node) }
}

extension Query
where
  T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: PersistableEnum,
  T.Element.Wrapped.RawValue: _RealmCollectionValueInsideOptional & _PersistableInsideOptional
{
  /// The raw values that are stored for the cases.
  public var rawValue: Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>> { Query<_>(node) }
}

extension Query where T: RealmCollection, T.Element: _CustomPersistable {
  /// The stored values of a custom type, which give access to the properties of embedded objects.
  public var persistableValue: Query<AnyRealmCollection<T.Element.PersistedType>> { Query<_>(node) }
}

extension Query
where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: _CustomPersistable {
  /// The stored values of a custom type.
  public var persistableValue: Query<AnyRealmCollection<T.Element.Wrapped.PersistedType?>> {
    Query<_>(node)
  }
}
