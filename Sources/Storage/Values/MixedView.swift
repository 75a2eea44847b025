/// A mixed value where it is stored: looks into lists and dictionaries without decoding what is not asked for.
///
/// Holds no memory: the bytes must stay where they are while the view is used, and may be damaged, which makes what can
/// not be read missing.
public struct MixedView {
  private let bytes: UnsafeRawBufferPointer

  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  public var isList: Bool { bytes.first == Value.listTag }
  public var isDictionary: Bool { bytes.first == Value.dictionaryTag }

  /// The number of elements of a list or dictionary; zero for any other value.
  public var count: Int {
    guard isList || isDictionary, bytes.count >= 5 else { return 0 }
    return Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self)))
  }

  /// The value, with all that is nested in it.
  public var value: Value { Value(mixed: bytes) }

  /// An element of a list, or the value of an entry of a dictionary; nil when there is none.
  public func element(at position: Int) -> MixedView? {
    var found: MixedView?
    forEach { number, _, element in
      if number == position { found = MixedView(element) }
      return number < position
    }
    return found
  }

  /// The key of an entry of a dictionary; nil when there is none.
  public func key(at position: Int) -> String? {
    var found: String?
    forEach { number, key, _ in
      if number == position { found = String(decoding: key, as: UTF8.self) }
      return number < position
    }
    return found
  }

  /// Where a key is among those of a dictionary, which are sorted, or would be.
  public func position(ofKey key: String) -> (position: Int, isFound: Bool) {
    var key = key
    return key.withUTF8 { wanted in
      var answer = (position: 0, isFound: false)
      forEach { number, key, _ in
        let order = Value.orderBytes(key, UnsafeRawBufferPointer(wanted))
        answer = order < 0 ? (number + 1, false) : (number, order == 0)
        return order < 0
      }
      return answer
    }
  }

  /// The elements of a list or the values of a dictionary.
  public var elements: [MixedView] {
    var elements: [MixedView] = []
    forEach { _, _, element in
      elements.append(MixedView(element))
      return true
    }
    return elements
  }

  /// Calls the body for each element, the keys of a list being empty, until it returns false or the bytes end.
  private func forEach(
    _ body: (_ number: Int, _ key: UnsafeRawBufferPointer, _ element: UnsafeRawBufferPointer) -> Bool
  ) {
    let count = count
    if count == 0 { return }
    let hasKeys = isDictionary
    var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[5...]))
    for number in 0..<count {
      guard let key = hasKeys ? reader.readSized() : UnsafeRawBufferPointer(rebasing: bytes[..<0]),
        let element = reader.readSized(), body(number, key, element)
      else { return }
    }
  }
}
