import Storage

/// Where the elements of a managed collection are, one after the other, as it was when the walk began.
struct SegmentWalk: IteratorProtocol {
  private let reader: CollectionReader
  private let count: Int
  private(set) var position = 0
  private var chunk: Chunk?
  private var index = chunkCapacity

  init(_ reader: CollectionReader, count: Int) {
    self.reader = reader
    self.count = count
  }

  @inline(__always)
  mutating func next() -> (chunk: Chunk, index: Int)? {
    guard position < count else { return nil }
    if index == chunkCapacity {
      chunk = reader.segment(position / chunkCapacity)
      index = 0
    }
    defer {
      index &+= 1
      position &+= 1
    }
    return (chunk.unsafelyUnwrapped, index)
  }
}
