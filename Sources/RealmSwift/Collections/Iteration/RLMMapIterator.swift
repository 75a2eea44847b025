/// The iterator of maps.
public struct RLMMapIterator<Element: _RLMMapEntry>: IteratorProtocol {
  private var entries: ContiguousArray<(Element.Key, Element.Value)>.Iterator

  init(_ entries: ContiguousArray<(Element.Key, Element.Value)>) {
    self.entries = entries.makeIterator()
  }

  /// The next entry, or nil when there are no more.
  public mutating func next() -> Element? {
    entries.next().map { Element(key: $0.0, value: $0.1) }
  }
}

/// The iterator over a map's keys and values as pairs.
public struct RLMKeyValueIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
  private var entries: ContiguousArray<(Key, Value)>.Iterator

  init(_ entries: ContiguousArray<(Key, Value)>) {
    self.entries = entries.makeIterator()
  }

  /// The next key and its value, or nil when there are no more.
  public mutating func next() -> (key: Key, value: Value)? {
    entries.next().map { (key: $0.0, value: $0.1) }
  }
}
