/// A collection as one version of the file has it, readable also after the snapshot has moved on.
package struct CollectionReader {
  private let lease: VersionLease
  private let tree: EntryTree
  private let key: CollectionKey
  private let layout: ChunkLayout
  private let count: Int
  /// For links, how many rows there are to link to.
  private let targetLimit: Int?
  private let className: String
  private let propertyName: String
  /// The first segment, which most collections have alone; nil when there are no elements.
  private let first: Chunk?

  fileprivate init(_ snapshot: Snapshot, _ key: CollectionKey) {
    lease = snapshot.lease
    tree = EntryTree.collections
    self.key = key
    let table = snapshot.catalogue.tables[key.table]
    let column = table.columns[key.column]
    layout = column.elementLayout
    className = table.name
    propertyName = column.name
    targetLimit = column.type == .link ? snapshot.tables[column.target].rowLimit : nil
    count = snapshot.tables[key.table].count(key.column, key.row)
    first = count > 0 ? snapshot.storedSegment(key, .values, 0) : nil
  }

  /// The elements from `index * chunkCapacity` on. Valid as long as the reader.
  package func segment(_ index: Int) -> Chunk {
    if index == 0, let first { return first }
    let stored = SegmentKey(key, .values, index).withBytes {
      lease.transaction.value(tree, $0, SegmentKey.size) { stop(index, $0) }
    }
    if let stored {
      let places = lease.file.checkedPlaces
      if !places.isChecked(stored.baseAddress!) {
        check(stored, index)
        places.noteChecked(stored.baseAddress!)
      }
      return Chunk(stored.baseAddress!)
    }
    if index * chunkCapacity < count { stop(index, "it is missing") }
    return Chunk(ConstantChunk.chunk(layout, isNullable: false))
  }
}

extension CollectionReader {
  /// What a snapshot would check, which may have moved on.
  private func check(_ stored: UnsafeRawBufferPointer, _ index: Int) {
    if let fault = ChunkCheck(layout: layout, allowsLongValues: false).fault(in: stored) {
      stop(index, fault)
    }
    let chunk = Chunk(stored.baseAddress!)
    if chunk.count != min(chunkCapacity, count - index * chunkCapacity) {
      stop(index, "it has \(chunk.count) elements")
    }
    guard let targetLimit else { return }
    for element in 0..<chunk.count where !chunk.isNull(element) {
      let row = chunk.integer(element)
      if row < 0 || row >= targetLimit { stop(index, "it links to row \(row), which is not there") }
    }
  }

  private func stop(_ segment: Int, _ fault: String) -> Never {
    stopDamaged(
      path: lease.file.path,
      "class '\(className)', property '\(propertyName)', row \(key.row), segment \(segment): \(fault)")
  }
}

extension Snapshot {
  /// Keeps the version of a collection readable; nil while a write transaction is open or staged.
  package func reader(_ key: CollectionKey) -> CollectionReader? {
    isAtVersion ? CollectionReader(self, key) : nil
  }
}
