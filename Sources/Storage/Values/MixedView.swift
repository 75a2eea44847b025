/// A mixed value where it is stored: looks into lists and dictionaries without decoding what is not asked for.
///
/// Holds no memory: the bytes must stay where they are while the view is used, and may be damaged, which makes what can
/// not be read missing.
package struct MixedView {
  private let bytes: UnsafeRawBufferPointer

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package var isList: Bool { NestedHeader.isList(bytes.first) }
  package var isDictionary: Bool { NestedHeader.isDictionary(bytes.first) }

  var header: NestedHeader? {
    var reader = ByteReader(bytes)
    return NestedHeader(&reader)
  }

  /// The number of elements of a list or dictionary; zero for any other value.
  package var count: Int { header?.count ?? 0 }

  /// The identity of a list or dictionary; nil for any other value.
  ///
  /// - Parameter position: Where the value is in the list that it is an element of; 0 where it is in none.
  package func identity(at position: Int) -> UInt64? {
    header.map { $0.identity ?? UInt64(position) }
  }

  /// The value, with all that is nested in it.
  package var value: Value { Value(mixed: bytes) }

  /// An element of a list, or the value of an entry of a dictionary; nil when there is none.
  package func element(at position: Int) -> MixedView? {
    var found: MixedView?
    forEachElement { number, _, element in
      if number == position { found = MixedView(element) }
      return number < position
    }
    return found
  }

  /// The key of an entry of a dictionary; nil when there is none.
  package func key(at position: Int) -> String? {
    var found: String?
    forEachElement { number, key, _ in
      if number == position { found = String(decoding: key, as: UTF8.self) }
      return number < position
    }
    return found
  }

  /// Where a key is among those of a dictionary, which are sorted, or would be.
  package func position(ofKey key: String) -> (position: Int, isFound: Bool) {
    var key = key
    return key.withUTF8 { wanted in
      var answer = (position: 0, isFound: false)
      forEachElement { number, key, _ in
        let order = Value.orderBytes(key, UnsafeRawBufferPointer(wanted))
        answer = order < 0 ? (number + 1, false) : (number, order == 0)
        return order < 0
      }
      return answer
    }
  }

  /// The elements of a list or the values of a dictionary.
  package var elements: [MixedView] {
    var elements: [MixedView] = []
    forEachElement { _, _, element in
      elements.append(MixedView(element))
      return true
    }
    return elements
  }

  /// Calls the body for each element, the keys of a list being empty, until it returns false or the bytes end.
  func forEachElement(
    _ body: (_ number: Int, _ key: UnsafeRawBufferPointer, _ element: UnsafeRawBufferPointer) -> Bool
  ) {
    guard let header else { return }
    let hasKeys = header.hasKeys
    var offset = header.size
    for number in 0..<header.count {
      var key = UnsafeRawBufferPointer(start: nil, count: 0)
      if hasKeys {
        guard let range = sizedRange(at: offset) else { return }
        key = UnsafeRawBufferPointer(rebasing: bytes[range])
        offset = range.upperBound
      }
      guard let range = sizedRange(at: offset) else { return }
      if !body(number, key, UnsafeRawBufferPointer(rebasing: bytes[range])) { return }
      offset = range.upperBound
    }
  }

  /// Where the bytes are whose length stands at an offset; nil when they end too soon.
  private func sizedRange(at offset: Int) -> Range<Int>? {
    guard bytes.count - offset >= 4 else { return nil }
    let length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    return length <= bytes.count - offset - 4 ? offset + 4..<offset + 4 + length : nil
  }

  // MARK: Identities

  /// Where the list or dictionary with an identity is among the elements of a list.
  package func position(ofElement identity: UInt64) -> (position: Int, element: MixedView)? {
    var found: (position: Int, element: MixedView)?
    forEachElement { number, _, element in
      let element = MixedView(element)
      if element.identity(at: number) == identity { found = (number, element) }
      return found == nil
    }
    return found
  }

  /// The identities that are stored, of this collection and all in it, each before those in it; nil for those that have
  /// none.
  var identities: [UInt64?] {
    var identities: [UInt64?] = []
    var rest = [self]
    while let view = rest.popLast() {
      guard let header = view.header else { continue }
      identities.append(header.identity)
      rest += view.elements.reversed()
    }
    return identities
  }

  // MARK: Bytes

  func appendBytes(upTo end: Int, to writer: inout ByteWriter) {
    writer.bytes.append(contentsOf: bytes[..<end])
  }

  func appendBytes(from start: Int, to writer: inout ByteWriter) {
    writer.bytes.append(contentsOf: bytes[start...])
  }

  // MARK: Places

  /// Where the value's bytes are in those of a value around it.
  package func range(in whole: MixedView) -> Range<Int>? {
    guard let start = bytes.baseAddress, let wholeStart = whole.bytes.baseAddress else { return nil }
    return start - wholeStart..<start - wholeStart + bytes.count
  }

  /// A value in this one; nil when the bytes end too soon.
  package subscript(range: Range<Int>) -> MixedView? {
    range.upperBound <= bytes.count ? MixedView(UnsafeRawBufferPointer(rebasing: bytes[range])) : nil
  }
}
