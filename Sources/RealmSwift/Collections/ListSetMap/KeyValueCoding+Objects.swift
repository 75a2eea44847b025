import Foundation

// Key-value coding as a class of Foundation's has it: with objects for values. It calls what all collections have.
extension List {
  /// A property's value for each element; null is `NSNull`.
  ///
  /// Operators that have one result, such as "@sum.age", stop the program here: ask for them `as Any?`.
  public func value(forKey key: String) -> [AnyObject] {
    KeyValueCoding.objects(value(forKey: key) as Any?, key)
  }

  /// The values that the elements have at a path of keys; null is `NSNull`.
  ///
  /// Operators with one result, such as "@sum.age", stop the program here: where no type is asked for, the result is
  /// `Any?`, which holds it.
  @_disfavoredOverload
  public func value(forKeyPath keyPath: String) -> [AnyObject] {
    KeyValueCoding.objects(value(forKeyPath: keyPath) as Any?, keyPath)
  }

  /// Whether the object is an equal list.
  public func isEqual(_ object: Any?) -> Bool { (object as? List).map { $0 == self } ?? false }
}

extension MutableSet {
  /// The distinct values of a property of the elements; null is `NSNull`.
  ///
  /// Operators that have one result, such as "@sum.age", stop the program here: ask for them `as Any?`.
  public func value(forKey key: String) -> [AnyObject] {
    KeyValueCoding.objects(value(forKey: key) as Any?, key)
  }

  /// The values that the elements have at a path of keys; null is `NSNull`.
  ///
  /// Operators with one result, such as "@sum.age", stop the program here: where no type is asked for, the result is
  /// `Any?`, which holds it.
  @_disfavoredOverload
  public func value(forKeyPath keyPath: String) -> [AnyObject] {
    KeyValueCoding.objects(value(forKeyPath: keyPath) as Any?, keyPath)
  }

  /// Whether the object is an equal set.
  public func isEqual(_ object: Any?) -> Bool { (object as? MutableSet).map { $0 == self } ?? false }
}

extension Map {
  /// The value of a key as an object, or the result of an operator when it begins with "@"; nil when there is none,
  /// `NSNull` when it is null.
  public func value(forKey key: String) -> AnyObject? { (value(forKey: key) as Any?).map { $0 as AnyObject } }

  /// The value at the end of a path of keys as an object, or the result of an operator when the path begins with "@".
  public func value(forKeyPath keyPath: String) -> AnyObject? {
    (value(forKeyPath: keyPath) as Any?).map { $0 as AnyObject }
  }

  /// The value of a key, which is a string as an object; nil when there is none, `NSNull` when it is null.
  ///
  /// Stops the program when the key is no string.
  public func object(forKey key: AnyObject) -> AnyObject? {
    guard let text = key as? String else {
      trap("Invalid key '\(key)' of type '\(type(of: key))' for expected type 'string'.")
    }
    return _rlmDynamicValue(forKey: text).map { $0 as AnyObject }
  }

  /// Sets the value of a key; nil removes the key, and `NSNull` stores null.
  ///
  /// Stops the program when the value does not fit: null, where values are not optional.
  public func setValue(_ value: Any?, forKey key: String) {
    let mapKey = Key._rlmKey(key)
    guard let value else { return removeObject(for: mapKey) }
    guard let element = Value._rlmCoerceElement(value) else {
      KeyValueCoding.failMismatch(value, Value._rlmKind)
    }
    updateValue(element, forKey: mapKey)
  }

  /// Whether the object is an equal map.
  public func isEqual(_ object: Any?) -> Bool { (object as? Map).map { $0 == self } ?? false }
}

/// A collection whose elements are distinct.
protocol SetOfElements {}

extension MutableSet: SetOfElements {}

extension KeyValueCoding {
  /// The values as objects. Stops the program when it is only one.
  fileprivate static func objects(_ values: Any?, _ keyPath: String) -> [AnyObject] {
    switch values {
    case let values as [Any]: return values.map { $0 as AnyObject }
    case let values as Set<AnyHashable>: return values.map { $0.base as AnyObject }
    default: trap("'\(keyPath)' has one value and not one for each element: ask for it 'as Any?'.")
    }
  }
}
