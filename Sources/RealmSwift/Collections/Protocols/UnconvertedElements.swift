import Storage

// Reading collections that may hold values which their elements' type has none for, as enums do. A reader that only passes them
// on does not need the elements.
extension RealmCollectionValue {
  /// The element for a stored value or, when there is none, an `UnconvertedValue`.
  static func _rlmElementOrStored(_ value: StoredValue, _ realm: RealmCore) -> Any {
    _rlmUnconvertedElement(value, realm).map { UnconvertedValue($0) } ?? _rlmElement(value, realm)
  }

  /// An element or an `UnconvertedValue`, as key-value coding sees it.
  static func _rlmDynamicElement(_ value: Any) -> Any? {
    if let unconverted = UnconvertedValue.exact(value) { return unconverted.stored }
    return (value as! Self)._rlmDynamicElement
  }
}

extension _CollectionOrigin {
  /// The stored values of a managed collection of values, with its realm; nil for others.
  fileprivate var storedValues: (values: [StoredValue], realm: RealmCore)? {
    switch kind {
    case .stored(let stored):
      stored.checkAccess()
      return (stored.values, stored.realm)
    case .query(let query): return query.isOfValues ? (query.values, query.realm) : nil
    case .nested, .unmanaged: return nil
    }
  }
}

extension RealmCollection {
  /// The elements, with an `UnconvertedValue` for each stored value that there is none for; nil when there are elements for
  /// all that can be stored.
  var _rlmElementsOrStored: [Any]? {
    guard Element._rlmMayBeUnconverted, let (values, realm) = _rlmOrigin.storedValues else { return nil }
    return values.map { Element._rlmElementOrStored($0, realm) }
  }

  /// The elements as key-value coding sees them.
  var _rlmDynamicElements: [Any?] {
    if let elements = _rlmElementsOrStored { return elements.map { Element._rlmDynamicElement($0) } }
    return map { $0._rlmDynamicElement }
  }
}

extension RealmKeyedCollection {
  /// The values, as the elements of `RealmCollection._rlmElementsOrStored`, in the order of the keys.
  var _rlmValuesOrStored: [Any]? {
    guard Value._rlmMayBeUnconverted, let (values, realm) = _rlmOrigin.storedValues else { return nil }
    return values.map { Value._rlmElementOrStored($0, realm) }
  }

  /// The values as key-value coding sees them, in the order of the keys.
  var _rlmDynamicValues: [Any?] {
    if let values = _rlmValuesOrStored { return values.map { Value._rlmDynamicElement($0) } }
    return values.map { $0._rlmDynamicElement }
  }

  /// The value of a key as key-value coding sees it, `NSNull` for null; nil when there is none.
  func _rlmDynamicValue(forKey key: String) -> Any? {
    if Value._rlmMayBeUnconverted, case .stored(let stored) = _rlmOrigin.kind {
      stored.checkAccess()
      let found = stored.position(ofKey: key)
      if found.isFound,
        let unconverted = Value._rlmUnconvertedElement(stored.value(at: found.position), stored.realm)
      {
        return unconverted
      }
    }
    return self[Key._rlmKey(key)].map { $0._rlmDynamicElement ?? KeyValueCoding.null }
  }
}

extension [Any] {
  /// - Throws: `EncodingError.invalidValue` when one of them is an `UnconvertedValue`.
  func checkEncodable(_ encoder: any Encoder) throws {
    guard let unconverted = lazy.compactMap({ UnconvertedValue.exact($0) }).first else { return }
    throw EncodingError.invalidValue(
      unconverted.stored,
      EncodingError.Context(
        codingPath: encoder.codingPath,
        debugDescription:
          "The stored value '\(unconverted.stored)' cannot be converted to the type of the elements."))
  }
}

extension StoredCollection {
  /// The values of another collection of a type whose values may be none of its elements, to be stored as they are.
  static func valuesToCopy<Element: RealmCollectionValue>(
    _ backing: (any CollectionBacking)?, _: Element.Type
  ) -> [StoredValue]? {
    guard Element._rlmMayBeUnconverted, let stored = backing?.stored, stored.source.type != .link else {
      return nil
    }
    return stored.values
  }
}
