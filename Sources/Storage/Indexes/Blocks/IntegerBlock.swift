/// A block of integer keys, or of nulls.
///
/// Invariant: `start` points to a block in the format described in IndexFormat.swift, which stays as it is while
/// the view is used; indices are below its count.
struct IntegerBlock: IndexBlock {
  private let start: UnsafeRawPointer
  private static let headerSize = 22

  @inline(__always) init(_ start: UnsafeRawPointer) { self.start = start }

  @inline(__always) var count: Int { Int(start.loadUnaligned(as: UInt16.self)) }
  @inline(__always) var firstKey: UInt64 { start.loadUnaligned(fromByteOffset: 6, as: UInt64.self) }

  @inline(__always) private static func packing(_ start: UnsafeRawPointer, at offset: Int) -> IntegerPacking {
    IntegerPacking(rawValue: start.load(fromByteOffset: offset, as: UInt8.self)) ?? .constant
  }
  @inline(__always) private var keys: PackedIntegers {
    PackedIntegers(
      base: firstKey, packing: IntegerBlock.packing(start, at: 2), bytes: start + IntegerBlock.headerSize)
  }
  @inline(__always) private var rows: PackedIntegers {
    let keyBytes = count &* IntegerBlock.packing(start, at: 2).width
    return PackedIntegers(
      base: start.loadUnaligned(fromByteOffset: 14, as: UInt64.self),
      packing: IntegerBlock.packing(start, at: 3), bytes: start + IntegerBlock.headerSize + keyBytes)
  }

  @inline(__always) var copies: PackedIntegers {
    let width = IntegerBlock.packing(start, at: 2).width + IntegerBlock.packing(start, at: 3).width
    return PackedIntegers(
      base: 1, packing: IntegerBlock.packing(start, at: 4),
      bytes: start + IntegerBlock.headerSize + count &* width)
  }

  @inline(__always) func row(_ index: Int) -> UInt64 { rows[index] }
  func key(_ index: Int) -> IndexKey { .integer(keys[index]) }
  @inline(__always) func pair(_ index: Int, _: KeyArena) -> IntegerPair {
    IntegerPair(key: keys[index], row: rows[index])
  }

  @inline(__always) func firstIndex(ofKey key: UInt64) -> Int? {
    let count = count
    let keys = keys
    let index = keys.lowerBound(key, in: 0..<count)
    return index < count && keys[index] == key ? index : nil
  }

  func range(equalTo pair: IntegerPair) -> Range<Int> {
    let low = keys.lowerBound(pair.key, in: 0..<count)
    return low..<(pair.key == .max ? count : keys.lowerBound(pair.key + 1, in: low..<count))
  }

  func lowerBound(_ pair: IntegerPair) -> Int {
    if pair.row == 0 { return keys.lowerBound(pair.key, in: 0..<count) }
    let equal = range(equalTo: pair)
    let rows = rows
    // Rows ascend among equal keys. The smallest row of the block, from which the search starts, may belong
    // to another key, which does no harm.
    return equal.partitioningIndex { rows[$0] >= pair.row }
  }

  func append(to pairs: inout [IntegerPair], _: KeyArena) {
    let (count, first) = (count, pairs.count)
    if count == 0 { return }
    pairs.append(contentsOf: repeatElement(IntegerPair(key: 0, row: 0), count: count))
    // Column by column, so that the packing is looked at once.
    pairs.withUnsafeMutableBytes {
      let stride = MemoryLayout<IntegerPair>.stride
      let target = $0.baseAddress! + first &* stride
      keys.unpack(count, to: target + MemoryLayout<IntegerPair>.offset(of: \.key)!, stride: stride)
      rows.unpack(count, to: target + MemoryLayout<IntegerPair>.offset(of: \.row)!, stride: stride)
    }
  }

  // MARK: Writing

  struct Layout: IndexBlockLayout {
    var count: Int
    var keyPacking: IntegerPacking
    var rowPacking: IntegerPacking
    var repetitionPacking: IntegerPacking
    var smallestRow: UInt64
    @inline(__always) var width: Int { keyPacking.width + rowPacking.width + repetitionPacking.width }
    @inline(__always) var size: Int { headerSize + count * width }
  }

  static func layout(_ pairs: CountedPairs<IntegerPair>) -> Layout {
    var layout = layout(pairs, count: min(pairs.count, IndexFormat.blockCapacity))
    while layout.size > IndexFormat.blockSize {
      // Fewer pairs never need more bytes each.
      layout = self.layout(pairs, count: (IndexFormat.blockSize - headerSize) / layout.width)
    }
    return layout
  }

  private static func layout(_ counted: CountedPairs<IntegerPair>, count: Int) -> Layout {
    let pairs = counted.pairs
    let first = pairs[0]
    var rows = RowStatistics(first: first.row)
    for index in 1..<max(count, 1) { rows.add(pairs[index].row) }
    // Usually the last key shows that they are not.
    let areConsecutive =
      pairs[count - 1].key &- first.key == UInt64(count - 1)
      && (0..<count).allSatisfy { pairs[$0].key == first.key &+ UInt64($0) }
    return Layout(
      count: count,
      keyPacking: areConsecutive && count > 1
        ? .consecutive : IntegerPacking(greatest: pairs[count - 1].key - first.key),
      rowPacking: rows.packing, repetitionPacking: counted.repetitionPacking(count),
      smallestRow: rows.minimum)
  }

  static func write(
    _ counted: CountedPairs<IntegerPair>, _ layout: Layout, to target: UnsafeMutableRawPointer
  ) {
    let pairs = counted.pairs.baseAddress!
    let count = layout.count
    target.storeBytes(of: UInt16(count), as: UInt16.self)
    target.storeBytes(of: layout.keyPacking.rawValue, toByteOffset: 2, as: UInt8.self)
    target.storeBytes(of: layout.rowPacking.rawValue, toByteOffset: 3, as: UInt8.self)
    target.storeBytes(of: layout.repetitionPacking.rawValue, toByteOffset: 4, as: UInt8.self)
    target.storeBytes(of: 0, toByteOffset: 5, as: UInt8.self)
    target.storeBytes(of: pairs[0].key, toByteOffset: 6, as: UInt64.self)
    target.storeBytes(of: layout.smallestRow, toByteOffset: 14, as: UInt64.self)
    let keys = target + headerSize
    PackedIntegers.write(count, layout.keyPacking, base: pairs[0].key, to: keys) { pairs[$0].key }
    let rows = keys + count * layout.keyPacking.width
    PackedIntegers.write(count, layout.rowPacking, base: layout.smallestRow, to: rows) { pairs[$0].row }
    counted.writeRepetitions(
      count, layout.repetitionPacking, to: rows + count * layout.rowPacking.width)
  }

  var isSorted: Bool {
    let (keys, rows) = (keys, rows)
    var (key, row) = (keys[0], rows[0])
    for index in 1..<max(count, 1) {
      let (nextKey, nextRow) = (keys[index], rows[index])
      if nextKey < key || nextKey == key && nextRow <= row { return false }
      (key, row) = (nextKey, nextRow)
    }
    return true
  }

  static func fault(in bytes: UnsafeRawBufferPointer) -> String? {
    guard let start = bytes.baseAddress, bytes.count >= headerSize else { return "no header" }
    guard let keys = IntegerPacking(rawValue: bytes[2]), let rows = IntegerPacking(rawValue: bytes[3]),
      let repetitions = IntegerPacking(rawValue: bytes[4]), repetitions != .consecutive
    else { return "unknown packing" }
    let count = IntegerBlock(start).count
    if count == 0 { return "no pairs" }
    let width = keys.width + rows.width + repetitions.width
    return bytes.count == headerSize + count * width ? nil : "wrong size"
  }
}
