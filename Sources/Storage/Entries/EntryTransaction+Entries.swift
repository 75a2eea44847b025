import Pages

// Reading and writing of single entries.
extension EntryTransaction {
  /// The entry's bytes in the map, or nil. Valid until the transaction ends.
  @inline(__always)
  func get(_ tree: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int) -> UnsafeRawBufferPointer? {
    get(tree, key, keySize) { stopDamaged(self, $0) }
  }

  /// Returns the value of a key, for a caller that can name what it reads.
  ///
  /// - Parameter report: Reports that there are damaged nodes on the way. When it returns, there is no entry.
  @inline(__always)
  func get(
    _ tree: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int, orReport report: (String) -> Void
  ) -> UnsafeRawBufferPointer? {
    do throws(PageError) {
      return try tree.withKey(key, keySize) { (key) throws(PageError) in try read(key) }
    } catch {
      if case .damaged(let reason) = error { report(reason) } else { report(EntryError(error).fault) }
      return nil
    }
  }

  /// Makes room for an entry of `size` bytes, in place of the one that there may be, which the caller fills at once.
  @inline(__always)
  func reserve(
    _ tree: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int, size: Int
  ) throws(EntryError) -> UnsafeMutableRawPointer {
    try withPageErrors { () throws(PageError) in
      try tree.withKey(key, keySize) { (key) throws(PageError) in try makeRoom(key, size: size) }
    }
  }

  /// Deletes an entry if there is one.
  func delete(_ tree: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int) throws(EntryError) {
    if get(tree, key, keySize) == nil { return }
    try withPageErrors { () throws(PageError) in
      try tree.withKey(key, keySize) { (key) throws(PageError) in try remove(key) }
    }
  }

  /// Deletes all entries whose keys begin with the prefix.
  func deleteAll(_ tree: EntryTree, prefix: [UInt8]) throws(EntryError) {
    let cursor = try openCursor(tree)
    defer { cursor.close() }
    while let entry = try cursor.entry(atOrAfter: prefix), entry.key.starts(with: prefix) {
      try cursor.delete()
    }
  }
}
