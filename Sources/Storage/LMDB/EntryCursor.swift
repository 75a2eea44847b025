import CLMDB

/// LMDB's handle of a cursor: a place among the entries of a database. Who opened it has to close it, in a transaction
/// that writes before that ends.
struct EntryCursor {
  let handle: OpaquePointer

  @inline(__always) init(_ handle: OpaquePointer) { self.handle = handle }

  func close() { mdb_cursor_close(handle) }

  /// Moves on to another read transaction.
  func renew(_ transaction: EntryTransaction) throws(EntryError) {
    try EntryError.check(mdb_cursor_renew(transaction.handle, handle))
  }

  var transaction: EntryTransaction? { mdb_cursor_txn(handle).map { EntryTransaction($0) } }

  // MARK: Moving

  /// Where a cursor goes.
  enum Move {
    /// To a key, or to the first one that is not less.
    case to, toOrAfter
    case last
    /// Of a cursor that has no entry: the first, or the last.
    case next, previous

    @inline(__always)
    fileprivate var operation: MDB_cursor_op {
      switch self {
      case .to: MDB_SET_KEY
      case .toOrAfter: MDB_SET_RANGE
      case .last: MDB_LAST
      case .next: MDB_NEXT
      case .previous: MDB_PREV
      }
    }
  }

  /// - Parameters:
  ///   - key: What is looked for, and then the key that was found, in the map.
  ///   - value: In the map.
  /// - Returns: Whether there is such an entry; when there is none, the cursor's place is undefined.
  @inline(__always)
  func move(
    _ move: Move, _ key: inout StoredBytes, _ value: inout StoredBytes
  ) throws(EntryError) -> Bool {
    var foundKey = MDB_val(mv_size: key.count, mv_data: key.start)
    var foundValue = MDB_val()
    let code = mdb_cursor_get(handle, &foundKey, &foundValue, move.operation)
    if code == 0 {
      key = StoredBytes(start: foundKey.mv_data, count: foundKey.mv_size)
      value = StoredBytes(start: foundValue.mv_data, count: foundValue.mv_size)
      return true
    }
    if code == MDB_NOTFOUND { return false }
    throw EntryError(code: code)
  }

  /// An entry in the map.
  struct Entry {
    let key: UnsafeRawBufferPointer
    let value: UnsafeRawBufferPointer
  }

  /// - Parameter sought: What is looked for, if the operation looks for a key.
  private func entry(
    _ move: Move, _ sought: UnsafeRawBufferPointer? = nil
  ) throws(EntryError) -> Entry? {
    var key = sought.map(StoredBytes.init) ?? StoredBytes()
    var value = StoredBytes()
    return try self.move(move, &key, &value) ? Entry(key: key.bytes, value: value.bytes) : nil
  }

  func entry(at key: UnsafeRawBufferPointer) throws(EntryError) -> Entry? { try entry(.to, key) }

  func entry(atOrAfter key: UnsafeRawBufferPointer) throws(EntryError) -> Entry? {
    try entry(.toOrAfter, key)
  }

  func entry(atOrAfter key: [UInt8]) throws(EntryError) -> Entry? {
    try key.withUnsafeBufferPointer { (key) throws(EntryError) in
      try entry(atOrAfter: UnsafeRawBufferPointer(key))
    }
  }

  func lastEntry() throws(EntryError) -> Entry? { try entry(.last) }

  /// The entry after the present one; of a cursor that has none, the first.
  func nextEntry() throws(EntryError) -> Entry? { try entry(.next) }

  // MARK: Deleting

  /// Deletes the present entry.
  ///
  /// - Parameter entry: The present one.
  func delete(_ entry: Entry) throws(EntryError) {
    try transaction?.checkBeforeFreeing(entry.value)
    transaction?.subtract(
      entry.value, EntryTree(number: mdb_cursor_dbi(handle)), entry.key.baseAddress!, entry.key.count)
    try EntryError.check(mdb_cursor_del(handle, 0))
  }
}
