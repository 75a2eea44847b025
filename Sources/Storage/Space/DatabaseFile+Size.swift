import LibC
import Synchronization

extension DatabaseFile {
  /// The bytes of the file, and those of them that hold data. A process that only reads finds out by reading all nodes.
  package var size: (total: Int, used: Int) {
    var file = stat()
    let isKnown = (try? entries.descriptor).map { fstat($0, &file) == 0 } ?? false
    let total = isKnown ? Int(file.st_size) : entries.end
    return (total, min(entries.usedSize ?? total, total))
  }

  /// The size by which the block decides whether to compact the file. The used bytes include the free space that small commits need,
  /// because a compacted file grows by that again with the first of them.
  var sizeForCompaction: (total: Int, used: Int) {
    let (total, used) = size
    return (total, min(used + Self.spaceForCommits, total))
  }

  /// Number of free bytes that the smallest file has after some commits.
  private static let spaceForCommits = 32 << 10

  package var isEncrypted: Bool { entries.isEncrypted }

  /// The bytes of it that are decrypted in memory.
  package var decryptedSize: Int { entries.decryptedSize }

  /// Whether the file has grown much since it was opened, or since this was last so: by half of what it was, and by 16 MB
  /// at least; and half of that, or more, is what only old versions need that are in use.
  ///
  /// Costs next to nothing while the file does not grow that much. To be called after a commit.
  package var hasGrownForOldVersions: Bool {
    let pages = entries.end / EntryStore.pageSize
    let former = notedPageCount.load(ordering: .relaxed)
    if former == 0 {
      notedPageCount.store(pages, ordering: .relaxed)
      return false
    }
    let grown = pages - former
    if grown < max(former / 2, (16 << 20) / EntryStore.pageSize) { return false }
    notedPageCount.store(pages, ordering: .relaxed)
    guard let store = entries.store else { return false }
    let versions = Set(store.heldVersions.map(\.version))
    return store.size(heldFor: versions) * 2 >= grown * EntryStore.pageSize
  }
}
