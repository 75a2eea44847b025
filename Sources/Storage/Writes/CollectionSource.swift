/// What the changes of collections are made to: the snapshot that shows them.
protocol CollectionSource: AnyObject {
  /// Returns a segment as it is stored.
  func storedSegment(_ key: CollectionKey, _ family: CollectionFamily, _ index: Int) -> Chunk
}
