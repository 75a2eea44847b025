import Foundation

/// What has values that are found by their names: objects and collections.
public protocol _KeyValueCoded {
  /// The value of a key; nil for null.
  func value(forKey key: String) -> Any?
  /// The value at the end of a path of keys.
  func value(forKeyPath keyPath: String) -> Any?
  /// Sets the value of a key.
  func setValue(_ value: Any?, forKey key: String)
}

extension _KeyValueCoded {
  /// The values of several keys; null is `NSNull`.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    var values: [String: Any] = [:]
    for key in keys { values[key] = (value(forKey: key) as Any?) ?? KeyValueCoding.null }
    return values
  }

  /// Sets the values of several keys, as `setValue(_:forKey:)` does with nil in place of `NSNull`: that sets null, and removes
  /// a key of a map.
  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues.sorted(by: { $0.key < $1.key }) {
      setValue(Coercion.unwrap(value), forKey: key)
    }
  }
}
