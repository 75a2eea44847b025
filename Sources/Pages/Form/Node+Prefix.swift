import LibC

/// Prefix compression: a node in the file stores once what its keys begin with.
extension Node {
  private static let prefixLimit = Int(UInt8.max)

  /// The first entry whose key counts: that of a branch's first child may be any, and is not stored.
  private var firstKeyIndex: Int { level > 0 ? 1 : 0 }

  /// Of a node without a prefix: the number of bytes that all keys begin with, as far as a prefix makes the node smaller.
  private var commonLength: Int {
    let first = firstKeyIndex
    if count - first < 2 { return 0 }
    let (low, high) = (suffix(first), suffix(count - 1))
    let limit = min(low.count, high.count, Self.prefixLimit)
    var length = 0
    while length < limit, low[length] == high[length] { length += 1 }
    return length
  }

  /// Whether a node without a prefix is to be split: it is too large, or will be in the file.
  var isTooLarge: Bool {
    let size = size
    if size <= Self.storedSizeTarget { return false }
    return size > Self.sizeLimit || storedSize > Self.storedSizeTarget
  }

  private var storedSize: Int {
    let first = firstKeyIndex
    return size - (count - first - 1) * commonLength - (first == 0 ? 0 : suffix(0).count)
  }

  /// The size that the node has without a prefix.
  var sizeWithWholeKeys: Int { size + (count - firstKeyIndex - 1) * prefixLength }

  /// Makes a node of the entries of another one that has no prefix, with the longest prefix.
  static func initialize(_ base: UnsafeMutableRawPointer, compressing other: Node) {
    initialize(base, with: 0..<other.count, of: other, prefixLength: other.commonLength)
  }

  /// Makes a node of entries of another one, in the order of their keys. That of a branch's first child becomes empty.
  ///
  /// - Parameter prefixLength: Size of the prefix, in bytes. A node with a prefix is made only of one without.
  static func initialize(
    _ base: UnsafeMutableRawPointer, with range: Range<Int>, of other: Node, prefixLength: Int = 0
  ) {
    initialize(base, level: other.level)
    let prefix = base + headerSize
    if prefixLength > 0 {
      base.storeBytes(of: UInt8(prefixLength), toByteOffset: 3, as: UInt8.self)
      memcpy(prefix, other.suffix(range.upperBound - 1).baseAddress!, prefixLength)
    }
    let places = prefix + prefixLength
    let start = places + 2 * range.count
    var end = start
    for (number, index) in range.enumerated() {
      (places + 2 * number).storeBytes(of: UInt16(end - start).littleEndian, as: UInt16.self)
      let suffix = other.suffix(index)
      let isFirstChild = number == 0 && other.level > 0
      let added = isFirstChild ? 0 : other.prefixLength
      // In a file that another program has made, keys may be in no order, and have less in common than the first and the last one.
      let cut = isFirstChild ? suffix.count : min(prefixLength, suffix.count)
      end = store(other, index, at: end, adding: added, cutting: cut)
    }
    let node = Node(base)
    node.count = range.count
    node.size = end - base
  }

  /// Stores an entry of another node with more of its prefix, or less of the rest of its key. Returns where the entry ends.
  private static func store(
    _ other: Node, _ index: Int, at entry: UnsafeMutableRawPointer, adding added: Int, cutting cut: Int
  ) -> UnsafeMutableRawPointer {
    let suffix = other.suffix(index)
    let header = suffix.baseAddress! - entryHeaderSize
    entry.storeBytes(of: UInt16(added + suffix.count - cut).littleEndian, as: UInt16.self)
    memcpy(entry + 2, header + 2, 2)
    let key = entry + entryHeaderSize
    if added > 0 { memcpy(key, other.prefix.baseAddress!, added) }
    // The value follows the key.
    let rest = suffix.count - cut + other.contentSize(index)
    memcpy(key + added, suffix.baseAddress! + cut, rest)
    return key + added + rest
  }
}
