import CLMDB

// Reading and writing of single entries, as they are stored. What OpenRealm itself stores is sealed: see `Seal`.
extension EntryTransaction {
  /// The entry's bytes in the map, or nil. Valid until the transaction ends.
  @inline(__always)
  func get(_ database: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int) -> UnsafeRawBufferPointer? {
    get(database, key, keySize) { stopDamaged(self, $0) }
  }

  /// Returns the value of a key, for a caller that can name what it reads.
  ///
  /// - Parameter report: Reports that there are damaged pages on the way. When it returns, there is no entry.
  @inline(__always)
  func get(
    _ database: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int, orReport report: (String) -> Void
  ) -> UnsafeRawBufferPointer? {
    if let fault = leafFault(database, key, keySize) {
      report(fault)
      return nil
    }
    var key = MDB_val(mv_size: keySize, mv_data: UnsafeMutableRawPointer(mutating: key))
    var value = MDB_val()
    let code = mdb_get(handle, database.number, &key, &value)
    if code != 0 {
      // Anything else is a damaged file, which must not be read as if nothing were there.
      if code != MDB_NOTFOUND { report(EntryError(code: code).message) }
      return nil
    }
    return UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
  }

  /// What is wrong with the leaf page of a key, when it has to be looked at.
  @inline(__always)
  private func leafFault(_ database: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int) -> String? {
    guard let places = environment.checkedPlaces else { return nil }
    return places._withUnsafeGuaranteedRef {
      guard let leaves = $0.leaves else { return nil }
      return leaves.fault(self, database, key, keySize)
    }
  }

  /// Makes room for an entry of `size` bytes, in place of the one that there may be, which the caller fills at once.
  ///
  /// - Parameter isAppended: Whether the key is beyond all that are there, which fills the pages.
  @inline(__always)
  func reserve(
    _ database: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int, size: Int, isAppended: Bool = false
  ) throws(EntryError) -> UnsafeMutableRawPointer {
    // What is appended takes nothing's place.
    if !isAppended, let former = get(database, key, keySize) {
      try checkBeforeFreeing(former)
      subtract(former, database, key, keySize)
    }
    var key = MDB_val(mv_size: keySize, mv_data: UnsafeMutableRawPointer(mutating: key))
    var value = MDB_val(mv_size: size, mv_data: nil)
    let flags = UInt32(MDB_RESERVE) | (isAppended ? UInt32(MDB_APPEND) : 0)
    try EntryError.check(mdb_put(handle, database.number, &key, &value, flags))
    return value.mv_data
  }

  /// Deletes an entry if there is one.
  func delete(_ database: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int) throws(EntryError) {
    guard let value = get(database, key, keySize) else { return }
    try checkBeforeFreeing(value)
    subtract(value, database, key, keySize)
    var key = MDB_val(mv_size: keySize, mv_data: UnsafeMutableRawPointer(mutating: key))
    let code = mdb_del(handle, database.number, &key, nil)
    if code != MDB_NOTFOUND { try EntryError.check(code) }
  }

  /// Takes a stored value off the sum, which is about to be replaced or deleted.
  @inline(__always)
  func subtract(
    _ stored: UnsafeRawBufferPointer, _ database: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int
  ) {
    guard SealSum.counts(database, key, keySize), let places = environment.checkedPlaces else { return }
    places._withUnsafeGuaranteedRef {
      $0.sealSum.subtract(stored)
      if !$0.isTrusted(stored) && $0.isDamaged(stored, key, keySize) { $0.sealSum.lose() }
    }
  }

  /// Verifies the first page of a value before LMDB frees as many pages as it says: it may not have been read before.
  func checkBeforeFreeing(_ value: UnsafeRawBufferPointer) throws(EntryError) {
    guard let places = environment.checkedPlaces?.takeUnretainedValue() else { return }
    if !places.canBeFreed(value) { throw EntryError(code: MDB_CORRUPTED) }
  }

  /// Deletes all entries whose keys begin with the prefix.
  func deleteAll(_ database: EntryTree, prefix: [UInt8]) throws(EntryError) {
    let cursor = try openCursor(database)
    defer { cursor.close() }
    while let entry = try cursor.entry(atOrAfter: prefix), entry.key.starts(with: prefix) {
      try cursor.delete(entry)
    }
  }
}
