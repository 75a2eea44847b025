public import Foundation
public import Storage

/// An entry of a map, as iterators make it.
public protocol _RLMMapEntry {
  /// What finds a value.
  /// The type of the keys.
  associatedtype Key: _MapKey
  /// What is found.
  associatedtype Value: RealmCollectionValue
  init(key: Key, value: Value)
}

/// A key of a map and its value.
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue>: _RLMMapEntry, Hashable {
  /// The key.
  public var key: Key
  /// The value.
  public var value: Value

  /// Creates an entry from a key and a value.
  public init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }

  /// Returns whether the values of two entries are equal.
  public static func == (lhs: SingleMapEntry, rhs: SingleMapEntry) -> Bool { lhs.value == rhs.value }

  /// Hashes the key.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// A position in a map.
public struct MapIndex {
  /// The position, in the order of the keys.
  public var offset: UInt
}

/// A collection of values by key: `Map`.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible, _KeyValueCoded {
  associatedtype Key: _MapKey
  /// The type of the values.
  associatedtype Value: RealmCollectionValue

  /// The number of entries.
  var count: Int { get }
  /// All keys, in the order of `values`.
  var keys: [Key] { get }
  /// All values, in the order of `keys`.
  var values: [Value] { get }

  /// The value of a key; nil if the key is missing. Setting nil removes the key.
  subscript(key: Key) -> Value? { get set }

  /// Sets the value of a key.
  func updateValue(_ value: Value, forKey key: Key)
  /// Removes a key and its value. Has no effect if the key is missing.
  func removeObject(for key: Key)
  /// Removes all entries.
  func removeAll()

  /// Returns whether any entry satisfies a condition.
  func contains(where predicate: (_ key: Key, _ value: Value) throws -> Bool) rethrows -> Bool

  /// Returns the objects among the values that satisfy a condition in predicate syntax.
  func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value>
  /// Returns the objects among the values that satisfy a predicate.
  func filter(_ predicate: NSPredicate) -> Results<Value>
  /// Returns the objects among the values that satisfy a typed condition.
  func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value>

  /// Returns the values sorted by a property, or by a property of an object that they link to; plain values
  /// are sorted by "self".
  func sorted(byKeyPath keyPath: String, ascending: Bool) -> Results<Value>
  /// Returns the values sorted by several properties.
  func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value> where S.Element == SortDescriptor

  /// Returns the value of a key as an object, or the result of an operator if the key begins with "@"; nil if
  /// the key is missing, `NSNull` if the value is null.
  func value(forKey key: String) -> AnyObject?
  /// Returns the value at the end of a key path as an object, or the result of an operator if the path begins
  /// with "@".
  func value(forKeyPath keyPath: String) -> AnyObject?

  /// Returns the smallest value of a property, or nil if no object has a value.
  func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType
  /// Returns the largest value of a property, or nil if no object has a value.
  func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType
  /// Returns the sum of a property, or 0 if there is no value.
  func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType
  /// Returns the average of a property, or nil if no object has a value.
  func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType

  /// Where the values come from.
  var _rlmOrigin: _CollectionOrigin { get }
  func _rlmAggregate(_ operation: _Aggregate, _ property: String) -> StoredValue
}

extension RealmKeyedCollection {
  /// Returns the value of a key, or the result of an operator if the key begins with "@"; nil if the key is
  /// missing, `NSNull` if the value is null.
  public func value(forKey key: String) -> Any? {
    if key.first == "@" { return value(forKeyPath: key) as Any? }
    return _rlmDynamicValue(forKey: key)
  }

  /// Returns the value at the end of a key path, or the result of an operator if the path begins with "@";
  /// nil if the key is missing, `NSNull` if the value is null.
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

  /// Returns the smallest value of a property among the values, or nil if none has it.
  public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    AggregateResult.convert(_rlmAggregate(.minimum, property))
  }
  /// Returns the largest value of a property among the values, or nil if none has it.
  public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    AggregateResult.convert(_rlmAggregate(.maximum, property))
  }
  /// Returns the sum of a property over the values, or 0 if there are none.
  public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
    AggregateResult.convertSum(_rlmAggregate(.sum, property))
  }
  /// Returns the average of a property over the values that have it, or nil if none has.
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
  /// Returns the smallest value, or nil if there is none other than null.
  public func min() -> Value? { AggregateResult.convert(_rlmAggregate(.minimum, "self")) }
  /// Returns the largest value, or nil if there is none other than null.
  public func max() -> Value? { AggregateResult.convert(_rlmAggregate(.maximum, "self")) }
}

extension RealmKeyedCollection where Value.PersistedType: AddableType {
  /// Returns the sum of the values, or 0 if there are none.
  public func sum() -> Value { AggregateResult.convertSum(_rlmAggregate(.sum, "self")) }
  /// Returns the average of the values that are not null, or nil if there are none.
  public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
    AggregateResult.convert(_rlmAggregate(.average, "self"))
  }
}

/// An optional of any type, for constraining extensions: to maps of objects, whose values are optional, or to
/// queries of optional properties.
public protocol OptionalProtocol {
  /// The wrapped type.
  associatedtype Wrapped
}

extension Optional: OptionalProtocol {}

extension RealmKeyedCollection where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
  /// Returns the smallest value of a property among the objects, or nil if none has a value.
  public func min<T: _HasPersistedType>(
    of keyPath: KeyPath<Value.Wrapped, T>
  ) -> T? where T.PersistedType: MinMaxType {
    min(ofProperty: _name(for: keyPath))
  }
  /// Returns the largest value of a property among the objects, or nil if none has a value.
  public func max<T: _HasPersistedType>(
    of keyPath: KeyPath<Value.Wrapped, T>
  ) -> T? where T.PersistedType: MinMaxType {
    max(ofProperty: _name(for: keyPath))
  }
  /// Returns the sum of a property over the objects, or 0 if there are none.
  public func sum<T: _HasPersistedType>(
    of keyPath: KeyPath<Value.Wrapped, T>
  ) -> T where T.PersistedType: AddableType {
    sum(ofProperty: _name(for: keyPath))
  }
  /// Returns the average of a property over the objects that have a value, or nil if none has. The average of
  /// integers is rounded towards zero.
  public func average<T: _HasPersistedType>(
    of keyPath: KeyPath<Value.Wrapped, T>
  ) -> T? where T.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
  /// Returns the average of a property as a number of another type, or nil if no object has a value.
  @_disfavoredOverload
  public func average<T: _HasPersistedType, Result: _HasPersistedType>(
    of keyPath: KeyPath<Value.Wrapped, T>
  ) -> Result? where T.PersistedType: AddableType, Result.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
}
