/// How many bytes of a version the values, collections and indexes of each property have.
package struct StoredSizes: Sendable {
  package struct Place: Hashable, Sendable {
    package let table: Int
    /// -1 for which rows are there.
    package let column: Int

    package init(table: Int, column: Int) {
      self.table = table
      self.column = column
    }
  }

  /// Values and collections.
  package private(set) var values: [Place: Int] = [:]
  /// Indexes, those of primary keys, words and links back included.
  package private(set) var indexes: [Place: Int] = [:]

  /// - Complexity: Touches each leaf of the file.
  package init(_ snapshot: Snapshot) throws(StorageError) {
    do throws(EntryError) {
      for tree in [EntryTree.columns, .collections, .values] {
        try Self.forEachEntry(of: tree, snapshot) { entry in
          // Each of their keys begins with table and column.
          guard entry.key.count >= 8 else { return }
          let place = Place(
            table: Self.number(entry.key, 0), column: Self.number(entry.key, 4) - 1)
          values[place, default: 0] += entry.key.count + entry.value.count
        }
      }
      try Self.forEachEntry(of: .indexes, snapshot) { entry in
        guard entry.key.count >= 4 else { return }
        let place = IndexNumber.place(UInt32(Self.number(entry.key, 0)))
        indexes[Place(table: place.table, column: place.column), default: 0] +=
          entry.key.count + entry.value.count
      }
    } catch {
      throw StorageError.of(error, path: snapshot.file.path)
    }
  }

  /// Calls the body with each entry.
  private static func forEachEntry(
    of tree: EntryTree, _ snapshot: Snapshot, _ body: (EntryCursor.Entry) -> Void
  ) throws(EntryError) {
    let cursor = try snapshot.lease.transaction.openCursor(tree)
    defer { cursor.close() }
    while let entry = try cursor.nextEntry() { body(entry) }
  }

  private static func number(_ key: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    Int(UInt32(bigEndian: key.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
