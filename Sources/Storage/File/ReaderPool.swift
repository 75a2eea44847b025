import CLMDB
import Synchronization

/// LMDB's read transactions of a file that hold no version at present.
///
/// Whoever moves to another version first pins the new one with one of these, and only then gives the old one back, so
/// that one of the two is pinned at every moment. Each transaction has a slot in LMDB's table of readers, whether it
/// holds a version or not; so only a few are kept. Who has taken one can not fail any more for want of a slot.
final class ReaderPool: Sendable {
  private struct Idle: @unchecked Sendable { var transactions: [OpaquePointer] = [] }

  private static let limit = 8
  private let idle = Mutex(Idle())

  /// A transaction without a version, if there is one.
  func take() -> OpaquePointer? { idle.withLock { $0.transactions.popLast() } }

  /// Takes back a transaction, and lets go of the version that it may hold.
  func give(_ transaction: OpaquePointer) {
    mdb_txn_reset(transaction)
    nonisolated(unsafe) let given = transaction
    let isKept = idle.withLock { idle in
      if idle.transactions.count >= Self.limit { return false }
      idle.transactions.append(given)
      return true
    }
    if !isKept { mdb_txn_abort(transaction) }
  }

  /// Before LMDB's environment is closed.
  func close() {
    idle.withLock { idle in
      for transaction in idle.transactions { mdb_txn_abort(transaction) }
      idle.transactions = []
    }
  }
}

extension DatabaseFile {
  /// A read transaction that holds the newest version. It goes to a lease, or back to the pool.
  func takeReader() throws(StorageError) -> OpaquePointer {
    let reader = try reserveReader()
    do throws(StorageError) {
      try pin(reader)
      return reader
    } catch {
      readerPool.give(reader)
      throw error
    }
  }

  /// A read transaction that holds no version yet, for `pin`. It goes to a lease, or back to the pool.
  func reserveReader() throws(StorageError) -> OpaquePointer {
    if isInherited { throw .inheritedByFork(path: path) }
    if let idle = readerPool.take() { return idle }
    var transaction: OpaquePointer?
    var code = begin(&transaction)
    if code == MDB_READERS_FULL {
      // Those of processes that died are still there.
      var dead: Int32 = 0
      mdb_reader_check(environment, &dead)
      code = begin(&transaction)
    }
    guard code == 0, let transaction else { throw .lmdb(LMDBError(code: code), path: path) }
    mdb_txn_reset(transaction)
    return transaction
  }

  private func begin(_ transaction: inout OpaquePointer?) -> Int32 {
    let code = mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction)
    guard code == MDB_PANIC, panicFlag?.clear() ?? false else { return code }
    return mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction)
  }

  /// Lets a transaction without a version hold the newest one. When it throws, it still has none.
  func pin(_ reader: OpaquePointer) throws(StorageError) {
    #if DEBUG
      willPin?()
    #endif
    for _ in 0..<Self.pinningAttempts {
      var code = mdb_txn_renew(reader)
      if code == MDB_PANIC, panicFlag?.clear() ?? false { code = mdb_txn_renew(reader) }
      if code != 0 { throw .lmdb(LMDBError(code: code), path: path) }
      // LMDB first notes the version's number and then reads its meta page, which the second commit after it
      // overwrites: then the number is an older one's than the content.
      if newestVersion < UInt64(mdb_txn_id(reader)) + 2 { return }
      mdb_txn_reset(reader)
    }
    throw .lmdb(LMDBError(code: MDB_BAD_TXN), path: path)
  }

  /// More commits than can happen while as many read transactions begin.
  private static let pinningAttempts = 10_000
}
