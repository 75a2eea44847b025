/// A change of the elements of one list or dictionary inside a mixed value. Positions are within bounds.
package enum NestedChange {
  case insert([Value], at: Int)
  /// Replaces an element of a list, or the value of an entry.
  case replace(at: Int, Value)
  case insertEntry(key: String, Value, at: Int)
  case remove(Range<Int>)
  /// Moves an element of a list, so that it is at `to` afterwards.
  case move(from: Int, to: Int)
  case swap(Int, Int)
}

extension MixedView {
  /// The bytes of this value with the elements of one collection in it changed; all others keep theirs, and with them the
  /// identities of the collections that they are or hold. Nil when the collection's bytes are damaged.
  ///
  /// - Parameters:
  ///   - ranges: Where the collection is in this value, and all around it: the first one is that of this value.
  ///   - identity: Returns the identity of the next new list or dictionary.
  func bytes(
    changing ranges: [Range<Int>], _ change: NestedChange, identifiedBy identity: () -> UInt64?
  ) -> [UInt8]? {
    guard let range = ranges.last, let collection = self[range], var header = collection.header else {
      return nil
    }
    var elements = NestedElements(collection)
    guard elements.count == header.count else { return nil }
    elements.apply(change, identity)
    header.count = elements.count
    var writer = ByteWriter()
    appendBytes(upTo: range.lowerBound, to: &writer)
    header.append(to: &writer)
    elements.append(to: &writer)
    let difference = writer.bytes.count - range.upperBound
    appendBytes(from: range.upperBound, to: &writer)
    // The length of each but the outermost stands before it.
    for outer in ranges.dropFirst() {
      writer.replace(
        at: outer.lowerBound - MemoryLayout<UInt32>.size, with: UInt32(outer.count + difference))
    }
    return writer.bytes
  }
}

/// The elements of a list or dictionary as bytes.
private struct NestedElements {
  private enum Bytes {
    case stored(UnsafeRawBufferPointer)
    case new([UInt8])

    func append(to writer: inout ByteWriter) {
      switch self {
      case .stored(let bytes): writer.appendSized(bytes)
      case .new(let bytes): bytes.withUnsafeBytes { writer.appendSized($0) }
      }
    }
  }

  private struct Element {
    /// Nil in a list.
    let key: Bytes?
    var value: Bytes
  }

  private var elements: [Element] = []

  var count: Int { elements.count }

  init(_ collection: MixedView) {
    let hasKeys = collection.isDictionary
    collection.forEachElement { number, key, value in
      if hasKeys {
        elements.append(Element(key: .stored(key), value: .stored(value)))
      } else {
        // Its position may be about to change, which is the identity of a collection that has no other.
        let identified = NestedHeader.identifying(value, as: UInt64(number))
        elements.append(Element(key: nil, value: identified.map(Bytes.new) ?? .stored(value)))
      }
      return true
    }
  }

  mutating func apply(_ change: NestedChange, _ identity: () -> UInt64?) {
    func new(_ value: Value) -> Bytes { .new(value.mixedBytes(identifiedBy: identity)) }
    switch change {
    case .insert(let values, let position):
      elements.insert(contentsOf: values.map { Element(key: nil, value: new($0)) }, at: position)
    case .replace(let position, let value): elements[position].value = new(value)
    case .insertEntry(let key, let value, let position):
      elements.insert(Element(key: .new(Array(key.utf8)), value: new(value)), at: position)
    case .remove(let range): elements.removeSubrange(range)
    case .move(let source, let target): elements.insert(elements.remove(at: source), at: target)
    case .swap(let first, let second): elements.swapAt(first, second)
    }
  }

  func append(to writer: inout ByteWriter) {
    for element in elements {
      element.key?.append(to: &writer)
      element.value.append(to: &writer)
    }
  }
}
