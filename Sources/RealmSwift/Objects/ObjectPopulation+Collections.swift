/// The collections that a property can have as its type, for code that knows the type only at run time.
protocol CollectionProperty {
  /// Of the elements, or of a map's values.
  static var elementType: any RealmCollectionValue.Type { get }
  /// Whether a map can have a key.
  static func acceptsKey(_ key: String) -> Bool
}

extension CollectionProperty {
  static func acceptsKey(_ key: String) -> Bool { false }
}

extension List: CollectionProperty {
  static var elementType: any RealmCollectionValue.Type { Element.self }
}

extension MutableSet: CollectionProperty {
  static var elementType: any RealmCollectionValue.Type { Element.self }
}

extension Map: CollectionProperty, DictionaryValue {
  static var elementType: any RealmCollectionValue.Type { Value.self }
  static func acceptsKey(_ key: String) -> Bool { Key._rlmIsKey(key) }
  var stringEntries: [(key: String, value: Any)]? {
    if let values = _rlmValuesOrStored { return zip(keys, values).map { ($0._rlmKeyText, $1) } }
    return asKeyValueSequence().map { ($0.key._rlmKeyText, $0.value) }
  }
}
