/// The segments of a collection, one after the other. The one walk over them: whoever looks at all elements takes it.
///
/// Each segment is looked up when the walk comes to it, and is valid until the content stamp changes.
package struct CollectionSegments: Sequence, IteratorProtocol {
  private let snapshot: Unmanaged<Snapshot>
  private let key: CollectionKey
  private let family: CollectionFamily
  private let count: Int
  private var first = 0

  /// Some elements of a collection that lie side by side.
  package struct Segment {
    package let chunk: Chunk
    /// The position of the first of them in the collection; in the chunk it is 0.
    package let first: Int
    /// A chunk may have room for more.
    package let count: Int
  }

  /// - Parameter count: That of the elements. The snapshot outlives the walk.
  package init(_ snapshot: Snapshot, _ key: CollectionKey, _ family: CollectionFamily, count: Int) {
    self.snapshot = .passUnretained(snapshot)
    self.key = key
    self.family = family
    self.count = count
  }

  package mutating func next() -> Segment? {
    if first >= count { return nil }
    let chunk = snapshot._withUnsafeGuaranteedRef { $0.segment(key, family, first / chunkCapacity) }
    defer { first += chunkCapacity }
    return Segment(chunk: chunk, first: first, count: Swift.min(chunkCapacity, count - first))
  }
}

extension Table {
  /// The segments of a row's collection.
  package func segments(_ column: Int, _ row: Int, _ family: CollectionFamily = .values) -> CollectionSegments
  {
    CollectionSegments(
      snapshot, CollectionKey(table: number, column: column, row: row), family, count: count(column, row))
  }
}
