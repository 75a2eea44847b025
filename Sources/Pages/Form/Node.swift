import LibC

/// A node of the tree: entries in the order of their keys.
///
/// Layout, little-endian: u16 number of entries, u8 level (0: a leaf), u8 length of the prefix, u32 size; then the prefix, which all
/// keys begin with; then for each entry, in the order of the keys, u16 where it begins, from the end of these numbers; then the
/// entries. An entry: u16 size of the rest of the key, u16 size of the value, the rest of the key, then the value; or, when the
/// size is `Node.referenced`, a reference to the value, or to the child of a branch. The first key of a branch stands for all
/// that are less than its second.
///
/// A node in the file has its entries in the order of their keys. A node that a transaction changes has no prefix, and its entries
/// are in any order. See `Node+Prefix`.
///
/// Invariants: what `isWellFormed` verified when the node was first touched; no node is above `sizeLimit` with whole keys.
package struct Node {
  let base: UnsafeMutableRawPointer

  static let headerSize = 8
  static let entryHeaderSize = 4
  /// Maximum size of a node with whole keys.
  static let sizeLimit = 2048
  /// A node is split when its content becomes larger than this in the file, so that it takes three units: each commit writes all
  /// nodes on the way to what it changes.
  static let storedSizeTarget = 3 * FileLayout.unit - PageCipher.overhead
  static let keyLimit = 512
  /// Values above this have extents of their own. Any two entries fit into a node, so that every node that is too large can be
  /// split into two that are not.
  static let inlineLimit = 480
  static let levelLimit = 24
  private static let referenced: UInt16 = .max

  @inline(__always)
  init(_ base: UnsafeRawPointer) { self.base = UnsafeMutableRawPointer(mutating: base) }

  /// Makes an empty node.
  static func initialize(_ base: UnsafeMutableRawPointer, level: Int) {
    base.storeBytes(of: 0, as: UInt32.self)
    base.storeBytes(of: UInt8(level), toByteOffset: 2, as: UInt8.self)
    base.storeBytes(of: UInt32(headerSize).littleEndian, toByteOffset: 4, as: UInt32.self)
  }

  @inline(__always)
  private func word(_ offset: Int) -> Int {
    Int(UInt16(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  @inline(__always)
  private func setWord(_ offset: Int, _ value: Int) {
    base.storeBytes(of: UInt16(value).littleEndian, toByteOffset: offset, as: UInt16.self)
  }

  var count: Int {
    @inline(__always) get { word(0) }
    nonmutating set { setWord(0, newValue) }
  }

  var level: Int { @inline(__always) get { Int(base.load(fromByteOffset: 2, as: UInt8.self)) } }

  var size: Int {
    @inline(__always) get {
      Int(UInt32(littleEndian: base.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    }
    nonmutating set {
      base.storeBytes(of: UInt32(newValue).littleEndian, toByteOffset: 4, as: UInt32.self)
    }
  }

  /// Size in bytes of what all keys begin with.
  var prefixLength: Int { @inline(__always) get { Int(base.load(fromByteOffset: 3, as: UInt8.self)) } }

  var prefix: UnsafeRawBufferPointer {
    @inline(__always) get { UnsafeRawBufferPointer(start: base + Self.headerSize, count: prefixLength) }
  }

  private var placesStart: Int { @inline(__always) get { Self.headerSize + prefixLength } }

  @inline(__always)
  func place(_ index: Int) -> Int { word(placesStart + 2 * index) }

  private func setPlace(_ index: Int, _ value: Int) { setWord(placesStart + 2 * index, value) }

  var entriesStart: Int { @inline(__always) get { placesStart + 2 * count } }

  @inline(__always)
  private func entryOffset(_ index: Int) -> Int { entriesStart + place(index) }

  /// The rest of a key, behind the prefix.
  @inline(__always)
  func suffix(_ index: Int) -> UnsafeRawBufferPointer {
    let offset = entryOffset(index)
    return UnsafeRawBufferPointer(start: base + offset + Self.entryHeaderSize, count: word(offset))
  }

  /// The rest of a key, for a search, which reads `placesStart` and `count` once.
  @inline(__always)
  private func suffix(_ index: Int, _ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
    let offset = start + 2 * count + word(start + 2 * index)
    return UnsafeRawBufferPointer(start: base + offset + Self.entryHeaderSize, count: word(offset))
  }

  func key(_ index: Int) -> [UInt8] { Array(prefix) + suffix(index) }

  /// Whether there is a reference instead of the value itself.
  @inline(__always)
  func hasReference(_ index: Int) -> Bool { word(entryOffset(index) + 2) == Int(Self.referenced) }

  /// Where the value or the reference of an entry is.
  @inline(__always)
  func content(_ index: Int) -> UnsafeMutableRawPointer {
    let offset = entryOffset(index)
    return base + offset + Self.entryHeaderSize + word(offset)
  }

  @inline(__always)
  func reference(_ index: Int) -> Reference { Reference(at: content(index)) }

  @inline(__always)
  func inlineValue(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: content(index), count: word(entryOffset(index) + 2))
  }

  func contentSize(_ index: Int) -> Int {
    let size = word(entryOffset(index) + 2)
    return size == Int(Self.referenced) ? Reference.size : size
  }

  /// How many bytes an entry takes, besides its number in the order.
  func entrySize(_ index: Int) -> Int { entrySize(atPlace: place(index)) }

  func entrySize(atPlace place: Int) -> Int {
    let offset = entriesStart + place
    let size = word(offset + 2)
    return Self.entryHeaderSize + word(offset) + (size == Int(Self.referenced) ? Reference.size : size)
  }

  // MARK: Searching

  @inline(__always)
  static func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    let common = min(first.count, second.count)
    if common > 0 {
      let order = compare(first.baseAddress!, second.baseAddress!, common)
      if order != 0 { return order }
    }
    return first.count - second.count
  }

  /// As `memcmp`, whose call takes longer than comparing keys, most of which are short.
  @inline(__always)
  private static func compare(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _ count: Int) -> Int {
    if count > 16 { return Int(memcmp(first, second, count)) }
    if count >= 8 { return compare(first, second, count, as: UInt64.self) }
    if count >= 4 { return compare(first, second, count, as: UInt32.self) }
    for index in 0..<count {
      let order =
        Int(first.load(fromByteOffset: index, as: UInt8.self))
        - Int(second.load(fromByteOffset: index, as: UInt8.self))
      if order != 0 { return order }
    }
    return 0
  }

  /// Compares the first and the last bytes, which may overlap.
  @inline(__always)
  private static func compare<Word: FixedWidthInteger>(
    _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _ count: Int, as _: Word.Type
  ) -> Int {
    func word(_ memory: UnsafeRawPointer, _ offset: Int) -> Word {
      Word(bigEndian: memory.loadUnaligned(fromByteOffset: offset, as: Word.self))
    }
    var (left, right) = (word(first, 0), word(second, 0))
    if left == right {
      let last = count - MemoryLayout<Word>.size
      (left, right) = (word(first, last), word(second, last))
    }
    return left == right ? 0 : left < right ? -1 : 1
  }

  /// Where a key is in the order of those that begin with the prefix: before all of them, behind all, or among them, with its rest.
  @inline(__always)
  private func rest(of key: UnsafeRawBufferPointer) -> (order: Int, rest: UnsafeRawBufferPointer) {
    let prefix = prefix
    if prefix.count == 0 { return (0, key) }
    let common = min(prefix.count, key.count)
    var order = Int(memcmp(key.baseAddress!, prefix.baseAddress!, common))
    if order == 0 && key.count < prefix.count { order = -1 }
    return (order, UnsafeRawBufferPointer(rebasing: key[common...]))
  }

  /// The first entry whose key is not less, and whether it has the key.
  @inline(__always)
  func firstIndex(atOrAfter key: UnsafeRawBufferPointer) -> (index: Int, isFound: Bool) {
    let (order, rest) = rest(of: key)
    if order != 0 { return (order < 0 ? 0 : count, false) }
    var low = 0
    let (start, count) = (placesStart, count)
    var high = count
    while low < high {
      let middle = (low + high) >> 1
      let order = Self.compare(suffix(middle, start, count), rest)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  /// In a branch: the child in whose range a key is.
  @inline(__always)
  func childIndex(_ key: UnsafeRawBufferPointer) -> Int {
    let (order, rest) = rest(of: key)
    if order != 0 { return order < 0 ? 0 : count - 1 }
    var low = 1
    let (start, count) = (placesStart, count)
    var high = count
    while low < high {
      let middle = (low + high) >> 1
      if Self.compare(suffix(middle, start, count), rest) <= 0 { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  // MARK: Changing

  /// Makes room for an entry, in a node without a prefix. Returns where its value goes, or its reference when no size is given.
  ///
  /// - Parameter prefix: What the key begins with, before `suffix`.
  func insert(
    _ index: Int, prefix: UnsafeRawBufferPointer = .init(start: nil, count: 0),
    _ suffix: UnsafeRawBufferPointer, size valueSize: Int?
  ) -> UnsafeMutableRawPointer {
    let count = count
    let oldStart = entriesStart
    let entriesSize = size - oldStart
    let keySize = prefix.count + suffix.count
    memmove(base + oldStart + 2, base + oldStart, entriesSize)
    let slot = Self.headerSize + 2 * index
    memmove(base + slot + 2, base + slot, 2 * (count - index))
    self.count = count + 1
    setPlace(index, entriesSize)
    let entry = oldStart + 2 + entriesSize
    setWord(entry, keySize)
    setWord(entry + 2, valueSize ?? Int(Self.referenced))
    let key = base + entry + Self.entryHeaderSize
    if prefix.count > 0 { memcpy(key, prefix.baseAddress!, prefix.count) }
    if suffix.count > 0 { memcpy(key + prefix.count, suffix.baseAddress!, suffix.count) }
    size += 2 + Self.entryHeaderSize + keySize + (valueSize ?? Reference.size)
    return key + keySize
  }

  func remove(_ index: Int) {
    let count = count
    let length = entrySize(index)
    let place = place(index)
    let start = entriesStart
    let entriesSize = size - start
    memmove(base + start + place, base + start + place + length, entriesSize - place - length)
    for other in 0..<count where self.place(other) > place { setPlace(other, self.place(other) - length) }
    let slot = Self.headerSize + 2 * index
    memmove(base + slot, base + slot + 2, 2 * (count - index - 1))
    memmove(base + start - 2, base + start, entriesSize - length)
    self.count = count - 1
    size -= 2 + length
  }

  /// Appends the entries of another node; the first of them under another key if one is given.
  func append(_ other: Node, firstKey: [UInt8]? = nil) {
    for index in 0..<other.count {
      let size = other.hasReference(index) ? nil : other.contentSize(index)
      let target =
        if index == 0, let firstKey {
          firstKey.withUnsafeBytes { insert(count, $0, size: size) }
        } else {
          insert(count, prefix: other.prefix, other.suffix(index), size: size)
        }
      memcpy(target, other.content(index), other.contentSize(index))
    }
  }

  /// Where a node that is too large is split: the first entry of the second half.
  ///
  /// - Parameter inserted: The entry that made it too large. If it is the last one, it begins a node of its own, which leaves the
  ///   one before full: that is how entries come that are inserted in order.
  func splitIndex(inserted: Int) -> Int {
    let count = count
    if inserted == count - 1 { return count - 1 }
    let half = (size - Self.headerSize) / 2
    var before = 0
    var index = 0
    // The entry that crosses the middle goes to the side that becomes smaller with it.
    while index < count - 1 {
      let entry = 2 + entrySize(index)
      if before + entry > half {
        if index == 0 || before + entry - half < half - before { index += 1 }
        break
      }
      before += entry
      index += 1
    }
    return min(max(index, 1), count - 1)
  }
}
