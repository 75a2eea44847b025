import TestSupport
import Testing

@testable import Storage

/// Blocks are read back as they were written, whatever the widths.
struct IndexBlockTests {
  private func roundTrip<Pair: IndexPair>(
    _ pairs: [Pair], counts: [UInt32]? = nil
  ) throws -> (layout: Pair.Block.Layout, read: [Pair]) {
    let arena = KeyArena()
    let copy = counts ?? []
    let (layout, memory) = pairs.withUnsafeBufferPointer { pairs in
      copy.withUnsafeBufferPointer { copy in
        let counted = CountedPairs(pairs: pairs, counts: counts == nil ? nil : copy)
        let layout = Pair.Block.layout(counted)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.size, alignment: 1)
        Pair.Block.write(counted, layout, to: memory.baseAddress!)
        return (layout, memory)
      }
    }
    defer { memory.deallocate() }
    #expect(Pair.Block.fault(in: UnsafeRawBufferPointer(memory)) == nil)
    let block = Pair.Block(memory.baseAddress!)
    var read: [Pair] = []
    block.append(to: &read, arena)
    #expect(read == Array(pairs.prefix(layout.count)))
    // Behind others.
    block.append(to: &read, arena)
    #expect(read.count == 2 * layout.count && read.suffix(layout.count) == pairs.prefix(layout.count))
    read.removeLast(layout.count)
    for index in 0..<block.count {
      #expect(block.pair(index, arena) == pairs[index])
      #expect(block.row(index) == pairs[index].row)
      #expect(block.range(equalTo: pairs[index]).contains(index))
      let lowerBound = block.lowerBound(pairs[index])
      #expect(lowerBound <= index && pairs[lowerBound] == pairs[index])
      #expect(lowerBound == 0 || pairs[lowerBound - 1] < pairs[index])
    }
    #expect(block.startsAfter(pairs[0]) == false)
    #expect(block.lowerBound(pairs[layout.count - 1].with(row: .max)) == block.count)
    #expect(
      (0..<block.count).map { UInt32(block.copies[$0]) } == counts ?? Array(repeating: 1, count: block.count))
    // Damage is noticed, not followed.
    for cut in 0..<layout.size {
      #expect(Pair.Block.fault(in: UnsafeRawBufferPointer(memory)[..<cut].rebased) != nil)
    }
    // Equality of byte pairs needs the arena until here.
    return withExtendedLifetime(arena) { (layout, read) }
  }

  @Test(
    arguments: [
      (0, IntegerPacking.constant), (200, .one), (40_000, .two), (1 << 30, .four), (1 << 40, .eight),
    ] as [(UInt64, IntegerPacking)])
  func integerWidths(_ greatest: UInt64, _ packing: IntegerPacking) throws {
    for base: UInt64 in [0, 5, 1 << 63, UInt64.max - greatest] {
      let numbers = (0..<100).map { base + greatest / 99 * UInt64($0) }
      let byKey = try roundTrip(numbers.map { IntegerPair(key: $0, row: 3) })
      #expect(byKey.layout.keyPacking == packing)
      #expect(byKey.layout.rowPacking == .constant)
      let rows = numbers.map { $0 & .max >> 1 }.sorted()
      let byRow = try roundTrip(rows.map { IntegerPair(key: 9, row: $0) })
      #expect(byRow.layout.keyPacking == .constant)
      #expect(byRow.layout.rowPacking == packing)
      // Rows that do not ascend with the keys, and repeated keys.
      let mixed = try roundTrip(
        numbers.enumerated().map { IntegerPair(key: $1, row: UInt64(($0 * 37) % 100)) }.sorted())
      #expect(mixed.layout.count == 100)
    }
  }

  @Test func widthsAtTheirLimits() {
    let limits: [(UInt64, IntegerPacking)] = [
      (0, .constant), (1, .one), (0xFF, .one), (0x100, .two), (0xFFFF, .two), (0x1_0000, .four),
      (0xFFFF_FFFF, .four), (0x1_0000_0000, .eight), (.max, .eight),
    ]
    for (greatest, packing) in limits { #expect(IntegerPacking(greatest: greatest) == packing) }
  }

  @Test func consecutiveNumbersTakeNoSpace() throws {
    let pairs = (0..<1_007).map { IntegerPair(key: 1 << 63 + UInt64($0), row: 77 + UInt64($0)) }
    let (layout, _) = try roundTrip(pairs)
    #expect(layout.count == 1_007)
    #expect(layout.size == 22)
    // From 1 to 4 in four steps, but not one by one.
    let (repeated, _) = try roundTrip([1, 1, 3, 4].map { IntegerPair(key: $0, row: 1) })
    #expect(repeated.keyPacking == .one)
    // From 3 to 6, but not in order.
    let (shuffled, _) = try roundTrip(
      [3, 5, 4, 6].enumerated().map { IntegerPair(key: UInt64($0), row: $1) })
    #expect(shuffled.rowPacking == .one)
  }

  @Test(arguments: [1, 2, 256, 257, 70_000, .max] as [UInt32])
  func repeatedPairs(_ most: UInt32) throws {
    let arena = KeyArena()
    let counts = (0..<100).map { $0 % 7 == 3 ? most : 1 }
    _ = try roundTrip((0..<100).map { IntegerPair(key: $0 / 3, row: $0) }, counts: counts)
    _ = try roundTrip(
      bytesPairs((0..<100).map { ("key \(100 + $0 / 3)", UInt64($0)) }, arena), counts: counts)
    withExtendedLifetime(arena) {}
  }

  @Test func widePairsFillAPage() throws {
    let pairs = (0..<1_000).map { IntegerPair(key: UInt64($0) << 50, row: UInt64($0 * 7_919 % 1_000) << 40) }
    let (layout, _) = try roundTrip(pairs)
    #expect(layout.count == (4_050 - 22) / 16)
  }

  private func bytesPairs(_ keys: [(String, UInt64)], _ arena: KeyArena) -> [BytesPair] {
    keys.map { key, row in
      let bytes = Array(key.utf8)
      return BytesPair(arena.copy(bytes, bytes.count), bytes.count, row: row)
    }
  }

  @Test func bytes() throws {
    let arena = KeyArena()
    let suffixes = ["", "\0", "\0\0", "a", "a\0", "ab", "abc", "abcdefgh", "abcdefghi", "b", "\u{10FFFF}"]
    for prefix in ["", "x", "a prefix of some length "] {
      for repetition in 1...3 {
        let keys = suffixes.flatMap { suffix in (0..<repetition).map { (prefix + suffix, UInt64($0 * 1_000)) }
        }
        let (layout, _) = try roundTrip(bytesPairs(keys, arena))
        #expect(layout.count == keys.count)
        #expect(layout.keyCount == suffixes.count)
        #expect(layout.prefixLength == prefix.utf8.count)
      }
    }
    // One key only, and keys of one length.
    let (single, _) = try roundTrip(bytesPairs((0..<50).map { ("only one", UInt64($0)) }, arena))
    #expect(single.size == 24 + 8 + 2)
    let (equal, _) = try roundTrip(bytesPairs(["key1", "key2", "key7"].map { ($0, 5) }, arena))
    #expect(equal.endSize == 0 && equal.size == 24 + 3 + 3)
    // More than 64 KiB in one key, alone in its block.
    let long = String(repeating: "long", count: 20_000)
    let (first, _) = try roundTrip(bytesPairs([(long, 1), (long + "!", 1)], arena))
    #expect(first.count == 1)
    withExtendedLifetime(arena) {}
  }

  @Test func keysKeepTheirOrder() {
    let integers: [Int64] = [.min, -2, -1, 0, 1, .max]
    #expect(integers.map { IndexKey($0) } == integers.map { IndexKey($0) }.sorted())
    let doubles: [Double] = [
      .nan, -.infinity, -1e300, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1, 1e300, .infinity,
    ]
    let keys = doubles.map { IndexKey($0) }
    #expect(keys == keys.sorted())
    #expect(Set(keys).count == keys.count)
    #expect(IndexKey(-0.0) == IndexKey(0.0))
    #expect(IndexKey(Float(1.5)) == IndexKey(1.5))
    #expect(IndexKey.null < IndexKey(false))
    #expect(IndexKey(false) < IndexKey(true))
    #expect(IndexKey(true) < IndexKey(""))
    #expect(IndexKey("a") < IndexKey("a\0"))
    #expect(IndexKey("z") < IndexKey("ä"))
    #expect(IndexKey(Fixed12(high: 1, low: 2)) < IndexKey(Fixed12(high: 1, low: 3)))
    #expect(IndexKey(Fixed16(high: 1, low: 2)) < IndexKey(Fixed16(high: 1 << 8, low: 0)))
  }

  /// The keys of blocks sort as the pairs do, apart from keys that are cut.
  @Test func blockKeysKeepTheOrder() {
    let seed = UInt64.random(in: 0 ... .max)
    print("block key test, seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let arena = KeyArena()
    let buffer = BlockKeyBuffer()
    var pairs: [(BytesPair, [UInt8])] = []
    for _ in 0..<2_000 {
      let common = [UInt8](
        repeating: UInt8.random(in: 0...1, using: &generator),
        count: [0, 246, 480].randomElement(using: &generator)!)
      let rest = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
        [0, 0, 1, 255].randomElement(using: &generator)! as UInt8
      }
      let key = common + rest
      let pair = BytesPair(
        arena.copy(key, key.count), key.count, row: .random(in: 0..<1 << 40, using: &generator))
      let size = buffer.write(pair, 1, .bytes, ordinal: 5)
      #expect(size <= IndexFormat.longestBlockKey)
      pairs.append((pair, Array(UnsafeRawBufferPointer(start: buffer.bytes, count: size))))
    }
    pairs.sort { $0.0 < $1.0 }
    for ((a, keyOfA), (b, keyOfB)) in zip(pairs, pairs.dropFirst()) where a < b {
      let areSame = keyOfA == keyOfB
      #expect(areSame ? a.isCut && b.isCut : keyOfA.lexicographicallyPrecedes(keyOfB))
    }
    #expect(pairs.contains { $0.0.isCut } && pairs.contains { !$0.0.isCut })
    withExtendedLifetime(arena) {}
  }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate var rebased: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self) }
}
