import Foundation
public import Storage

/// An entry of a map, as iterators make it.
public protocol _RLMMapEntry {
  associatedtype Key: _MapKey
  associatedtype Value: RealmCollectionValue
  init(key: Key, value: Value)
}

/// A key of a map with its value.
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue>: _RLMMapEntry, Hashable {
  public var key: Key
  public var value: Value

  public init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }

  /// Entries are equal when their values are.
  public static func == (lhs: SingleMapEntry, rhs: SingleMapEntry) -> Bool { lhs.value == rhs.value }

  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// A place in a map.
public struct MapIndex {
  public var offset: UInt
}

/// A collection of values that are found by their keys: `Map`.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible {
  associatedtype Key: _MapKey
  associatedtype Value: RealmCollectionValue

  /// The number of entries.
  var count: Int { get }
  /// All keys, in the order of `values`.
  var keys: [Key] { get }
  /// All values, in the order of `keys`.
  var values: [Value] { get }

  /// The value of a key; nil when there is none. Setting nil removes the key.
  subscript(key: Key) -> Value? { get set }

  /// Sets the value of a key.
  func updateValue(_ value: Value, forKey key: Key)
  /// Removes a key with its value; nothing happens when it is not there.
  func removeObject(for key: Key)
  /// Removes all entries.
  func removeAll()

  /// The value of a key, or the result of an operator when it begins with "@".
  func value(forKey key: String) -> Any?
  func value(forKeyPath keyPath: String) -> Any?
  /// Sets the value of a key.
  func setValue(_ value: Any?, forKey key: String)

  func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType
  func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType
  func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType
  func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType

  func _rlmAggregate(_ operation: _Aggregate, _ property: String) -> StoredValue
}

extension RealmKeyedCollection {
  /// The smallest value of a property among the values, or nil when none has one.
  public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    AggregateResult.convert(_rlmAggregate(.minimum, property))
  }
  /// The largest value of a property among the values, or nil when none has one.
  public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    AggregateResult.convert(_rlmAggregate(.maximum, property))
  }
  /// The sum of a property over the values; 0 when there are none.
  public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
    AggregateResult.convertSum(_rlmAggregate(.sum, property))
  }
  /// The average of a property over the values that have it, or nil when none has.
  public func average<T: _HasPersistedType>(
    ofProperty property: String
  ) -> T? where T.PersistedType: AddableType {
    AggregateResult.convert(_rlmAggregate(.average, property))
  }

  public func _rlmAggregate(_ operation: _Aggregate, _ property: String) -> StoredValue {
    Aggregation.compute(operation, property, over: values, name: "Map")
  }
}

extension RealmKeyedCollection where Value.PersistedType: MinMaxType {
  /// The smallest value, or nil when there is none but null.
  public func min() -> Value? { AggregateResult.convert(_rlmAggregate(.minimum, "self")) }
  /// The largest value, or nil when there is none but null.
  public func max() -> Value? { AggregateResult.convert(_rlmAggregate(.maximum, "self")) }
}

extension RealmKeyedCollection where Value.PersistedType: AddableType {
  /// The sum of the values; 0 when there are none.
  public func sum() -> Value { AggregateResult.convertSum(_rlmAggregate(.sum, "self")) }
  /// The average of the values that are not null, or nil when there are none.
  public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
    AggregateResult.convert(_rlmAggregate(.average, "self"))
  }
}

/// An optional object, the value type of maps of objects.
public protocol OptionalProtocol {
  associatedtype Wrapped
}

extension Optional: OptionalProtocol {}

extension RealmKeyedCollection where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
  /// The smallest value of a property among the objects, or nil when none has one.
  public func min<T: _HasPersistedType>(
    of keyPath: KeyPath<Value.Wrapped, T>
  ) -> T? where T.PersistedType: MinMaxType {
    min(ofProperty: _name(for: keyPath))
  }
  /// The largest value of a property among the objects, or nil when none has one.
  public func max<T: _HasPersistedType>(
    of keyPath: KeyPath<Value.Wrapped, T>
  ) -> T? where T.PersistedType: MinMaxType {
    max(ofProperty: _name(for: keyPath))
  }
  /// The sum of a property over the objects; 0 when there are none.
  public func sum<T: _HasPersistedType>(
    of keyPath: KeyPath<Value.Wrapped, T>
  ) -> T where T.PersistedType: AddableType {
    sum(ofProperty: _name(for: keyPath))
  }
  /// The average of a property over the objects that have a value, or nil when none has.
  public func average<T: _HasPersistedType, Result: _HasPersistedType>(
    of keyPath: KeyPath<Value.Wrapped, T>
  ) -> Result? where T.PersistedType: AddableType, Result.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
}
