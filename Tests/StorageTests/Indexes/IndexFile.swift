import LibC

@testable import Storage

/// A file of pages with one tree, deleted with the object.
final class IndexFile {
  private var store: EntryStore
  let tree = EntryTree.main
  private let path: String

  init() throws {
    path = TemporaryFile.path()
    store = try Self.open(path)
  }

  deinit {
    store.close()
    TemporaryFile.delete(path)
  }

  private static func open(_ path: String) throws -> EntryStore {
    try EntryStore.open(path, mapSize: 1 << 30)
  }

  func reopen() throws {
    store.close()
    store = try Self.open(path)
  }

  func write(_ body: (EntryTransaction) throws -> Void) throws {
    let transaction = try store.beginWriting()
    do {
      try body(transaction)
    } catch {
      transaction.abort()
      throw error
    }
    try transaction.commit(.relaxed)
  }

  func read<Result>(_ body: (EntryTransaction) throws -> Result) throws -> Result {
    let transaction = try store.beginReading()
    defer { transaction.abort() }
    return try body(transaction)
  }

  /// Reads one index.
  func read<Result>(index: UInt32, _ body: (IndexReader) throws -> Result) throws -> Result {
    try read { transaction in
      try body(IndexReader(transaction: transaction, tree: tree, index: index))
    }
  }

  func merge(_ changes: IndexChanges, index: UInt32) throws {
    try write { transaction in
      try changes.merge(into: transaction, tree: tree, index: index)
    }
  }

  /// The sizes of the index's blocks.
  func blockCounts<Pair: IndexPair>(index: UInt32, _ kind: IndexKeyKind, _: Pair.Type) throws -> [Int] {
    try read { transaction in
      let cursor = try BlockCursor(transaction: transaction, tree: tree, index: index)
      var counts: [Int] = []
      var hasBlock = try cursor.moveToFirst(kind)
      while hasBlock {
        counts.append(Pair.Block(cursor.value.start).count)
        hasBlock = try cursor.moveToNext(kind)
      }
      return counts
    }
  }
}

/// What an index should hold: a plain sorted array.
struct IndexModel {
  struct Pair: Hashable, Comparable {
    var key: IndexKey
    var row: Int
    static func < (a: Pair, b: Pair) -> Bool { a.key < b.key || a.key == b.key && a.row < b.row }
  }

  private(set) var pairs: [Pair] = []

  private func lowerBound(_ pair: Pair) -> Int {
    pairs.indices.partitioningIndex { !(pairs[$0] < pair) }
  }

  mutating func insert(_ pair: Pair) { pairs.insert(pair, at: lowerBound(pair)) }
  mutating func remove(_ pair: Pair) {
    let place = lowerBound(pair)
    precondition(pairs[place] == pair)
    pairs.remove(at: place)
  }
  mutating func removeAll() { pairs = [] }

  func rows(equalTo key: IndexKey) -> [Int] {
    Array(pairs[lowerBound(Pair(key: key, row: 0))..<lowerBound(Pair(key: key, row: .max))].map(\.row))
  }

  func pairs(in range: IndexRange) -> ArraySlice<Pair> {
    let start = range.lower.map { lowerBound(Pair(key: $0, row: range.includesLower ? 0 : .max)) } ?? 0
    let end =
      range.upper.map { lowerBound(Pair(key: $0, row: range.includesUpper ? .max : 0)) } ?? pairs.count
    return pairs[start..<max(start, end)]
  }
}
