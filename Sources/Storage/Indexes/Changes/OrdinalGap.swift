/// Ascending ordinals for new blocks whose first keys are the same after the cut, between those of the blocks
/// before and after them.
struct OrdinalGap {
  private static let usualStep: UInt64 = 1 << 32

  private var last: UInt64
  private let step: UInt64

  /// Finds room for `count` blocks, of which the first begins with the pair. Blocks that they replace must have
  /// been deleted.
  init<Pair: IndexPair>(
    around pair: Pair, _ kind: IndexKeyKind, _ cursor: BlockCursor, _ transaction: EntryTransaction,
    _ tree: EntryTree, count: Int
  ) throws(EntryError) {
    if let gap = try OrdinalGap(existing: pair, kind, cursor, count) {
      self = gap
      return
    }
    try OrdinalGap.spread(groupOf: pair, kind, cursor, transaction, tree)
    guard let gap = try OrdinalGap(existing: pair, kind, cursor, count) else {
      throw EntryError.keyExists  // needs as many blocks as there are ordinals
    }
    self = gap
  }

  /// Nil when there are fewer ordinals left than blocks.
  private init?<Pair: IndexPair>(
    existing pair: Pair, _ kind: IndexKeyKind, _ cursor: BlockCursor, _ count: Int
  ) throws(EntryError) {
    let hasBefore = try cursor.moveToLast(notAfter: pair, kind)
    let before = hasBefore ? cursor.ordinal(sharedWith: pair, kind) : nil
    let hasAfter = hasBefore ? try cursor.moveToNext(kind) : try cursor.moveToFirst(kind)
    let after = hasAfter ? cursor.ordinal(sharedWith: pair, kind) : nil
    let steps = UInt64(count) + 1
    switch (before, after) {
    case (nil, nil):
      step = OrdinalGap.usualStep
      last = 1 << 63
    case (let before?, nil):
      step = min(OrdinalGap.usualStep, (.max - before) / steps)
      last = before
    case (nil, let after?):
      step = min(OrdinalGap.usualStep, after / steps)
      last = after - step * steps
    case (let before?, let after?):
      step = (after - before) / steps
      last = before
    }
    if step == 0 { return nil }
  }

  mutating func next() -> UInt64 {
    last += step
    return last
  }

  /// Gives the blocks of a group new ordinals, evenly spaced.
  private static func spread<Pair: IndexPair>(
    groupOf pair: Pair, _ kind: IndexKeyKind, _ cursor: BlockCursor, _ transaction: EntryTransaction,
    _ tree: EntryTree
  ) throws(EntryError) {
    var blocks: [(key: [UInt8], value: [UInt8])] = []
    var isInGroup = try cursor.moveToGroup(of: pair, kind)
    while isInGroup {
      blocks.append((cursor.keyBytes, Array(cursor.content)))
      isInGroup = try cursor.moveToNext(kind) && cursor.ordinal(sharedWith: pair, kind) != nil
    }
    for block in blocks { try transaction.delete(tree, block.key, block.key.count) }
    let step = UInt64.max / UInt64(blocks.count + 1)
    var ordinal: UInt64 = 0
    for block in blocks {
      ordinal += step
      var key = block.key
      key.withUnsafeMutableBytes {
        $0.storeBytes(of: ordinal.bigEndian, toByteOffset: $0.count - 8, as: UInt64.self)
      }
      try transaction.store(tree, key: key, block.value)
    }
  }
}
