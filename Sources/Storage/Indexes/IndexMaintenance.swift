/// What an examination of an index found.
package struct IndexVerification: Hashable, Sendable {
  package var pairs = 0
  package var blocks = 0
  /// The size of all blocks with their keys, without what the file needs besides.
  package var bytes = 0
  /// What is wrong, in words; empty for a sound index.
  package var problems: [String] = []
}

extension IndexReader {
  /// Reads the whole index and checks it: that blocks are well-formed, sorted and under the right keys.
  package func verify() -> IndexVerification {
    var result = IndexVerification()
    verify(IntegerPair.self, .null, &result)
    verify(IntegerPair.self, .integer, &result)
    verify(BytesPair.self, .bytes, &result)
    return result
  }

  private func verify<Pair: IndexPair>(
    _: Pair.Type, _ kind: IndexKeyKind, _ result: inout IndexVerification
  ) {
    let expected = BlockKeyBuffer()
    var arenas = (KeyArena(), KeyArena())
    var last: Pair?
    var hasBlock = stopOnError { () throws(EntryError) in try blocks.moveToFirst(kind) }
    while hasBlock {
      let number = result.blocks
      let value = blocks.content
      let key = blocks.keyBytes
      result.blocks += 1
      result.bytes += value.count + key.count
      if let fault = Pair.Block.fault(in: value) {
        result.problems.append("block \(number): \(fault)")
      } else {
        let block = Pair.Block(value.baseAddress!)
        var pairs: [Pair] = []
        arenas = (arenas.1, arenas.0)  // the last pair of the block before stays
        arenas.0.removeAll()
        block.append(to: &pairs, arenas.0)
        if pairs.count != block.count { result.problems.append("block \(number): wrong number of pairs") }
        result.pairs += block.total(0..<pairs.count)
        let ordinal = key.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        if !expected.equals(key, expected.write(pairs[0], blocks.index, kind, ordinal: ordinal)) {
          result.problems.append("block \(number): the key is not that of its first pair")
        }
        for pair in pairs {
          if let last, !(last < pair) { result.problems.append("block \(number): not in order") }
          last = pair
        }
        if kind == .null && pairs.contains(where: { $0.with(row: 0) != pairs[0].with(row: 0) }) {
          result.problems.append("block \(number): different nulls")
        }
      }
      hasBlock = stopOnError { () throws(EntryError) in try blocks.moveToNext(kind) }
    }
  }
}

extension IndexChanges {
  /// Deletes all blocks of an index from the file.
  static func dropIndex(
    _ index: UInt32, in transaction: EntryTransaction, tree: EntryTree
  ) throws(EntryError) {
    let cursor = try BlockCursor(transaction: transaction, tree: tree, index: index)
    defer { cursor.close() }
    for kind in IndexKeyKind.allCases {
      while try cursor.moveToFirst(kind) { try cursor.delete() }
    }
  }
}
