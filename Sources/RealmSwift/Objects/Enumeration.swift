import Foundation

/// Looks through collections whose type is known only at run time.
enum Enumeration {
  /// The elements of an array, a set or any other sequence that is not a dictionary; none for null, nil when the
  /// value is nothing of the kind.
  static func elements(_ value: Any) -> [Any]? {
    guard let value = Coercion.unwrap(value) else { return [] }
    if type(of: value) == [Any].self { return (value as! [Any]) }
    if value is String || value is Data || value is any DictionaryValue { return nil }
    if let collection = value as? any RealmCollection, let elements = collection._rlmElementsOrStored {
      return elements
    }
    return (value as? any Sequence).map { all($0) }
  }

  /// Whether the value is a set of a property.
  static func isSet(_ value: Any) -> Bool {
    (value as? any _RealmSchemaDiscoverable).map { type(of: $0)._rlmKind.collection == .set } ?? false
  }

  private static func all(_ sequence: some Sequence) -> [Any] { sequence.map { $0 } }

  /// The entries of a dictionary or map, sorted by key; none for null, nil when the value is neither, or has keys
  /// other than strings.
  static func entries(_ value: Any) -> [(key: String, value: Any)]? {
    guard let value = Coercion.unwrap(value) else { return [] }
    let entries: [(key: String, value: Any)]
    if let dictionary = Coercion.exact(value, [String: Any].self) {
      entries = dictionary.map { ($0.key, $0.value) }
    } else if let map = value as? any DictionaryValue {
      guard let all = map.stringEntries else { return nil }
      entries = all
    } else if let dictionary = value as? [String: Any] {
      entries = dictionary.map { ($0.key, $0.value) }
    } else {
      return nil
    }
    return entries.sorted { $0.key < $1.key }
  }
}

/// A dictionary or map of any type.
protocol DictionaryValue {
  /// The entries; nil when the keys are no strings.
  var stringEntries: [(key: String, value: Any)]? { get }
}

extension Dictionary: DictionaryValue {
  var stringEntries: [(key: String, value: Any)]? {
    var entries: [(key: String, value: Any)] = []
    entries.reserveCapacity(count)
    for (key, value) in self {
      guard let key = key as? String else { return nil }
      entries.append((key, value))
    }
    return entries
  }
}

extension NSDictionary: DictionaryValue {
  var stringEntries: [(key: String, value: Any)]? { (self as? [String: Any])?.map { ($0.key, $0.value) } }
}
