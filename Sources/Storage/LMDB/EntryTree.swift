import CLMDB

/// One of the trees of a file: a map from keys to values of its own. LMDB calls it a database.
struct EntryTree: Hashable, Sendable {
  /// LMDB's number of it.
  let number: MDB_dbi

  /// The tree in which LMDB lists the pages that are not in use, by the version that freed them (see `FreeList`).
  static let freePages = EntryTree(number: 0)

  /// The main tree, in which LMDB has the others, and OpenRealm what is one of a kind.
  static let main = EntryTree(number: 1)
}
