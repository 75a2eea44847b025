/// One of the trees that hold the values of a file.
///
/// Keys of different trees are never the same, and the form of a key tells its tree (see `StorageKeys.swift` and
/// `IndexFormat`): so an entry is assigned to its tree also where no branch page leads to it.
enum StoredTree: String, CaseIterable {
  case main, columns, collections, indexes, values

  /// The tree to which an entry with this key belongs.
  init(of key: UnsafeRawBufferPointer) {
    // The fifth byte is the first one of a column's number, which is always 0, or the kind of an index block.
    guard key.count > IndexFormat.regionSize, LogKey.version(key) == nil,
      let kind = IndexKeyKind(rawValue: key[IndexFormat.regionSize - 1])
    else {
      self = .main
      return
    }
    switch (kind, key.count) {
    case (.null, ColumnKey.size): self = .columns
    case (.null, ValueKey.size): self = .values
    case (.null, SegmentKey.size): self = .collections
    default: self = .indexes
    }
  }
}
