import CLMDB

/// LMDB's handle of a cursor: a place among the entries of a database. Who opened it has to close it, in a transaction
/// that writes before that ends.
struct LMDBCursor {
  let handle: OpaquePointer

  @inline(__always) init(_ handle: OpaquePointer) { self.handle = handle }

  func close() { mdb_cursor_close(handle) }

  /// Moves on to another read transaction.
  func renew(_ transaction: LMDBTransaction) throws(LMDBError) {
    try LMDBError.check(mdb_cursor_renew(transaction.handle, handle))
  }

  var transaction: LMDBTransaction? { mdb_cursor_txn(handle).map { LMDBTransaction($0) } }

  // MARK: Moving

  /// - Parameters:
  ///   - key: What is looked for, and then the key that was found, in the map.
  ///   - value: In the map.
  /// - Returns: Whether there is such an entry; when there is none, the cursor's place is undefined.
  @inline(__always)
  func move(
    _ operation: MDB_cursor_op, _ key: inout MDB_val, _ value: inout MDB_val
  ) throws(LMDBError) -> Bool {
    let code = mdb_cursor_get(handle, &key, &value, operation)
    if code == 0 { return true }
    if code == MDB_NOTFOUND { return false }
    throw LMDBError(code: code)
  }

  /// An entry in the map.
  struct Entry {
    let key: UnsafeRawBufferPointer
    let value: UnsafeRawBufferPointer
  }

  /// - Parameter sought: What is looked for, if the operation looks for a key.
  private func entry(
    _ operation: MDB_cursor_op, _ sought: UnsafeRawBufferPointer? = nil
  ) throws(LMDBError) -> Entry? {
    var key = MDB_val(
      mv_size: sought?.count ?? 0, mv_data: UnsafeMutableRawPointer(mutating: sought?.baseAddress))
    var value = MDB_val()
    guard try move(operation, &key, &value) else { return nil }
    return Entry(
      key: UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size),
      value: UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
  }

  func entry(at key: UnsafeRawBufferPointer) throws(LMDBError) -> Entry? { try entry(MDB_SET_KEY, key) }

  func entry(atOrAfter key: UnsafeRawBufferPointer) throws(LMDBError) -> Entry? {
    try entry(MDB_SET_RANGE, key)
  }

  func entry(atOrAfter key: [UInt8]) throws(LMDBError) -> Entry? {
    try key.withUnsafeBufferPointer { (key) throws(LMDBError) in
      try entry(atOrAfter: UnsafeRawBufferPointer(key))
    }
  }

  func lastEntry() throws(LMDBError) -> Entry? { try entry(MDB_LAST) }

  /// The entry after the present one; of a cursor that has none, the first.
  func nextEntry() throws(LMDBError) -> Entry? { try entry(MDB_NEXT) }

  // MARK: Deleting

  /// Deletes the present entry.
  ///
  /// - Parameter entry: The present one.
  func delete(_ entry: Entry) throws(LMDBError) {
    try transaction?.checkBeforeFreeing(entry.value)
    transaction?.subtract(
      entry.value, mdb_cursor_dbi(handle), entry.key.baseAddress!, entry.key.count)
    try LMDBError.check(mdb_cursor_del(handle, 0))
  }
}
