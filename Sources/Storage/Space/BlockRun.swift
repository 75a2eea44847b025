import LibC

/// Neighbouring blocks of one index, of one kind of keys, whose pairs are put into full blocks again.
///
/// Each block is divided in two when it runs full, so that an index that grows at random is two thirds full.
struct BlockRun<Pair: IndexPair> {
  /// So many pairs are kept at a time; what follows begins a block of its own.
  private static var limit: Int { 64 * IndexFormat.blockCapacity }

  private let index: UInt32
  private let kind: IndexKeyKind
  private let arena = KeyArena()
  private let blockKey = BlockKeyBuffer()
  /// Whether blocks that are kept apart can have the keys that they had.
  let keepsKeys: Bool
  /// The ordinal of the next block whose key needs one: higher than those of all blocks before it.
  private var ordinal: UInt64 = 1 << 62
  private static var ordinalStep: UInt64 { 1 << 32 }
  private var pairs: [Pair] = []
  /// How often each is there; empty when all are there once.
  private var counts: [UInt32] = []

  init(_ index: UInt32, _ kind: IndexKeyKind, keepsKeys: Bool) {
    self.index = index
    self.kind = kind
    self.keepsKeys = keepsKeys
  }

  var isEmpty: Bool { pairs.isEmpty }
  var isFull: Bool { pairs.count >= Self.limit }

  /// What an attempt to add a block has come to.
  enum Addition {
    case added
    /// Blocks of which only the beginning of the first pair is in the key have to stay as they are.
    case keptApart
    case damaged(String)
  }

  /// Adds the block that follows.
  mutating func add(_ stored: UnsafeRawBufferPointer) -> Addition {
    if let fault = Pair.Block.fault(in: stored) { return .damaged(fault) }
    let block = Pair.Block(stored.baseAddress!)
    if !block.isSorted { return .damaged("a block is not sorted") }
    let former = pairs.count
    block.append(to: &pairs, arena)
    if former > 0, !(pairs[former - 1] < pairs[former]) {
      pairs.removeSubrange(former...)
      return .damaged("its blocks are not sorted")
    }
    if pairs[former...].contains(where: \.isCut) {
      pairs.removeSubrange(former...)
      return .keptApart
    }
    let copies = block.copies
    if copies.packing != .constant || !counts.isEmpty {
      counts += Array(repeating: 1, count: former - counts.count)
      counts += (0..<block.count).map { copies.packing == .constant ? 1 : UInt32(copies[$0]) }
    }
    return .added
  }

  /// Passes on full blocks of all pairs, and the rest in a last one; then there are none.
  mutating func flush<Failure: Error>(
    _ write: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    while start < pairs.count {
      let (block, count) = block(from: start)
      let key = nextKey(pairs[start])
      try block.withUnsafeBufferPointer { (block) throws(Failure) in
        try write(key, UnsafeRawBufferPointer(block))
      }
      start += count
    }
    pairs.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
    arena.removeAll()
  }

  private mutating func nextKey(_ first: Pair) -> UnsafeRawBufferPointer {
    ordinal += Self.ordinalStep
    let size = blockKey.write(first, index, kind, ordinal: ordinal)
    return UnsafeRawBufferPointer(start: blockKey.bytes, count: size)
  }

  /// Passes on a block that stays as it is.
  mutating func write<Failure: Error>(
    apart value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer,
    _ write: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    if keepsKeys { return try write(key, value) }
    try write(nextKey(Pair.Block(value.baseAddress!).pair(0, arena)), value)
  }

  private func block(from start: Int) -> ([UInt8], count: Int) {
    pairs.withUnsafeBufferPointer { pairs in
      counts.withUnsafeBufferPointer { counts in
        let all = CountedPairs(pairs: pairs, counts: counts.isEmpty ? nil : counts)[start..<pairs.count]
        let layout = Pair.Block.layout(all)
        let bytes = [UInt8](unsafeUninitializedCapacity: layout.size) { buffer, filled in
          Pair.Block.write(all, layout, to: UnsafeMutableRawPointer(buffer.baseAddress!))
          filled = layout.size
        }
        return (bytes, layout.count)
      }
    }
  }
}
