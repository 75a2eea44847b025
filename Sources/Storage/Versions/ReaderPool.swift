import Synchronization

/// LMDB's read transactions of a file that hold no version at present.
///
/// A snapshot that moves to another version first pins the new one with one of these, and only then returns the old one, so
/// that one of the two is pinned at every moment. Each transaction has a slot in LMDB's table of readers, whether it
/// holds a version or not; so only a few are kept. After taking one, a move cannot fail for want of a slot.
final class ReaderPool: Sendable {
  private struct Idle: @unchecked Sendable { var transactions: [EntryTransaction] = [] }

  private static let limit = 8
  private let idle = Mutex(Idle())

  /// A transaction without a version, if there is one.
  func take() -> EntryTransaction? { idle.withLock { $0.transactions.popLast() } }

  /// Takes back a transaction, and releases the version that it may hold.
  func give(_ transaction: EntryTransaction) {
    transaction.reset()
    nonisolated(unsafe) let given = transaction
    let isKept = idle.withLock { idle in
      if idle.transactions.count >= Self.limit { return false }
      idle.transactions.append(given)
      return true
    }
    if !isKept { transaction.abort() }
  }

  /// Before LMDB's environment is closed.
  func close() {
    idle.withLock { idle in
      for transaction in idle.transactions { transaction.abort() }
      idle.transactions = []
    }
  }
}

extension DatabaseFile {
  /// A read transaction that holds the newest version. It goes to a lease, or back to the pool.
  func takeReader() throws(StorageError) -> EntryTransaction {
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
  func reserveReader() throws(StorageError) -> EntryTransaction {
    if isInherited { throw .inheritedByFork(path: path) }
    if let idle = readerPool.take() { return idle }
    let transaction = try StorageError.describing(path) { () throws(EntryError) in
      do throws(EntryError) {
        return try beginReading()
      } catch {
        guard error == .readersFull else { throw error }
        // Those of processes that died are still there.
        environment.forgetDeadReaders()
        return try beginReading()
      }
    }
    transaction.reset()
    return transaction
  }

  private func beginReading() throws(EntryError) -> EntryTransaction {
    try despitePanic { () throws(EntryError) in try environment.beginReading() }
  }

  /// Tries again when LMDB refuses everything because a meta page could not be written (see `PanicFlag`).
  private func despitePanic<Result>(_ body: () throws(EntryError) -> Result) throws(EntryError) -> Result {
    do throws(EntryError) {
      return try body()
    } catch {
      guard error == .panic, panicFlag?.clear() ?? false else { throw error }
      return try body()
    }
  }

  /// Lets a transaction without a version hold the newest one. When it throws, it still has none.
  func pin(_ reader: EntryTransaction) throws(StorageError) {
    #if DEBUG
      willPin?()
    #endif
    for _ in 0..<Self.pinningAttempts {
      try StorageError.describing(path) { () throws(EntryError) in
        try despitePanic { () throws(EntryError) in try reader.renew() }
      }
      // LMDB first notes the version's number and then reads its meta page, which the second commit after it
      // overwrites: then the number is an older one's than the content.
      if newestVersion < reader.version + 2 { return }
      reader.reset()
    }
    throw .of(EntryError.badTransaction, path: path)
  }

  /// More commits than can happen while as many read transactions begin.
  private static let pinningAttempts = 10_000
}
