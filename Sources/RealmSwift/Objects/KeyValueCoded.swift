import Foundation

/// A type with key-value coding: objects and collections.
public protocol _KeyValueCoded {
  /// Returns the value of a key, nil for null.
  func value(forKey key: String) -> Any?
  /// Returns the value at the end of a key path.
  func value(forKeyPath keyPath: String) -> Any?
  /// Sets the value of a key.
  func setValue(_ value: Any?, forKey key: String)
}

extension _KeyValueCoded {
  /// Returns the values of several keys, in which null is `NSNull`.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    var values: [String: Any] = [:]
    for key in keys { values[key] = (value(forKey: key) as Any?) ?? KeyValueCoding.null }
    return values
  }

  /// Sets the values of several keys as `setValue(_:forKey:)` does, with nil in place of `NSNull`, which sets null or
  /// removes a key of a map.
  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues.sorted(by: { $0.key < $1.key }) {
      setValue(Coercion.unwrap(value), forKey: key)
    }
  }
}
