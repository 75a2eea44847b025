import Foundation
import QueryEngine
import Storage

/// A collection of values by key that is a property of an object.
///
/// ```swift
/// try realm.write {
///   hut.prices["bunk"] = 38.5
///   hut.prices["tent"] = nil
/// }
/// for entry in hut.prices { print(entry.key, entry.value) }
/// ```
///
/// Objects as values are optional: when an object is deleted, its key stays, with the value nil. Entries are
/// ordered by the bytes of their keys.
public final class Map<Key: _MapKey, Value: RealmCollectionValue> {
  // Read on every use, and only ever by the thread that the map belongs to.
  /// Where the entries are once the map is managed.
  @exclusivity(unchecked) private(set) var backing: (any CollectionBacking)?
  /// The entries in memory until then.
  @exclusivity(unchecked) var unmanaged: [Key: Value] = [:]

  /// Creates an empty unmanaged map.
  public init() {}

  /// A live map.
  init(backing: any CollectionBacking) {
    self.backing = backing
  }

  /// The live map that is the value of a mixed property.
  convenience init(_rlmNestedIn object: ObjectBase, _ column: Int, _ value: MixedView)
  where Key == String, Value == AnyRealmValue {
    self.init(backing: NestedCollection(.property(object, column: column), NestedPath(value), kind: .map))
  }

  deinit {
    if Value.self == AnyRealmValue.self, !unmanaged.isEmpty { takeValues() }
  }

  /// See `ReleaseQueue`.
  private func takeValues() {
    var values = ContiguousArray(unmanaged.values) as! ContiguousArray<AnyRealmValue>
    unmanaged = [:]
    ReleaseQueue.takeElements(&values)
  }

  /// Makes the map, whose entries have been stored, a view of a column.
  func bind(_ object: ObjectBase, _ column: Int) {
    backing = StoredCollection(object, column, of: Value.self)
    unmanaged = [:]
  }

  // MARK: Entries

  /// The number of entries.
  public var count: Int {
    guard let backing else { return unmanaged.count }
    backing.checkAccess()
    return backing.count
  }

  /// Whether the map has no entries.
  public var isEmpty: Bool { count == 0 }

  /// All keys, in the order of `values`.
  public var keys: [Key] {
    guard let backing else { return entries.map(\.0) }
    backing.checkAccess()
    return (0..<backing.count).map { Key._rlmKey(backing.key(at: $0)) }
  }

  /// All values, in the order of `keys`.
  public var values: [Value] { entries.map(\.1) }

  /// All entries in the order of their keys' bytes.
  var entries: ContiguousArray<(Key, Value)> {
    guard let backing else {
      let sorted = unmanaged.map { (text: $0.key._rlmKeyText, entry: ($0.key, $0.value)) }
        .sorted { StoredValue.order(.string($0.text), .string($1.text)) < 0 }
      return ContiguousArray(sorted.map(\.entry))
    }
    backing.checkAccess()
    var entries: ContiguousArray<(Key, Value)> = []
    let count = backing.count
    entries.reserveCapacity(count)
    for position in 0..<count {
      entries.append((Key._rlmKey(backing.key(at: position)), backing.element(at: position, as: Value.self)))
    }
    return entries
  }

  /// The value of a key; nil if the key is missing. Setting nil removes the key.
  ///
  /// For optional values, `.some(nil)` is a key whose value is null.
  public subscript(key: Key) -> Value? {
    get {
      guard let backing else { return unmanaged[key] ?? KeyPathRecorder.element(Value.self) }
      backing.checkAccess()
      backing.realm.pause()
      let found = backing.position(ofKey: key._rlmKeyText)
      return found.isFound ? backing.element(at: found.position, as: Value.self) : nil
    }
    set {
      if let newValue {
        updateValue(newValue, forKey: key)
      } else {
        removeObject(for: key)
      }
    }
  }

  /// Returns the value of a key, as the subscript does.
  public func object(forKey key: Key) -> Value? { self[key] }

  /// Sets the value of a key. An unmanaged object is added to the realm of the map.
  public func updateValue(_ value: Value, forKey key: Key) {
    guard let backing else {
      unmanaged[key] = value
      return
    }
    backing.checkWrite()
    let text = key._rlmKeyText
    text.checkKey()
    if backing.source.type == .mixed {
      let found = backing.position(ofKey: text)
      if found.isFound, backing.holds(value, at: found.position) { return }
    }
    backing.setValue(backing.storedValue(value), key: text)
  }

  /// Sets the value of a key, as `updateValue(_:forKey:)` does.
  public func setValue(_ value: Value, for key: Key) { updateValue(value, forKey: key) }

  /// Removes a key and its value. Has no effect if the key is missing.
  public func removeObject(for key: Key) {
    guard let backing else {
      unmanaged[key] = nil
      return
    }
    backing.checkWrite()
    let found = backing.position(ofKey: key._rlmKeyText)
    if found.isFound { backing.remove(found.position..<found.position + 1) }
  }

  /// Removes all entries. Objects stay in the realm; embedded objects are deleted.
  public func removeAll() {
    guard let backing else { return unmanaged.removeAll() }
    backing.checkWrite()
    backing.remove(0..<backing.count)
  }

  /// Adds the entries of a sequence. For a key that exists already or occurs repeatedly, a closure combines
  /// the old and the new value.
  public func merge<S: Sequence>(
    _ sequence: S, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows where S.Element == (key: Key, value: Value) {
    for (key, value) in sequence {
      if let present = self[key] {
        self[key] = .some(try combine(present, value))
      } else {
        self[key] = .some(value)
      }
    }
  }

  /// Adds the entries of another map. For a key that exists already, a closure combines the old and the new
  /// value.
  public func merge(
    _ other: Map<Key, Value>, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    try merge(other.asKeyValueSequence(), uniquingKeysWith: combine)
  }

  /// Returns whether any entry satisfies a condition.
  public func contains(where predicate: (_ key: Key, _ value: Value) throws -> Bool) rethrows -> Bool {
    for (key, value) in entries where try predicate(key, value) { return true }
    return false
  }

  /// Returns the entries as pairs of key and value.
  public func asKeyValueSequence() -> KeyValueSequence { KeyValueSequence(map: self) }
}

extension Map {
  /// The entries of a map as pairs of key and value.
  public struct KeyValueSequence: Sequence {
    let map: Map

    /// Returns an iterator over the pairs that the map has now.
    public func makeIterator() -> RLMKeyValueIterator<Key, Value> { RLMKeyValueIterator(map.entries) }
  }
}

extension Map: RealmKeyedCollection {
  /// Returns an iterator over the entries that the map has now.
  public func makeIterator() -> RLMMapIterator<SingleMapEntry<Key, Value>> { RLMMapIterator(entries) }

  /// The realm that manages the map; nil for an unmanaged map.
  public var realm: Realm? { backing.map { Realm($0.realm) } }

  /// Whether the map can no longer be used, because its object was deleted or its realm invalidated.
  public var isInvalidated: Bool { backing.map { !$0.isValid } ?? false }

  /// Whether the map belongs to a frozen realm and never changes.
  public var isFrozen: Bool { backing?.realm.isFrozen ?? false }

  /// The location of the map in its realm, for its observers.
  public var _rlmOrigin: _CollectionOrigin { backing?.origin ?? .unmanaged }
}

extension Map: Hashable {
  /// Returns whether two maps are equal. Managed maps are equal if they are the same map of the same realm;
  /// unmanaged maps if their entries are equal.
  public static func == (lhs: Map, rhs: Map) -> Bool {
    if lhs === rhs { return true }
    switch (lhs.backing, rhs.backing) {
    case (nil, nil): return lhs.unmanaged == rhs.unmanaged
    case (let left?, let right?): return left.isSameCollection(right)
    default: return false
    }
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    // Maps change, so that only what never does can count.
    hasher.combine(ObjectIdentifier(Map.self))
  }
}
