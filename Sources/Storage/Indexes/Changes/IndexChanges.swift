/// The pairs that a write transaction adds to an index and removes from it, until they are merged into the file.
///
/// Not safe to use from several threads. Bodies of its loops must not change it.
package final class IndexChanges {
  let nulls = PairChanges<IntegerPair>()
  let integers = PairChanges<IntegerPair>()
  /// The changes of byte keys. Reading them sorts the buffered ones in.
  var bytes: PairChanges<BytesPair> {
    if !gathered.isEmpty { sortGathered() }
    return sortedBytes
  }
  private let sortedBytes = PairChanges<BytesPair>()
  @exclusivity(unchecked) private var gathered = GatheredWords()
  private let arena = KeyArena()

  package init() {}

  /// Whether nothing is to be added or removed. Pairs that were added and removed again leave no trace.
  package var isEmpty: Bool { nulls.isEmpty && integers.isEmpty && bytes.isEmpty }

  // MARK: Changing

  /// Adds a pair; equal ones may be there already, and then both are.
  package func insert(_ key: IndexKey, row: Int) {
    switch key {
    case .null: nulls.insert(IntegerPair(key: 0, row: UInt64(row)))
    case .integer(let key): insert(integer: key, row: row)
    case .bytes(let key): key.withUnsafeBytes { insert(bytes: $0, row: row) }
    }
  }

  /// Adds a pair with an integer key. Constant time when it sorts after all others that were added.
  package func insert(integer key: UInt64, row: Int) {
    integers.insert(IntegerPair(key: key, row: UInt64(row)))
  }

  /// Adds a pair with a copy of the bytes as its key.
  package func insert(bytes key: UnsafeRawBufferPointer, row: Int) {
    let pair = BytesPair(key, row: UInt64(row))
    if !sortedBytes.removed.isEmpty && sortedBytes.removed.remove(pair) { return }
    sortedBytes.added.insert(copy(pair))
  }

  /// Adds a pair with one of many keys that many rows have, as words are: it is buffered, and sorted in when the changes are read.
  package func gather(bytes key: UnsafeRawBufferPointer, row: Int) {
    if gathered.isFull { sortGathered() }
    gathered.append(key, row: UInt64(row), arena)
  }

  @inline(never) private func sortGathered() {
    let words = gathered
    gathered = GatheredWords()
    words.forEachPair { sortedBytes.insert($0) }
  }

  /// Removes a pair, once. It must have been added, or be in the file.
  package func remove(_ key: IndexKey, row: Int) {
    switch key {
    case .null: nulls.remove(IntegerPair(key: 0, row: UInt64(row)))
    case .integer(let key): remove(integer: key, row: row)
    case .bytes(let key): key.withUnsafeBytes { remove(bytes: $0, row: row) }
    }
  }

  /// Removes a pair with an integer key, once. It must have been added, or be in the file.
  package func remove(integer key: UInt64, row: Int) {
    integers.remove(IntegerPair(key: key, row: UInt64(row)))
  }

  /// Removes a pair with these bytes as its key, once. It must have been added, or be in the file.
  package func remove(bytes key: UnsafeRawBufferPointer, row: Int) {
    // A pair that is only gathered meets its removal when it is sorted in.
    let pair = BytesPair(key, row: UInt64(row))
    if sortedBytes.added.remove(pair) { return }
    sortedBytes.removed.insert(copy(pair))
  }

  private func copy(_ pair: BytesPair) -> BytesPair {
    BytesPair(arena.copy(pair.start, pair.length), pair.length, row: pair.row)
  }

  // MARK: Looking up

  /// The smallest row with the key, the changes taken into account.
  package func firstRow(equalTo key: IndexKey, base: IndexReader?) -> Int? {
    switch key {
    case .null: firstRow(nulls, IntegerPair(key: 0, row: 0), .null, base) { base?.firstRow(equalTo: .null) }
    case .integer(let key): firstRow(integer: key, base: base)
    case .bytes(let bytes): bytes.withUnsafeBytes { firstRow(bytes: $0, base: base) }
    }
  }

  /// The smallest row with the integer key, the changes taken into account.
  package func firstRow(integer key: UInt64, base: IndexReader?) -> Int? {
    firstRow(integers, IntegerPair(key: key, row: 0), .integer, base) { base?.firstRow(integer: key) }
  }

  /// The smallest row with the key of these bytes, the changes taken into account.
  package func firstRow(bytes key: UnsafeRawBufferPointer, base: IndexReader?) -> Int? {
    firstRow(bytes, BytesPair(key, row: 0), .bytes, base) { base?.firstRow(bytes: key) }
  }

  @inline(__always)
  private func firstRow<Pair: IndexPair>(
    _ changes: PairChanges<Pair>, _ pair: Pair, _ kind: IndexKeyKind, _ base: IndexReader?,
    _ stored: () -> Int?
  ) -> Int? {
    let added = changes.added.endsBefore(pair) ? nil : changes.firstAddedRow(pair)
    let remaining =
      changes.removed.isEmpty || !changes.removes(keyOf: pair)
      ? stored() : firstRemainingRow(changes, pair, kind, base)
    guard let added else { return remaining }
    return remaining.map { min($0, added) } ?? added
  }

  /// The smallest stored row with the pair's key that is not removed.
  private func firstRemainingRow<Pair: IndexPair>(
    _ changes: PairChanges<Pair>, _ pair: Pair, _ kind: IndexKeyKind, _ base: IndexReader?
  ) -> Int? {
    var first: Int?
    let region = IndexReader.Region(kind: kind, lower: pair, upper: pair.with(row: .max))
    _ = changes.scanRemaining(region, base, ascending: true) { row in
      first = Int(row)
      return false
    }
    return first
  }

  /// Calls the body with the rows that have the key, ascending, as often as each is there, until it returns
  /// false; the changes taken into account.
  package func forEachRow(equalTo key: IndexKey, base: IndexReader?, _ body: (Int) -> Bool) {
    let hasChanges =
      switch key {
      case .null: !nulls.isEmpty
      case .integer(let key): integers.touches(keyOf: IntegerPair(key: key, row: 0))
      case .bytes(let key): key.withUnsafeBytes { bytes.touches(keyOf: BytesPair($0, row: 0)) }
      }
    if hasChanges {
      forEachRow(in: .equal(to: key), base: base, body)
    } else {
      base?.forEachRow(equalTo: key, body)
    }
  }

  /// Calls the body with the rows of the pairs in the range, ordered by key and row, until it returns false;
  /// the changes taken into account.
  package func forEachRow(
    in range: IndexRange, base: IndexReader?, ascending: Bool = true, _ body: (Int) -> Bool
  ) {
    IndexReader.forEachKind(of: range, ascending) { region in
      (region.kind == .null ? nulls : integers).scan(region, base, ascending: ascending) { body(Int($0.row)) }
    } bytes: { region in
      bytes.scan(region, base, ascending: ascending) { body(Int($0.row)) }
    }
  }

  /// The integer keys below a limit whose pairs are others than before.
  func changedKeys(below limit: Int) -> IndexRanges {
    integers.added.keys(below: limit).union(integers.removed.keys(below: limit))
  }

  // MARK: Merging

  /// Applies the changes to the index's blocks.
  ///
  /// Reads and writes only the blocks that the changes touch. Leaves the changes as they are: merging them
  /// twice would apply them twice.
  func merge(
    into transaction: EntryTransaction, tree: EntryTree, index: UInt32
  ) throws(EntryError) {
    try merge(into: transaction, tree: tree, index: index, verifier: nil)
  }

  /// - Parameter verifier: Verifies each block that is read.
  func merge(
    into transaction: EntryTransaction, tree: EntryTree, index: UInt32, verifier: (any BlockVerifier)?
  ) throws(EntryError) {
    if isEmpty { return }
    let cursor = try BlockCursor(
      transaction: transaction, tree: tree, index: index, verifier: verifier)
    defer { cursor.close() }
    for (kind, changes) in [(IndexKeyKind.null, nulls), (.integer, integers)] where !changes.isEmpty {
      var merge = IndexMerge(changes, kind, cursor, transaction, tree)
      try merge.run()
    }
    if !bytes.isEmpty {
      var merge = IndexMerge(bytes, .bytes, cursor, transaction, tree)
      try merge.run()
    }
  }
}
