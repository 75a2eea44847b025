import Synchronization

// A file whose old versions are in use grows with every commit. This tells it from a file that grows because there is
// more in it.
extension DatabaseFile {
  /// Whether the file has grown much since it was opened, or since this was last so: by half of what it was, and by 16 MB
  /// at least; and half of that, or more, are pages that only versions before the newest one need.
  ///
  /// Costs next to nothing while the file does not grow that much, and then as much as reading its list of free pages.
  /// To be called after a commit.
  package var hasGrownForOldVersions: Bool {
    let pages = environment.lastPage + 1
    let former = notedPageCount.load(ordering: .relaxed)
    if former == 0 {
      notedPageCount.store(pages, ordering: .relaxed)
      return false
    }
    let grown = pages - former
    if grown < max(former / 2, (16 << 20) / LMDBPage.size) { return false }
    notedPageCount.store(pages, ordering: .relaxed)
    guard let oldest = oldestPinnedVersion, oldest < newestVersion else { return false }
    return pageCount(freedAfter: oldest) * 2 >= grown
  }

  /// The pages that a version needs, and the newest one does not; of version 0, all that are free, from the lists that
  /// LMDB keeps in its first database.
  func pageCount(freedAfter version: UInt64) -> Int {
    guard let transaction = try? takeReader() else { return 0 }
    defer { readerPool.give(transaction) }
    guard let cursor = try? transaction.openCursor(EntryTree.freePages) else { return 0 }
    defer { cursor.close() }
    var entry = withUnsafeBytes(of: version + 1) { try? cursor.entry(atOrAfter: $0) }
    var count = 0
    while let found = entry {
      count += FreeList(found.value)?.count ?? 0
      entry = try? cursor.nextEntry()
    }
    return count
  }
}
