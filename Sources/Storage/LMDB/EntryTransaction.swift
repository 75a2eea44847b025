import CLMDB

/// LMDB's handle of a transaction: one version of the file that does not go away, and for the one that writes also what
/// becomes the next one. Who began it has to end it.
struct EntryTransaction: Equatable {
  let handle: OpaquePointer

  @inline(__always) init(_ handle: OpaquePointer) { self.handle = handle }

  /// The version that is read, or that the commit makes.
  @inline(__always) var version: UInt64 { UInt64(mdb_txn_id(handle)) }

  @inline(__always) var environment: EntryStore { EntryStore(mdb_txn_env(handle)) }

  // MARK: Ending

  /// Undoes it, or ends reading.
  func abort() {
    releaseOpenedValues()
    mdb_txn_abort(handle)
  }

  /// Also when it throws, it has ended.
  func commit() throws(EntryError) {
    releaseOpenedValues()
    let sealSum = environment.sealSum
    try EntryError.check(mdb_txn_commit(handle))
    sealSum?.noteCommit()
  }

  /// Releases the version; the transaction keeps its place among the readers, for `renew`.
  func reset() {
    releaseOpenedValues()
    mdb_txn_reset(handle)
  }

  /// What was decrypted for it lives as long as what it shows.
  private func releaseOpenedValues() {
    environment.checkedPlaces?._withUnsafeGuaranteedRef { $0.openedValues }?.release(self)
  }

  /// Holds the newest version from now on.
  func renew() throws(EntryError) { try EntryError.check(mdb_txn_renew(handle)) }

  // MARK: Databases

  /// Finds a database by its name.
  ///
  /// - Parameters:
  ///   - name: Nil for the main one.
  ///   - isCreated: Whether it is made when it is not there.
  func openDatabase(_ name: String?, isCreated: Bool = false) throws(EntryError) -> EntryTree {
    var number: MDB_dbi = 0
    try EntryError.check(mdb_dbi_open(handle, name, isCreated ? UInt32(MDB_CREATE) : 0, &number))
    return EntryTree(number: number)
  }

  /// LMDB finds the root of a database when it is first used, and only reads from then on.
  @discardableResult
  func entryCount(_ database: EntryTree) throws(EntryError) -> Int {
    var statistics = MDB_stat()
    try EntryError.check(mdb_stat(handle, database.number, &statistics))
    return statistics.ms_entries
  }

  func openCursor(_ database: EntryTree) throws(EntryError) -> EntryCursor {
    var opened: OpaquePointer?
    try EntryError.check(mdb_cursor_open(handle, database.number, &opened))
    return EntryCursor(opened!)
  }
}
