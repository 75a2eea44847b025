/// What the changes of collections are made to: the snapshot that is written.
protocol CollectionSource: AnyObject {
  /// Returns a segment as it is stored.
  func storedSegment(_ key: CollectionKey, _ family: CollectionFamily, _ index: Int) -> Chunk

  /// Returns the bytes of a mixed value, in which lists and dictionaries get new identities.
  func storedBytes(of value: Value) -> [UInt8]
}
