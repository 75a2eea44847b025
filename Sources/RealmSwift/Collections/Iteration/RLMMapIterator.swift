/// The iterator over the entries of a map.
public struct RLMMapIterator<Element: _RLMMapEntry>: IteratorProtocol {
  private var entries: ContiguousArray<(Element.Key, Element.Value)>.Iterator

  init(_ entries: ContiguousArray<(Element.Key, Element.Value)>) {
    self.entries = entries.makeIterator()
  }

  /// Returns the next entry, or nil at the end.
  public mutating func next() -> Element? {
    entries.next().map { Element(key: $0.0, value: $0.1) }
  }
}

/// The iterator over the keys and values of a map as pairs.
public struct RLMKeyValueIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
  private var entries: ContiguousArray<(Key, Value)>.Iterator

  init(_ entries: ContiguousArray<(Key, Value)>) {
    self.entries = entries.makeIterator()
  }

  /// Returns the next key and its value, or nil at the end.
  public mutating func next() -> (key: Key, value: Value)? {
    entries.next().map { (key: $0.0, value: $0.1) }
  }
}
