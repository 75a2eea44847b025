import Foundation

// Key-value coding as a class of Foundation's has it: with objects for values. It calls what all collections have.
extension List {
  /// Returns the value of a property for each element; null is `NSNull`.
  ///
  /// Operators with a single result, such as "@sum.age", stop the program here: request them `as Any?`.
  public func value(forKey key: String) -> [AnyObject] {
    KeyValueCoding.objects(value(forKey: key) as Any?, key)
  }

  /// Returns the values that the elements have at a key path; null is `NSNull`.
  ///
  /// Operators with a single result, such as "@sum.age", stop the program here. Without a type annotation the
  /// result is `Any?`, which can hold them.
  @_disfavoredOverload
  public func value(forKeyPath keyPath: String) -> [AnyObject] {
    KeyValueCoding.objects(value(forKeyPath: keyPath) as Any?, keyPath)
  }

  /// Returns whether the object is an equal list.
  public func isEqual(_ object: Any?) -> Bool { (object as? List).map { $0 == self } ?? false }
}

extension MutableSet {
  /// Returns the distinct values of a property of the elements; null is `NSNull`.
  ///
  /// Operators with a single result, such as "@sum.age", stop the program here: request them `as Any?`.
  public func value(forKey key: String) -> [AnyObject] {
    KeyValueCoding.objects(value(forKey: key) as Any?, key)
  }

  /// Returns the values that the elements have at a key path; null is `NSNull`.
  ///
  /// Operators with a single result, such as "@sum.age", stop the program here. Without a type annotation the
  /// result is `Any?`, which can hold them.
  @_disfavoredOverload
  public func value(forKeyPath keyPath: String) -> [AnyObject] {
    KeyValueCoding.objects(value(forKeyPath: keyPath) as Any?, keyPath)
  }

  /// Returns whether the object is an equal set.
  public func isEqual(_ object: Any?) -> Bool { (object as? MutableSet).map { $0 == self } ?? false }
}

extension Map {
  /// Returns the value of a key as an object, or the result of an operator if the key begins with "@"; nil if
  /// the key is missing, `NSNull` if the value is null.
  public func value(forKey key: String) -> AnyObject? { (value(forKey: key) as Any?).map { $0 as AnyObject } }

  /// Returns the value at the end of a key path as an object, or the result of an operator if the path begins
  /// with "@".
  public func value(forKeyPath keyPath: String) -> AnyObject? {
    (value(forKeyPath: keyPath) as Any?).map { $0 as AnyObject }
  }

  /// Returns the value of a key that is given as a string object; nil if the key is missing, `NSNull` if the
  /// value is null.
  ///
  /// Stops the program if the key is not a string.
  public func object(forKey key: AnyObject) -> AnyObject? {
    guard let text = key as? String else {
      trap("Invalid key '\(key)' of type '\(type(of: key))' for expected type 'string'.")
    }
    return _rlmDynamicValue(forKey: text).map { $0 as AnyObject }
  }

  /// Sets the value of a key; nil removes the key, and `NSNull` stores null.
  ///
  /// Stops the program if the value does not fit, such as null where values are not optional.
  public func setValue(_ value: Any?, forKey key: String) {
    let mapKey = Key._rlmKey(key)
    guard let value else { return removeObject(for: mapKey) }
    guard let element = Value._rlmCoerceElement(KeyValueCoding.objectValue(value, Value.self)) else {
      KeyValueCoding.failMismatch(value, Value._rlmKind)
    }
    updateValue(element, forKey: mapKey)
  }

  /// Returns whether the object is an equal map.
  public func isEqual(_ object: Any?) -> Bool { (object as? Map).map { $0 == self } ?? false }
}

/// A collection whose elements are distinct.
protocol SetOfElements {}

extension MutableSet: SetOfElements {}

extension KeyValueCoding {
  /// The value as a collection of some type takes it: for one of dynamic objects the dynamic object of an object's row.
  fileprivate static func objectValue<Value: RealmCollectionValue>(_ value: Any, _: Value.Type) -> Any {
    guard Value.self == DynamicObject.self || Value.self == DynamicObject?.self,
      let object = Coercion.object(value), let realm = object._realm, object._isAlive
    else { return value }
    return realm.dynamicClassTable(object._table.number).dynamicAccessor(object._row)
  }

  /// The values as objects. Stops the program when it is only one.
  fileprivate static func objects(_ values: Any?, _ keyPath: String) -> [AnyObject] {
    switch values {
    case let values as [Any]: return values.map { $0 as AnyObject }
    case let values as Set<AnyHashable>: return values.map { $0.base as AnyObject }
    default: trap("'\(keyPath)' has one value and not one for each element: ask for it 'as Any?'.")
    }
  }
}
