import Storage

// Binary search: first among the segments, by their first elements, then within one.
extension StoredCollection {
  /// The position of a set's element, or the one where it would be inserted.
  func position(ofElement value: StoredValue) -> (position: Int, isFound: Bool) {
    if case .int(let number) = value, source.type == .int { return position(ofInteger: number) }
    if case .link(source.target, let row) = value, source.type == .link {
      return position(ofInteger: Int64(row))
    }
    if case .string(var text) = value, source.type == .string {
      return text.withUTF8 { position(ofBytes: UnsafeRawBufferPointer($0), .values) }
    }
    return search(.values) { chunk, index in
      StoredValue.order(chunk.storedValue(index, source.type, target: source.target), value)
    }
  }

  /// The position of a map's key, or the one where it would be inserted.
  func keyPosition(_ key: String) -> (position: Int, isFound: Bool) {
    var key = key
    return key.withUTF8 { position(ofBytes: UnsafeRawBufferPointer($0), .keys) }
  }

  private func position(ofInteger wanted: Int64) -> (position: Int, isFound: Bool) {
    search(.values) { chunk, index in
      // Null comes before all numbers.
      if chunk.isNull(index) { return -1 }
      let number = chunk.integer(index)
      return number < wanted ? -1 : number == wanted ? 0 : 1
    }
  }

  private func position(
    ofBytes wanted: UnsafeRawBufferPointer, _ family: CollectionFamily
  ) -> (position: Int, isFound: Bool) {
    search(family) { chunk, index in
      if chunk.isNull(index) { return -1 }
      return StoredValue.orderBytes(chunk.bytes(index)!, wanted)
    }
  }

  /// Finds where an order changes from negative to positive.
  @inline(__always)
  private func search(
    _ family: CollectionFamily, _ order: (Chunk, Int) -> Int
  ) -> (position: Int, isFound: Bool) {
    let count = count
    if count == 0 { return (0, false) }
    // The last segment whose first element is not beyond what is wanted.
    var first = 0
    var end = (count + chunkCapacity - 1) / chunkCapacity
    while end - first > 1 {
      let middle = (first + end) / 2
      let result = order(segment(family, middle), 0)
      if result == 0 { return (middle * chunkCapacity, true) }
      if result < 0 { first = middle } else { end = middle }
    }
    let chunk = segment(family, first)
    let start = first * chunkCapacity
    var low = 0
    var high = min(chunkCapacity, count - start)
    while low < high {
      let middle = (low + high) / 2
      let result = order(chunk, middle)
      if result == 0 { return (start + middle, true) }
      if result < 0 { low = middle + 1 } else { high = middle }
    }
    return (start + low, false)
  }

  @inline(__always)
  private func segment(_ family: CollectionFamily, _ number: Int) -> Chunk {
    if family == .values { return chunk(holding: number * chunkCapacity) }
    return snapshot.segment(CollectionKey(table: table.number, column: column, row: row), .keys, number)
  }

  /// Inserts an element into a set unless it is there.
  func insertIntoSet(_ value: StoredValue) {
    let found = position(ofElement: value)
    if !found.isFound { table.insertElement(column, row, at: found.position, value) }
  }
}
