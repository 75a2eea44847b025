/// The elements of a list, set or map: numbered, and in segments of `chunkCapacity`.
///
/// Who reads a collection finds its segments in one way or another, as those of a snapshot or with the last one
/// remembered. How elements are walked and looked for is the same for all of them.
@usableFromInline
package protocol CollectionElements {
  /// What the collection is in.
  var snapshot: Snapshot { get }
  var count: Int { get }
  /// The type of the elements, or of a map's values.
  var type: ValueType { get }
  /// The table that links lead to.
  var target: Int { get }
  /// The elements, or a map's keys, from `number * chunkCapacity` on.
  func segment(_ family: CollectionFamily, _ number: Int) -> Chunk
}

/// The elements of a collection that lie in one segment.
@usableFromInline
package struct ElementSegment {
  @usableFromInline package let chunk: Chunk
  /// The position of the first of them.
  @usableFromInline package let first: Int
  @usableFromInline package let count: Int

  @inlinable init(_ chunk: Chunk, first: Int, count: Int) {
    self.chunk = chunk
    self.first = first
    self.count = count
  }
}

/// Walks a collection segment by segment.
@usableFromInline
package struct ElementSegments<Elements: CollectionElements>: Sequence, IteratorProtocol {
  @usableFromInline let elements: Elements
  @usableFromInline let count: Int
  @usableFromInline var first = 0

  @inlinable init(_ elements: Elements) {
    self.elements = elements
    count = elements.count
  }

  @inlinable @inline(__always)
  package mutating func next() -> ElementSegment? {
    if first >= count { return nil }
    defer { first &+= chunkCapacity }
    return ElementSegment(
      elements.segment(.values, first / chunkCapacity), first: first,
      count: Swift.min(chunkCapacity, count &- first))
  }
}

// MARK: Walking

extension CollectionElements {
  @inlinable package var segments: ElementSegments<Self> { ElementSegments(self) }

  /// Calls the body with the number, or the row that is linked to, and the position of each element that is not null.
  @inlinable @inline(__always)
  package func forEachInteger(_ body: (_ number: Int64, _ position: Int) -> Void) {
    for segment in segments {
      let isNullable = segment.chunk.nullBitmap != nil
      for index in 0..<segment.count where !isNullable || !segment.chunk.isNull(index) {
        body(segment.chunk.integer(index), segment.first &+ index)
      }
    }
  }

  /// The rows that links lead to, in their order; nulls are left out.
  @inlinable
  package var rows: ContiguousArray<Int> {
    var rows: ContiguousArray<Int> = []
    rows.reserveCapacity(count)
    forEachInteger { number, _ in rows.append(Int(number)) }
    return rows
  }

  /// The position of the first element that is a number, or a link to a row.
  @inlinable
  package func firstPosition(ofInteger wanted: Int64) -> Int? {
    for segment in segments {
      for index in 0..<segment.count where segment.chunk.integer(index) == wanted {
        if !segment.chunk.isNull(index) { return segment.first &+ index }
      }
    }
    return nil
  }
}

// MARK: Searching

/// Where an element or a key is, or the position where it would be inserted.
@usableFromInline
package typealias SearchResult = (position: Int, isFound: Bool)

// Binary search: first among the segments, by their first elements, then within one.
extension CollectionElements {
  /// The position of a set's element.
  @inlinable
  package func position(ofElement value: Value) -> SearchResult {
    if case .int(let number) = value, type == .int { return position(ofInteger: number) }
    if case .link(target, let row) = value, type == .link { return position(ofInteger: Int64(row)) }
    if case .string(var text) = value, type == .string {
      return text.withUTF8 { position(ofBytes: UnsafeRawBufferPointer($0), .values) }
    }
    let (type, target) = (type, target)
    return search(.values) { Value.order($0.storedValue($1, type, target: target), value) }
  }

  /// The position of a map's key. Keys are in the order of their bytes.
  @inlinable
  package func position(ofKey key: String) -> SearchResult {
    var key = key
    return key.withUTF8 { position(ofBytes: UnsafeRawBufferPointer($0), .keys) }
  }

  @inlinable
  func position(ofInteger wanted: Int64) -> SearchResult {
    search(.values) { chunk, index in
      // Null comes before all numbers.
      if chunk.isNull(index) { return -1 }
      let number = chunk.integer(index)
      return number < wanted ? -1 : number == wanted ? 0 : 1
    }
  }

  @inlinable
  func position(ofBytes wanted: UnsafeRawBufferPointer, _ family: CollectionFamily) -> SearchResult {
    search(family) { chunk, index in
      if chunk.isNull(index) { return -1 }
      return Value.orderBytes(chunk.bytes(index)!, wanted)
    }
  }

  /// Finds where an order, of elements and what is wanted, changes from negative to positive; it is zero at most once.
  @inlinable @inline(__always)
  func search(_ family: CollectionFamily, _ order: (Chunk, Int) -> Int) -> SearchResult {
    let count = count
    return count == 0 ? (0, false) : search(family, count, order)
  }

  @inlinable @inline(__always)
  func search(_ family: CollectionFamily, _ count: Int, _ order: (Chunk, Int) -> Int) -> SearchResult {
    // The last segment whose first element is not beyond what is wanted.
    let number =
      (1..<(count + chunkCapacity - 1) / chunkCapacity).partitioningIndex {
        order(segment(family, $0), 0) > 0
      } - 1
    let chunk = segment(family, number)
    let first = number * chunkCapacity
    var isFound = false
    let index = (0..<min(chunkCapacity, count - first)).partitioningIndex {
      let order = order(chunk, $0)
      if order == 0 { isFound = true }
      return order >= 0
    }
    return (first + index, isFound)
  }
}
