/// Reads one index in one version of the file.
///
/// Belongs to a read transaction, which must be alive while the reader is used (not when it is freed). For one
/// thread at a time. The bodies of its loops may use the same reader.
package final class IndexReader {
  let blocks: BlockCursor

  /// The integer block found last: it alone holds the keys from above `lower` through `upper`. No block at all
  /// holds them when it is nil.
  @exclusivity(unchecked) private var lastBlock: IntegerBlock?
  @exclusivity(unchecked) private var lower = UInt64.max
  @exclusivity(unchecked) private var upper = UInt64.min

  @exclusivity(unchecked) private var knownEmptiness: Bool?

  @exclusivity(unchecked) private var integerDirectory: BlockDirectory<IntegerPair>? {
    didSet { quickDirectory = integerDirectory.map { .passUnretained($0) } }
  }
  /// Unretained copy of the directory, for paths where reference counting dominates.
  @exclusivity(unchecked) private var quickDirectory: Unmanaged<BlockDirectory<IntegerPair>>?
  @exclusivity(unchecked) private var integerPolicy = DirectoryPolicy()
  @exclusivity(unchecked) private var bytesDirectory: BlockDirectory<BytesPair>?
  @exclusivity(unchecked) private var bytesPolicy = DirectoryPolicy()

  /// Stops the program when there is no memory for a cursor or the transaction is not valid.
  convenience init(transaction: EntryTransaction, tree: EntryTree, index: UInt32) {
    self.init(transaction: transaction, tree: tree, index: index, verifier: nil)
  }

  /// - Parameter verifier: Verifies each block when it is first touched, and outlives the reader.
  init(
    transaction: EntryTransaction, tree: EntryTree, index: UInt32, verifier: (any BlockVerifier)?
  ) {
    do {
      blocks = try BlockCursor(
        transaction: transaction, tree: tree, index: index, verifier: verifier)
    } catch {
      stopDamaged(transaction, error.fault)
    }
  }

  /// Moves on to another version, without the cost of a new reader.
  func renew(transaction: EntryTransaction) {
    lastBlock = nil
    lower = .max
    upper = .min
    knownEmptiness = nil
    integerDirectory = nil
    integerPolicy = DirectoryPolicy()
    bytesDirectory = nil
    bytesPolicy = DirectoryPolicy()
    stopOnError { () throws(EntryError) in try blocks.renew(transaction: transaction) }
  }

  /// Whether nothing is in the index.
  package var isEmpty: Bool {
    if let knownEmptiness { return knownEmptiness }
    let isEmpty = stopOnError { () throws(EntryError) in
      for kind in IndexKeyKind.allCases where try blocks.moveToFirst(kind) { return false }
      return true
    }
    knownEmptiness = isEmpty
    return isEmpty
  }

  // MARK: One key

  /// The smallest row with the key.
  package func firstRow(equalTo key: IndexKey) -> Int? {
    switch key {
    case .null: firstRow(IntegerPair(key: 0, row: 0), .null)
    case .integer(let key): firstRow(integer: key)
    case .bytes(let bytes): bytes.withUnsafeBytes { firstRow(bytes: $0) }
    }
  }

  /// The smallest row with the integer key.
  package func firstRow(integer key: UInt64) -> Int? {
    if key <= lower || key > upper {
      findBlock(key)
      // Its first key may be the last one of the block before, too.
      if key == lower { return firstRow(IntegerPair(key: key, row: 0), .integer) }
    }
    guard let block = lastBlock, let index = block.firstIndex(ofKey: key) else { return nil }
    return Int(block.row(index))
  }

  /// The smallest row with the key of these bytes.
  package func firstRow(bytes: UnsafeRawBufferPointer) -> Int? {
    let pair = BytesPair(bytes, row: 0)
    guard let directory = findBytesDirectory() else { return firstRow(pair, .bytes) }
    guard let block = directory.find(pair.with(row: .max)).block else { return nil }
    let equal = block.range(equalTo: pair)
    if equal.isEmpty { return nil }
    return equal.lowerBound > 0 ? Int(block.row(equal.lowerBound)) : firstRow(pair, .bytes)
  }

  private func findBytesDirectory() -> BlockDirectory<BytesPair>? {
    if let bytesDirectory { return bytesDirectory }
    if let limit = bytesPolicy.countSearch() {
      bytesDirectory = stopOnError { () throws(EntryError) in
        try BlockDirectory(blocks, .bytes, limit: limit)
      }
    }
    return bytesDirectory
  }

  /// Makes `lastBlock` the one where the key is, if it is anywhere.
  @inline(never) private func findBlock(_ key: UInt64) {
    let pair = IntegerPair(key: key, row: .max)
    if let limit = quickDirectory == nil ? integerPolicy.countSearch() : nil {
      integerDirectory = stopOnError { () throws(EntryError) in
        try BlockDirectory(blocks, .integer, limit: limit)
      }
    }
    var next: IntegerPair?
    if let quickDirectory {
      (lastBlock, next) = quickDirectory._withUnsafeGuaranteedRef { $0.findEvenlySpread(pair) }
    } else {
      stopOnError { () throws(EntryError) in
        let isFound = try blocks.moveToLast(notAfter: pair, .integer)
        lastBlock = isFound ? blocks.block(IntegerPair.self) : nil
        let hasNext = isFound ? try blocks.moveToNext(.integer) : try blocks.moveToFirst(.integer)
        next = hasNext ? IntegerPair(key: blocks.block(IntegerPair.self).firstKey, row: 0) : nil
      }
    }
    lower = lastBlock?.firstKey ?? (key == 0 ? .max : 0)
    upper = next.map { $0.key &- 1 } ?? .max
  }

  private func firstRow<Pair: IndexPair>(_ pair: Pair, _ kind: IndexKeyKind) -> Int? {
    stopOnError { () throws(EntryError) in
      guard try blocks.moveToLast(notAfter: pair.with(row: .max), kind) else { return nil }
      let block = blocks.block(Pair.self)
      let equal = block.range(equalTo: pair)
      if equal.isEmpty { return nil }
      if equal.lowerBound > 0 { return Int(block.row(equal.lowerBound)) }
      // The key's pairs may begin in a block before.
      var row = block.row(0)
      if try blocks.moveToLast(notAfter: pair, kind) {
        let block = blocks.block(Pair.self)
        let equal = block.range(equalTo: pair)
        if !equal.isEmpty {
          row = block.row(equal.lowerBound)
        } else if try blocks.moveToNext(kind) {
          row = blocks.block(Pair.self).row(0)
        }
      } else if try blocks.moveToFirst(kind) {
        row = blocks.block(Pair.self).row(0)
      }
      return Int(row)
    }
  }

  /// Calls the body with the rows that have the key, ascending, as often as each is there, until it returns
  /// false.
  package func forEachRow(equalTo key: IndexKey, _ body: (Int) -> Bool) {
    if case .integer(let key) = key {
      if key <= lower || key > upper { findBlock(key) }
      if key != lower {
        guard let block = lastBlock else { return }
        let equal = block.range(equalTo: IntegerPair(key: key, row: 0))
        _ = block.forEachIndex(in: equal) { body(Int(block.row($0))) }
        return
      }
    }
    if case .bytes(let bytes) = key, bytes.withUnsafeBytes({ forEachRow(equalToBytes: $0, body) }) { return }
    forEachRow(in: .equal(to: key), body)
  }

  /// Calls the body with the rows of a key if its pairs are in one block that the directory finds. Returns whether they are.
  private func forEachRow(equalToBytes bytes: UnsafeRawBufferPointer, _ body: (Int) -> Bool) -> Bool {
    let pair = BytesPair(bytes, row: 0)
    guard let directory = findBytesDirectory() else { return false }
    guard let block = directory.find(pair.with(row: .max)).block else { return true }
    let equal = block.range(equalTo: pair)
    // They may begin in a block before.
    if equal.lowerBound == 0 && !equal.isEmpty { return false }
    _ = block.forEachIndex(in: equal) { body(Int(block.row($0))) }
    return true
  }
}

extension IndexReader {
  /// The body's value; stops the program when the body throws.
  @inline(__always) func stopOnError<Value>(_ body: () throws(EntryError) -> Value) -> Value {
    do {
      return try body()
    } catch {
      blocks.stop(error)
    }
  }
}

extension BytesPair {
  /// A pair for looking up; the bytes must outlive it.
  @inline(__always) init(_ bytes: UnsafeRawBufferPointer, row: UInt64) {
    // The address of no bytes may be nil, and is never read.
    self.init(bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!, bytes.count, row: row)
  }
}
