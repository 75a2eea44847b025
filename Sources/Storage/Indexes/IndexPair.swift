import LibC

/// A key and a row in an index.
///
/// Pairs are ordered by key, then row.
protocol IndexPair: Comparable {
  associatedtype Block: IndexBlock where Block.Pair == Self

  var row: UInt64 { get }
  /// A pair with the same key and another row.
  func with(row: UInt64) -> Self
  /// Whether the key of a block holds only the beginning of this key.
  var isCut: Bool { get }
  /// How far, from 0 to 1, this key is on the way from one key to another, as a guess.
  func progress(from first: Self, to last: Self) -> Double
  /// Writes the part of a block's key that follows the index number and the kind, and returns its size. The
  /// ordinal is used when the key is cut.
  func writeBlockKey(to target: UnsafeMutableRawPointer, ordinal: UInt64) -> Int
}

/// A pair whose key is an integer, or null, which goes as 0.
struct IntegerPair: IndexPair {
  typealias Block = IntegerBlock

  var key: UInt64
  var row: UInt64

  @inline(__always) init(key: UInt64, row: UInt64) {
    self.key = key
    self.row = row
  }

  @inline(__always) static func < (a: IntegerPair, b: IntegerPair) -> Bool {
    a.key < b.key || a.key == b.key && a.row < b.row
  }
  @inline(__always) static func == (a: IntegerPair, b: IntegerPair) -> Bool {
    a.key == b.key && a.row == b.row
  }

  @inline(__always) func with(row: UInt64) -> IntegerPair { IntegerPair(key: key, row: row) }
  @inline(__always) var isCut: Bool { false }

  func progress(from first: IntegerPair, to last: IntegerPair) -> Double {
    if key <= first.key { return 0 }
    return key >= last.key ? 1 : Double(key - first.key) / Double(last.key - first.key)
  }

  @inline(__always) func writeBlockKey(to target: UnsafeMutableRawPointer, ordinal: UInt64) -> Int {
    target.storeBytes(of: key.bigEndian, as: UInt64.self)
    target.storeBytes(of: row.bigEndian, toByteOffset: 8, as: UInt64.self)
    return 16
  }
}

/// A pair whose key is a sequence of bytes.
///
/// Invariant: the creator of a pair keeps `length` bytes at `start` unchanged while the pair is used.
struct BytesPair: IndexPair {
  typealias Block = BytesBlock

  /// The first eight bytes as a big-endian number, filled up with zeros: decides most comparisons.
  let beginning: UInt64
  let start: UnsafeRawPointer
  let length: Int
  var row: UInt64

  @inline(__always) init(_ start: UnsafeRawPointer, _ length: Int, row: UInt64) {
    self.start = start
    self.length = length
    self.row = row
    if length >= 8 {
      beginning = UInt64(bigEndian: start.loadUnaligned(as: UInt64.self))
    } else if length >= 4 {
      // The bytes that both loads have are the same.
      let first = UInt64(UInt32(bigEndian: start.loadUnaligned(as: UInt32.self)))
      let last = UInt64(
        UInt32(bigEndian: start.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self)))
      beginning = first &<< 32 | last &<< UInt64(64 &- 8 &* length)
    } else {
      var number: UInt64 = 0
      for index in 0..<length {
        number |= UInt64(start.load(fromByteOffset: index, as: UInt8.self)) &<< UInt64(56 &- 8 &* index)
      }
      beginning = number
    }
  }

  private init(_ other: BytesPair, row: UInt64) {
    self = other
    self.row = row
  }

  /// Below 0, 0 or above 0, as this key sorts before, equals or sorts after another.
  @inline(__always) func compareKey(_ other: BytesPair) -> Int {
    if beginning != other.beginning { return beginning < other.beginning ? -1 : 1 }
    if length > 8 && other.length > 8 {
      let order = memcmp(start + 8, other.start + 8, min(length, other.length) &- 8)
      if order != 0 { return Int(order) }
    }
    return length &- other.length
  }

  @inline(__always) static func < (a: BytesPair, b: BytesPair) -> Bool {
    let order = a.compareKey(b)
    return order < 0 || order == 0 && a.row < b.row
  }
  @inline(__always) static func == (a: BytesPair, b: BytesPair) -> Bool {
    a.row == b.row && a.compareKey(b) == 0
  }

  @inline(__always) func with(row: UInt64) -> BytesPair { BytesPair(self, row: row) }

  /// The length of the beginning that two keys share, or the limit.
  @inline(__always) func commonPrefix(_ other: BytesPair, atMost limit: Int) -> Int {
    let limit = min(limit, length, other.length)
    if limit <= 8 { return min(limit, (beginning ^ other.beginning).leadingZeroBitCount / 8) }
    if memcmp(start, other.start, limit) == 0 { return limit }
    var index = 0
    while start.load(fromByteOffset: index, as: UInt8.self)
      == other.start.load(fromByteOffset: index, as: UInt8.self)
    {
      index += 1
    }
    return index
  }

  func progress(from first: BytesPair, to last: BytesPair) -> Double {
    // The eight bytes after what all of them begin with decide.
    let shared = first.commonPrefix(last, atMost: .max)
    func integer(_ pair: BytesPair) -> IntegerPair {
      IntegerPair(key: BytesPair(pair.start + shared, max(0, pair.length - shared), row: 0).beginning, row: 0)
    }
    return self < first
      ? 0 : self < last ? integer(self).progress(from: integer(first), to: integer(last)) : 1
  }

  var isCut: Bool {
    if length > IndexFormat.longestWrittenKey { return true }
    if length <= IndexFormat.longestWrittenKey / 2 { return false }
    var written = length
    for index in 0..<length where start.load(fromByteOffset: index, as: UInt8.self) == 0 { written += 1 }
    return written > IndexFormat.longestWrittenKey
  }

  func writeBlockKey(to target: UnsafeMutableRawPointer, ordinal: UInt64) -> Int {
    var size = 0
    var isCut = false
    if length <= IndexFormat.longestWrittenKey, memchr(start, 0, length) == nil {
      target.copyMemory(from: start, byteCount: length)
      size = length
    } else {
      for index in 0..<length {
        let byte = start.load(fromByteOffset: index, as: UInt8.self)
        if size + (byte == 0 ? 2 : 1) > IndexFormat.longestWrittenKey {
          isCut = true
          break
        }
        target.storeBytes(of: byte, toByteOffset: size, as: UInt8.self)
        size += 1
        if byte == 0 {
          target.storeBytes(of: 0xFF, toByteOffset: size, as: UInt8.self)
          size += 1
        }
      }
    }
    target.storeBytes(of: 0, toByteOffset: size, as: UInt8.self)
    target.storeBytes(of: isCut ? 1 : 0, toByteOffset: size + 1, as: UInt8.self)
    target.storeBytes(of: (isCut ? ordinal : row).bigEndian, toByteOffset: size + 2, as: UInt64.self)
    return size + 10
  }
}
