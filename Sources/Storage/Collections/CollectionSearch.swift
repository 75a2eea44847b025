// Finding an element of a set or a key of a map, which are in order: first among the segments, by their first elements,
// then within one.
extension Table {
  /// The position of a map's key, or the one where it would be inserted.
  package func position(_ column: Int, _ row: Int, ofKey text: String) -> (position: Int, isFound: Bool) {
    var text = text
    return text.withUTF8 { position(column, row, .keys, ofBytes: UnsafeRawBufferPointer($0)) }
  }

  /// The position of a set's element, or the one where it would be inserted.
  package func position(_ column: Int, _ row: Int, ofElement value: Value) -> (position: Int, isFound: Bool) {
    let description = snapshot.catalogue.tables[number].columns[column]
    let (type, target) = (description.type, description.target)
    switch value {
    case .int(let number) where type == .int: return position(column, row, ofInteger: number)
    case .link(target, let linked) where type == .link:
      return position(column, row, ofInteger: Int64(linked))
    case .string(var text) where type == .string:
      return text.withUTF8 { position(column, row, .values, ofBytes: UnsafeRawBufferPointer($0)) }
    default:
      return search(column, row, .values) { chunk, index in
        Value.order(chunk.storedValue(index, type, target: target), value)
      }
    }
  }

  private func position(
    _ column: Int, _ row: Int, ofInteger wanted: Int64
  ) -> (position: Int, isFound: Bool) {
    search(column, row, .values) { chunk, index in
      // Null comes before all numbers.
      if chunk.isNull(index) { return -1 }
      let number = chunk.integer(index)
      return number < wanted ? -1 : number == wanted ? 0 : 1
    }
  }

  private func position(
    _ column: Int, _ row: Int, _ family: CollectionFamily, ofBytes wanted: UnsafeRawBufferPointer
  ) -> (position: Int, isFound: Bool) {
    search(column, row, family) { chunk, index in
      if chunk.isNull(index) { return -1 }
      return Value.orderBytes(chunk.bytes(index)!, wanted)
    }
  }

  /// Finds where an order changes from negative to positive.
  @inline(__always)
  private func search(
    _ column: Int, _ row: Int, _ family: CollectionFamily, _ order: (Chunk, Int) -> Int
  ) -> (position: Int, isFound: Bool) {
    let count = count(column, row)
    if count == 0 { return (0, false) }
    let key = CollectionKey(table: number, column: column, row: row)
    let segmentCount = (count + chunkCapacity - 1) / chunkCapacity
    // The last segment whose first element is not beyond what is wanted has it, if any has.
    let next = (1..<segmentCount).partitioningIndex { order(snapshot.segment(key, family, $0), 0) > 0 }
    let chunk = snapshot.segment(key, family, next - 1)
    let start = (next - 1) * chunkCapacity
    let end = min(chunkCapacity, count - start)
    let index = (0..<end).partitioningIndex { order(chunk, $0) >= 0 }
    return (start + index, index < end && order(chunk, index) == 0)
  }
}
