import LibC

/// A block of byte keys.
///
/// Invariant: `start` points to a block in the format described in IndexFormat.swift, which stays as it is while
/// the view is used; indices are below its count.
struct BytesBlock: IndexBlock {
  private let start: UnsafeRawPointer
  private static let headerSize = 24

  @inline(__always) init(_ start: UnsafeRawPointer) { self.start = start }

  @inline(__always) var count: Int { Int(start.loadUnaligned(as: UInt16.self)) }
  @inline(__always) private var keyCount: Int {
    Int(start.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
  }
  @inline(__always) private var endSize: Int { Int(start.load(fromByteOffset: 4, as: UInt8.self)) }
  @inline(__always) private var rowPacking: IntegerPacking {
    IntegerPacking(rawValue: start.load(fromByteOffset: 5, as: UInt8.self)) ?? .constant
  }
  @inline(__always) private var prefixLength: Int {
    Int(start.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
  }
  @inline(__always) private var suffixLength: Int {
    Int(start.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
  }
  @inline(__always) private var prefix: UnsafeRawPointer { start + BytesBlock.headerSize }
  @inline(__always) private var keyEnds: UnsafeRawPointer { prefix + prefixLength }
  @inline(__always) private var pairEnds: UnsafeRawPointer { keyEnds + keyCount &* endSize }
  @inline(__always) private var rowBytes: UnsafeRawPointer {
    pairEnds + (keyCount == count ? 0 : keyCount &* 2)
  }
  @inline(__always) private var rows: PackedIntegers {
    PackedIntegers(
      base: start.loadUnaligned(fromByteOffset: 16, as: UInt64.self), packing: rowPacking, bytes: rowBytes)
  }
  @inline(__always) private var repetitionPacking: IntegerPacking {
    IntegerPacking(rawValue: start.load(fromByteOffset: 6, as: UInt8.self)) ?? .constant
  }
  @inline(__always) var copies: PackedIntegers {
    PackedIntegers(base: 1, packing: repetitionPacking, bytes: rowBytes + count &* rowPacking.width)
  }
  @inline(__always) private var suffixes: UnsafeRawPointer {
    rowBytes + count &* (rowPacking.width &+ repetitionPacking.width)
  }

  /// Where the distinct keys' suffixes are.
  private struct Suffixes {
    let bytes: UnsafeRawPointer
    let ends: UnsafeRawPointer
    let endSize: Int
    let length: Int

    @inline(__always) func end(_ key: Int) -> Int {
      switch endSize {
      case 0: (key &+ 1) &* length
      case 2: Int(ends.loadUnaligned(fromByteOffset: key &* 2, as: UInt16.self))
      default: Int(ends.loadUnaligned(fromByteOffset: key &* 4, as: UInt32.self))
      }
    }
    @inline(__always) subscript(key: Int) -> UnsafeRawBufferPointer {
      let begin = key == 0 ? 0 : end(key &- 1)
      return UnsafeRawBufferPointer(start: bytes + begin, count: end(key) &- begin)
    }
  }
  @inline(__always) private var suffix: Suffixes {
    Suffixes(bytes: suffixes, ends: keyEnds, endSize: endSize, length: suffixLength)
  }

  /// The index of the first pair of a distinct key; `count` for the number of keys.
  @inline(__always) private func firstPair(_ key: Int) -> Int {
    if key == 0 || keyCount == count { return key }
    return Int(pairEnds.loadUnaligned(fromByteOffset: (key &- 1) &* 2, as: UInt16.self))
  }

  /// The distinct key that a pair has.
  private func key(ofPair index: Int) -> Int {
    if keyCount == count { return index }
    return (0..<keyCount).partitioningIndex { firstPair($0 + 1) > index }
  }

  /// The first distinct key that is not before the given one, and whether it equals that.
  private func find(_ pair: BytesPair) -> (key: Int, isEqual: Bool) {
    let prefixLength = prefixLength
    let order = memcmp(pair.start, prefix, min(prefixLength, pair.length))
    if order > 0 { return (keyCount, false) }
    if order < 0 || pair.length < prefixLength { return (0, false) }
    let wanted = pair.start + prefixLength
    let length = pair.length - prefixLength
    let suffix = suffix
    // By hand, so that it ends where it meets the key, without comparing it once more.
    var low = 0
    var high = keyCount
    while low < high {
      let middle = (low &+ high) &>> 1
      let bytes = suffix[middle]
      var order = Int(memcmp(bytes.baseAddress!, wanted, min(length, bytes.count)))
      if order == 0 { order = bytes.count - length }
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle &+ 1 } else { high = middle }
    }
    return (low, false)
  }

  @inline(__always) func row(_ index: Int) -> UInt64 { rows[index] }

  func key(_ index: Int) -> IndexKey {
    let prefix = UnsafeRawBufferPointer(start: prefix, count: prefixLength)
    return .bytes(Array(prefix) + suffix[key(ofPair: index)])
  }

  func pair(_ index: Int, _ arena: KeyArena) -> BytesPair {
    let suffix = suffix[key(ofPair: index)]
    let length = prefixLength + suffix.count
    return BytesPair(copy(suffix, arena), length, row: row(index))
  }

  private func copy(_ suffix: UnsafeRawBufferPointer, _ arena: KeyArena) -> UnsafeRawPointer {
    let prefixLength = prefixLength
    let bytes = arena.allocate(prefixLength + suffix.count)
    bytes.copyMemory(from: prefix, byteCount: prefixLength)
    if suffix.count > 0 {
      (bytes + prefixLength).copyMemory(from: suffix.baseAddress!, byteCount: suffix.count)
    }
    return UnsafeRawPointer(bytes)
  }

  func range(equalTo pair: BytesPair) -> Range<Int> {
    let (key, isEqual) = find(pair)
    let first = firstPair(key)
    return first..<(isEqual ? firstPair(key + 1) : first)
  }

  func lowerBound(_ pair: BytesPair) -> Int {
    let equal = range(equalTo: pair)
    if pair.row == 0 { return equal.lowerBound }
    let rows = rows
    return equal.partitioningIndex { rows[$0] >= pair.row }
  }

  func append(to pairs: inout [BytesPair], _ arena: KeyArena) {
    let rows = rows
    let suffix = suffix
    pairs.reserveCapacity(pairs.count + count)
    var index = 0
    for key in 0..<keyCount {
      let suffix = suffix[key]
      let pair = BytesPair(copy(suffix, arena), prefixLength + suffix.count, row: 0)
      let end = firstPair(key + 1)
      while index < end {
        pairs.append(pair.with(row: rows[index]))
        index += 1
      }
    }
  }

  // MARK: Writing

  struct Layout: IndexBlockLayout {
    var count: Int
    var keyCount = 1
    var prefixLength: Int
    /// Of all distinct keys together, with their prefixes.
    var keyBytes: Int
    var commonLength: Int?
    var rowPacking = IntegerPacking.constant
    var repetitionPacking: IntegerPacking
    var smallestRow: UInt64

    var suffixBytes: Int { keyBytes - keyCount * prefixLength }
    var endSize: Int { commonLength != nil ? 0 : suffixBytes <= 0xFFFF ? 2 : 4 }
    var pairEndSize: Int { keyCount == count ? 0 : 2 }
    var size: Int {
      headerSize + prefixLength + keyCount * (endSize + pairEndSize)
        + count * (rowPacking.width + repetitionPacking.width) + suffixBytes
    }
  }

  static func layout(_ counted: CountedPairs<BytesPair>) -> Layout {
    let pairs = counted.pairs
    let first = pairs[0]
    var rows = RowStatistics(first: first.row)
    var layout = Layout(
      count: 1, prefixLength: first.length, keyBytes: first.length, commonLength: first.length,
      repetitionPacking: counted.repetitionPacking(1), smallestRow: first.row)
    for index in 1..<max(1, min(pairs.count, IndexFormat.blockCapacity)) {
      let pair = pairs[index]
      var next = layout
      next.count += 1
      if pair.compareKey(pairs[index - 1]) != 0 {
        next.keyCount += 1
        next.keyBytes += pair.length
        if next.commonLength != pair.length { next.commonLength = nil }
        next.prefixLength = pair.commonPrefix(first, atMost: next.prefixLength)
      }
      var nextRows = rows
      nextRows.add(pair.row)
      next.rowPacking = nextRows.packing
      next.smallestRow = nextRows.minimum
      if let counts = counted.counts {
        let packing = IntegerPacking(greatest: UInt64(counts[index] - 1))
        if packing.width > next.repetitionPacking.width { next.repetitionPacking = packing }
      }
      if next.size > IndexFormat.blockSize { break }
      layout = next
      rows = nextRows
    }
    return layout
  }

  static func write(
    _ counted: CountedPairs<BytesPair>, _ layout: Layout, to target: UnsafeMutableRawPointer
  ) {
    let pairs = counted.pairs.baseAddress!
    let count = layout.count
    let keyCount = layout.keyCount
    let prefixLength = layout.prefixLength
    let endSize = layout.endSize
    target.storeBytes(of: UInt16(count), as: UInt16.self)
    target.storeBytes(of: UInt16(keyCount), toByteOffset: 2, as: UInt16.self)
    target.storeBytes(of: UInt8(endSize), toByteOffset: 4, as: UInt8.self)
    target.storeBytes(of: layout.rowPacking.rawValue, toByteOffset: 5, as: UInt8.self)
    target.storeBytes(of: layout.repetitionPacking.rawValue, toByteOffset: 6, as: UInt8.self)
    target.storeBytes(of: 0, toByteOffset: 7, as: UInt8.self)
    target.storeBytes(of: UInt32(prefixLength), toByteOffset: 8, as: UInt32.self)
    target.storeBytes(
      of: UInt32(layout.commonLength.map { $0 - prefixLength } ?? 0), toByteOffset: 12, as: UInt32.self)
    target.storeBytes(of: layout.smallestRow, toByteOffset: 16, as: UInt64.self)
    (target + headerSize).copyMemory(from: pairs[0].start, byteCount: prefixLength)
    let keyEnds = target + headerSize + prefixLength
    let pairEnds = keyEnds + keyCount * endSize
    let rowBytes = pairEnds + keyCount * layout.pairEndSize
    PackedIntegers.write(count, layout.rowPacking, base: layout.smallestRow, to: rowBytes) { pairs[$0].row }
    let repetitions = rowBytes + count * layout.rowPacking.width
    counted.writeRepetitions(count, layout.repetitionPacking, to: repetitions)
    let suffixes = repetitions + count * layout.repetitionPacking.width
    var used = 0
    var key = 0
    for index in 0..<count {
      let pair = pairs[index]
      if index + 1 < count && pair.compareKey(pairs[index + 1]) == 0 { continue }
      (suffixes + used).copyMemory(from: pair.start + prefixLength, byteCount: pair.length - prefixLength)
      used += pair.length - prefixLength
      if endSize == 2 {
        keyEnds.storeBytes(of: UInt16(used), toByteOffset: key * 2, as: UInt16.self)
      } else if endSize == 4 {
        keyEnds.storeBytes(of: UInt32(used), toByteOffset: key * 4, as: UInt32.self)
      }
      if keyCount != count {
        pairEnds.storeBytes(of: UInt16(index + 1), toByteOffset: key * 2, as: UInt16.self)
      }
      key += 1
    }
  }

  var isSorted: Bool {
    let (suffix, rows) = (suffix, rows)
    for key in 0..<keyCount {
      if key > 0 {
        let (before, bytes) = (suffix[key - 1], suffix[key])
        let order = memcmp(before.baseAddress!, bytes.baseAddress!, min(before.count, bytes.count))
        if order > 0 || order == 0 && before.count >= bytes.count { return false }
      }
      for index in firstPair(key) + 1..<max(firstPair(key + 1), firstPair(key) + 1)
      where rows[index] <= rows[index - 1] { return false }
    }
    return true
  }

  static func fault(in bytes: UnsafeRawBufferPointer) -> String? {
    guard let start = bytes.baseAddress, bytes.count >= headerSize else { return "no header" }
    guard IntegerPacking(rawValue: bytes[5]) != nil, let repetitions = IntegerPacking(rawValue: bytes[6]),
      repetitions != .consecutive
    else { return "unknown packing" }
    let block = BytesBlock(start)
    let count = block.count
    let keyCount = block.keyCount
    guard keyCount > 0, keyCount <= count else { return "wrong number of keys" }
    guard [0, 2, 4].contains(block.endSize) else { return "unknown size of suffix ends" }
    let suffixes = block.suffixes - start
    guard suffixes <= bytes.count else { return "wrong size" }
    var last = 0
    for key in 0..<keyCount {
      let end = block.suffix.end(key)
      guard end >= last, suffixes + end <= bytes.count else { return "suffixes outside the block" }
      last = end
      let pairs = block.firstPair(key)..<max(block.firstPair(key), block.firstPair(key + 1))
      guard !pairs.isEmpty, pairs.upperBound <= count else { return "wrong number of pairs of a key" }
    }
    guard block.firstPair(keyCount) == count else { return "wrong number of pairs" }
    return suffixes + last == bytes.count ? nil : "wrong size"
  }
}
