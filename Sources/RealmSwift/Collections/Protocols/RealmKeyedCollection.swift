public import Foundation
public import Storage

/// An entry of a map, as iterators make it.
public protocol _RLMMapEntry {
  /// What finds a value.
  associatedtype Key: _MapKey
  /// What is found.
  associatedtype Value: RealmCollectionValue
  init(key: Key, value: Value)
}

/// A key of a map with its value.
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue>: _RLMMapEntry, Hashable {
  /// The key.
  public var key: Key
  /// The value.
  public var value: Value

  /// An entry with a key and a value.
  public init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }

  /// Entries are equal when their values are.
  public static func == (lhs: SingleMapEntry, rhs: SingleMapEntry) -> Bool { lhs.value == rhs.value }

  /// Hashes the key.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// A place in a map.
public struct MapIndex {
  /// The position, in the order of the keys.
  public var offset: UInt
}

/// A collection of values that are found by their keys: `Map`.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible, _KeyValueCoded {
  associatedtype Key: _MapKey
  /// What is found.
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

  /// Whether any entry satisfies a condition.
  func contains(where predicate: (_ key: Key, _ value: Value) throws -> Bool) rethrows -> Bool

  /// The objects among the values for which a condition in predicate syntax holds.
  func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value>
  /// The objects among the values for which a predicate holds.
  func filter(_ predicate: NSPredicate) -> Results<Value>
  /// The objects among the values for which a condition holds.
  func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value>

  /// The values sorted by a property, or by one of an object that they link to; for plain values, by "self".
  func sorted(byKeyPath keyPath: String, ascending: Bool) -> Results<Value>
  /// The values sorted by several properties.
  func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value> where S.Element == SortDescriptor

  /// The value of a key as an object, or the result of an operator when the key begins with "@"; nil when there is none,
  /// `NSNull` when it is null.
  func value(forKey key: String) -> AnyObject?
  /// The value at the end of a path of keys as an object, or the result of an operator when the path begins with "@".
  func value(forKeyPath keyPath: String) -> AnyObject?

  /// The smallest value of a property; nil when none has one.
  func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType
  /// The largest value of a property; nil when none has one.
  func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType
  /// The sum of a property; 0 when there is no value.
  func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType
  /// The average of a property; nil when none has a value.
  func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType

  /// Where the values come from.
  var _rlmOrigin: _CollectionOrigin { get }
  func _rlmAggregate(_ operation: _Aggregate, _ property: String) -> StoredValue
}

extension RealmKeyedCollection {
  /// The value of a key, or the result of an operator when it begins with "@"; nil when there is none, `NSNull` when it
  /// is null.
  public func value(forKey key: String) -> Any? {
    if key.first == "@" { return value(forKeyPath: key) as Any? }
    return _rlmDynamicValue(forKey: key)
  }

  /// The same for a path of keys.
  public func value(forKeyPath keyPath: String) -> Any? {
    if keyPath == "@allKeys" { return keys.map(\._rlmKeyText) }
    if keyPath == "@allValues" { return _rlmDynamicValues.map { $0 ?? KeyValueCoding.null } }
    if keyPath.first == "@" {
      return KeyValueCoding.evaluate(
        CollectionOperator(keyPath), count: { count }, aggregate: _rlmAggregate,
        values: { key in
          if key == "self" { return _rlmDynamicValues.map { $0 ?? KeyValueCoding.null } }
          return KeyValueCoding.values(of: values, key, named: "Map") { $0.value(forKey: key) }
        })
    }
    guard let dot = keyPath.firstIndex(of: ".") else { return value(forKey: keyPath) as Any? }
    let value = value(forKey: String(keyPath[..<dot])) as Any?
    return (value as? ObjectBase)?.value(forKeyPath: String(keyPath[keyPath.index(after: dot)...]))
  }

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

  /// For the collection's protocol: an aggregate of a property of the elements; null when there is none.
  public func _rlmAggregate(_ operation: _Aggregate, _ property: String) -> StoredValue {
    Aggregation.compute(operation, property, over: values, orStored: _rlmValuesOrStored, name: "Map")
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

/// An optional of any type, to constrain extensions: to maps of objects, whose values are optional, or to queries of
/// optional properties.
public protocol OptionalProtocol {
  /// What it has unless it is nil.
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
  /// The average of a property over the objects that have a value, or nil when none has. An integer is rounded towards
  /// zero.
  public func average<T: _HasPersistedType>(
    of keyPath: KeyPath<Value.Wrapped, T>
  ) -> T? where T.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
  /// The same as a number of another type.
  @_disfavoredOverload
  public func average<T: _HasPersistedType, Result: _HasPersistedType>(
    of keyPath: KeyPath<Value.Wrapped, T>
  ) -> Result? where T.PersistedType: AddableType, Result.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
}
