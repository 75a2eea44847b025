import LibC

// Reading collections: the column's own chunks hold the number of elements, segments hold the elements.
extension Snapshot: CollectionSource {
  /// A segment of a collection: the elements from `index * chunkCapacity` on. Valid until the content stamp
  /// changes.
  @usableFromInline package func segment(
    _ key: CollectionKey, _ family: CollectionFamily = .values, _ index: Int
  ) -> Chunk {
    if let transaction = writing, !transaction.collections.isEmpty,
      let chunk = transaction.collections[key]?.segment(family, index)
    {
      return chunk
    }
    return storedSegment(key, family, index)
  }

  func storedSegment(_ key: CollectionKey, _ family: CollectionFamily, _ index: Int) -> Chunk {
    let stored = SegmentKey(key, family, index).withBytes {
      source.value(.collections, $0, SegmentKey.size) { report(damaged: key, index, $0) }
    }
    if let chunk = checkedSegment(stored, key, family, index) { return chunk }
    let layout = family == .keys ? .bytes : catalogue.tables[key.table].columns[key.column].elementLayout
    return Chunk(ConstantChunk.chunk(layout, isNullable: false))
  }

  /// The same with the key's parts.
  package func segment(
    table: Int, column: Int, row: Int, family: CollectionFamily = .values, index: Int
  ) -> Chunk {
    segment(CollectionKey(table: table, column: column, row: row), family, index)
  }

  package func count(table: Int, column: Int, row: Int) -> Int {
    Int(self.table(table).integer(column, row))
  }
}

extension Table {
  /// The number of elements of a row's collection.
  @inlinable package func count(_ column: Int, _ row: Int) -> Int { Int(integer(column, row)) }

  /// An element, in the order of the collection.
  package func element(_ column: Int, _ row: Int, at position: Int) -> Value {
    let description = snapshot.catalogue.tables[number].columns[column]
    return snapshot.segment(
      CollectionKey(table: number, column: column, row: row), .values, position / chunkCapacity
    ).storedValue(position % chunkCapacity, description.type, target: description.target)
  }

  /// A row's collection.
  @inlinable package func collection(_ column: Int, _ row: Int) -> StoredElements {
    StoredElements(self, column, row)
  }

  /// All elements, in the order of the collection.
  package func elements(_ column: Int, _ row: Int) -> [Value] {
    let collection = collection(column, row)
    let (type, target) = (collection.type, collection.target)
    var result: [Value] = []
    result.reserveCapacity(collection.count)
    for segment in collection.segments {
      for index in 0..<segment.count {
        result.append(segment.chunk.storedValue(index, type, target: target))
      }
    }
    return result
  }

  /// The key of a map's entry; entries are in the order of their keys' bytes.
  package func key(_ column: Int, _ row: Int, at position: Int) -> String {
    let key = CollectionKey(table: number, column: column, row: row)
    let chunk = snapshot.segment(key, .keys, position / chunkCapacity)
    return String(decoding: chunk.bytes(position % chunkCapacity)!, as: UTF8.self)
  }

  /// The position of a map's key, or the one where it would be inserted.
  package func position(_ column: Int, _ row: Int, ofKey key: String) -> SearchResult {
    collection(column, row).position(ofKey: key)
  }

  /// The position of a set's element, or the one where it would be inserted.
  package func position(_ column: Int, _ row: Int, ofElement value: Value) -> SearchResult {
    collection(column, row).position(ofElement: value)
  }
}

/// A row's collection as a snapshot has it.
@usableFromInline
package struct StoredElements: CollectionElements {
  @usableFromInline package let snapshot: Snapshot
  @usableFromInline let key: CollectionKey
  @usableFromInline package let count: Int

  @inlinable init(_ table: Table, _ column: Int, _ row: Int) {
    snapshot = table.snapshot
    key = CollectionKey(table: table.number, column: column, row: row)
    count = table.count(column, row)
  }

  @usableFromInline package var type: ValueType {
    snapshot.catalogue.tables[key.table].columns[key.column].type
  }
  @usableFromInline package var target: Int {
    snapshot.catalogue.tables[key.table].columns[key.column].target
  }

  @inlinable package func segment(_ family: CollectionFamily, _ number: Int) -> Chunk {
    snapshot.segment(key, family, number)
  }
}
