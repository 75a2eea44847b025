import CLMDB
import Glibc

@testable import Storage

/// An LMDB environment in a temporary file, deleted with the object.
final class IndexFile {
  private var environment: OpaquePointer?
  private(set) var database: MDB_dbi = 0
  private let path: String

  init() throws {
    path = "/tmp/index-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    try open()
  }

  deinit {
    mdb_env_close(environment)
    unlink(path)
    unlink(path + "-lock")
  }

  private func open() throws {
    try LMDBError.check(mdb_env_create(&environment))
    try LMDBError.check(mdb_env_set_mapsize(environment, 1 << 30))
    try LMDBError.check(
      mdb_env_open(environment, path, UInt32(MDB_NOSUBDIR | MDB_NOTLS | MDB_NOSYNC), 0o600))
    try write { transaction in
      try LMDBError.check(mdb_dbi_open(transaction, nil, 0, &database))
    }
  }

  func reopen() throws {
    mdb_env_close(environment)
    environment = nil
    try open()
  }

  func write(_ body: (OpaquePointer) throws -> Void) throws {
    var transaction: OpaquePointer?
    try LMDBError.check(mdb_txn_begin(environment, nil, 0, &transaction))
    do {
      try body(transaction!)
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try LMDBError.check(mdb_txn_commit(transaction))
  }

  func read<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
    var transaction: OpaquePointer?
    try LMDBError.check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
    defer { mdb_txn_abort(transaction) }
    return try body(transaction!)
  }

  /// Reads one index.
  func read<Result>(index: UInt32, _ body: (IndexReader) throws -> Result) throws -> Result {
    try read { transaction in
      try body(IndexReader(transaction: transaction, database: database, index: index))
    }
  }

  func merge(_ changes: IndexChanges, index: UInt32) throws {
    try write { transaction in
      try changes.merge(into: transaction, database: database, index: index)
    }
  }

  /// The sizes of the index's blocks.
  func blockCounts<Pair: IndexPair>(index: UInt32, _ kind: IndexKeyKind, _: Pair.Type) throws -> [Int] {
    try read { transaction in
      let cursor = try BlockCursor(transaction: transaction, database: database, index: index)
      var counts: [Int] = []
      var hasBlock = try cursor.moveToFirst(kind)
      while hasBlock {
        counts.append(Pair.Block(cursor.value.mv_data).count)
        hasBlock = try cursor.moveToNext(kind)
      }
      return counts
    }
  }
}

/// Repeatable random numbers.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
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
    var low = 0
    var high = pairs.count
    while low < high {
      let middle = (low + high) / 2
      if pairs[middle] < pair { low = middle + 1 } else { high = middle }
    }
    return low
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
