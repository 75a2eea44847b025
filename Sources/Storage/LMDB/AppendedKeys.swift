import CLMDB
import Glibc

/// Tells which keys are beyond all that a database has, as a transaction stores one after the other. What is appended fills
/// LMDB's pages, which are left half empty where entries are put between others.
struct AppendedKeys {
  private let database: MDB_dbi
  private let transaction: LMDBTransaction
  /// A key that none of the database is beyond: that of its last entry, once it was looked for. No entry has an empty one.
  private var last: [UInt8]?

  init(_ database: MDB_dbi, _ transaction: LMDBTransaction) {
    self.database = database
    self.transaction = transaction
  }

  /// Whether a key is beyond all others. If so it must be stored at once.
  mutating func append(_ key: UnsafeRawPointer, _ size: Int) throws(LMDBError) -> Bool {
    if last == nil { last = try found() }
    if !isBeyond(key, size, last.unsafelyUnwrapped) { return false }
    last = Array(UnsafeRawBufferPointer(start: key, count: size))
    return true
  }

  private func isBeyond(_ key: UnsafeRawPointer, _ size: Int, _ other: [UInt8]) -> Bool {
    let order = memcmp(key, other, min(size, other.count))
    return order != 0 ? order > 0 : size > other.count
  }

  private func found() throws(LMDBError) -> [UInt8] {
    let cursor = try transaction.openCursor(database)
    defer { cursor.close() }
    return try cursor.lastEntry().map { Array($0.key) } ?? []
  }
}
