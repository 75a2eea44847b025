import CLMDB
import CSQLite
import LibC
import Pages

/// A store that the benchmarks compare: a map from keys to values in a file.
protocol Peer {
  static var name: String { get }
  init(_ path: String, isRelaxed: Bool) throws
  /// One transaction.
  mutating func write(_ entries: [(key: [UInt8], size: Int)], _ fill: [UInt8]) throws
  /// Looks keys up, in one transaction. Returns the sum of first bytes.
  mutating func read(_ keys: [[UInt8]]) throws -> Int
  mutating func close() throws
}

struct Failure: Error { let code: Int32 }

func expect(_ code: Int32, _ wanted: Int32 = 0) throws {
  if code != wanted { throw Failure(code: code) }
}

struct PagesPeer: Peer {
  static let name = "pages"
  private let store: PageStore
  private let isRelaxed: Bool

  init(_ path: String, isRelaxed: Bool) throws {
    store = try PageStore(path: path)
    self.isRelaxed = isRelaxed
  }

  mutating func write(_ entries: [(key: [UInt8], size: Int)], _ fill: [UInt8]) throws {
    let transaction = try PageTransaction(store)
    for (key, size) in entries {
      try key.withUnsafeBytes { key in
        let target = try transaction.reserve(key, size)
        fill.withUnsafeBytes { _ = memcpy(target, $0.baseAddress!, size) }
      }
    }
    try transaction.commit(isRelaxed ? .relaxed : .full)
  }

  mutating func read(_ keys: [[UInt8]]) throws -> Int {
    let version = try PageVersion(store)
    defer { version.release() }
    var sum = 0
    for key in keys { sum += Int(try key.withUnsafeBytes { try version.value($0)![0] }) }
    return sum
  }

  mutating func close() throws { try store.close() }
}

struct LMDBPeer: Peer {
  static let name = "LMDB"
  private var environment: OpaquePointer?
  private var tree: MDB_dbi = 0

  init(_ path: String, isRelaxed: Bool) throws {
    try expect(mdb_env_create(&environment))
    try expect(mdb_env_set_mapsize(environment, 1 << 36))
    let flags = MDB_NOSUBDIR | (isRelaxed ? MDB_NOSYNC : 0)
    try expect(mdb_env_open(environment, path, UInt32(flags), 0o644))
    try transaction(0) { transaction in try expect(mdb_dbi_open(transaction, nil, 0, &tree)) }
  }

  private func transaction(_ flags: Int32, _ body: (OpaquePointer?) throws -> Void) throws {
    var transaction: OpaquePointer?
    try expect(mdb_txn_begin(environment, nil, UInt32(flags), &transaction))
    try body(transaction)
    try expect(mdb_txn_commit(transaction))
  }

  mutating func write(_ entries: [(key: [UInt8], size: Int)], _ fill: [UInt8]) throws {
    let tree = tree
    try transaction(0) { transaction in
      for (key, size) in entries {
        try key.withUnsafeBytes { key in
          var key = MDB_val(mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
          var value = MDB_val(mv_size: size, mv_data: nil)
          try expect(mdb_put(transaction, tree, &key, &value, UInt32(MDB_RESERVE)))
          fill.withUnsafeBytes { _ = memcpy(value.mv_data, $0.baseAddress!, size) }
        }
      }
    }
  }

  mutating func read(_ keys: [[UInt8]]) throws -> Int {
    var sum = 0
    let tree = tree
    try transaction(MDB_RDONLY) { transaction in
      for key in keys {
        try key.withUnsafeBytes { key in
          var key = MDB_val(mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
          var value = MDB_val()
          try expect(mdb_get(transaction, tree, &key, &value))
          sum += Int(value.mv_data.load(as: UInt8.self))
        }
      }
    }
    return sum
  }

  mutating func close() throws { mdb_env_close(environment) }
}

struct SQLitePeer: Peer {
  static let name = "SQLite"
  private var database: OpaquePointer?
  private var put: OpaquePointer?
  private var get: OpaquePointer?

  init(_ path: String, isRelaxed: Bool) throws {
    try expect(sqlite3_open(path, &database))
    try run("pragma journal_mode = wal")
    try run("pragma synchronous = \(isRelaxed ? "normal" : "full")")
    try run("create table if not exists entries (key blob primary key, value blob)")
    try expect(sqlite3_prepare_v2(database, "insert or replace into entries values (?, ?)", -1, &put, nil))
    try expect(sqlite3_prepare_v2(database, "select value from entries where key = ?", -1, &get, nil))
  }

  private func run(_ statement: String) throws {
    try expect(sqlite3_exec(database, statement, nil, nil, nil))
  }

  mutating func write(_ entries: [(key: [UInt8], size: Int)], _ fill: [UInt8]) throws {
    try run("begin immediate")
    for (key, size) in entries {
      sqlite3_reset(put)
      sqlite3_bind_blob(put, 1, key, Int32(key.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      sqlite3_bind_blob(put, 2, fill, Int32(size), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      try expect(sqlite3_step(put), SQLITE_DONE)
    }
    try run("commit")
  }

  mutating func read(_ keys: [[UInt8]]) throws -> Int {
    var sum = 0
    try run("begin")
    for key in keys {
      sqlite3_reset(get)
      sqlite3_bind_blob(get, 1, key, Int32(key.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      try expect(sqlite3_step(get), SQLITE_ROW)
      sum += Int(sqlite3_column_blob(get, 0)!.load(as: UInt8.self))
    }
    sqlite3_reset(get)
    try run("commit")
    return sum
  }

  mutating func close() throws {
    sqlite3_finalize(put)
    sqlite3_finalize(get)
    try expect(sqlite3_close(database))
  }
}
