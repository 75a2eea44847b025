import QueryEngine
import Storage

// Queries on maps.

extension Query where T: RealmKeyedCollection {
  /// The number of entries.
  public var count: Query<Int> { whole(.count) }

  /// The keys; a comparison is true if any of them satisfies it.
  public var keys: Query<String> { appending(.operation(.allKeys)) }
  /// The values; a comparison is true if any of them satisfies it.
  public var values: Query<T.Value> { appending(.operation(.allValues)) }

  /// The value of a key; null if the key is missing.
  public subscript(key: T.Key) -> Query<T.Value> {
    Query<T.Value>(path.appendingToCollection(.key(key._rlmKeyText)))
  }

  /// Returns a condition that is true if the map contains a value.
  public func contains(_ value: T.Value) -> Query<Bool> { hasElement(value) }

  /// Returns a condition that is true if the map contains any of several values.
  public func containsAny<S: Sequence>(in values: S) -> Query<Bool> where S.Element == T.Value {
    comparing(.isIn, Array(values))
  }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: _QueryOrdered {
  /// The smallest value.
  public var min: Query<T.Value> { whole(.minimum) }
  /// The largest value.
  public var max: Query<T.Value> { whole(.maximum) }
  /// The average of the values.
  public var avg: Query<T.Value> { whole(.average) }
  /// The sum of the values.
  public var sum: Query<T.Value> { whole(.sum) }
}

extension Query where T: RealmKeyedCollection, T.Value: Comparable {
  /// Returns a condition that is true if all values are in the range.
  public func contains(_ range: Range<T.Value>) -> Query<Bool> { hasAllElements(in: range) }
  /// Returns a condition that is true if all values are in the range.
  public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> { hasAllElements(in: range) }
}

extension Query where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: Comparable {
  /// Returns a condition that is true if all values that are not nil are in the range.
  public func contains(_ range: Range<T.Value.Wrapped>) -> Query<Bool> { hasAllElements(in: range) }
  /// Returns a condition that is true if all values that are not nil are in the range.
  public func contains(_ range: ClosedRange<T.Value.Wrapped>) -> Query<Bool> { hasAllElements(in: range) }
}

// MARK: What is stored

extension Query
where T: RealmKeyedCollection, T.Value: PersistableEnum, T.Value.RawValue: RealmCollectionValue {
  /// The raw values that are stored for the cases.
  public var rawValue: Query<Map<T.Key, T.Value.RawValue>> { Query<_>(node) }
}

extension Query
where
  T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: PersistableEnum,
  T.Value.Wrapped.RawValue: _RealmCollectionValueInsideOptional & _PersistableInsideOptional
{
  /// The raw values that are stored for the cases.
  public var rawValue: Query<Map<T.Key, T.Value.Wrapped.RawValue?>> { Query<_>(node) }
}

extension Query where T: RealmKeyedCollection, T.Value: _CustomPersistable {
  /// The stored values of a custom type.
  public var persistableValue: Query<Map<T.Key, T.Value.PersistedType>> { Query<_>(node) }
}

extension Query
where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: _CustomPersistable {
  /// The stored values of a custom type.
  public var persistableValue: Query<Map<T.Key, T.Value.Wrapped.PersistedType?>> { Query<_>(node) }
}
