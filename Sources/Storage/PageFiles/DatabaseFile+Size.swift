import LibC
import Synchronization

extension DatabaseFile {
  /// The bytes of the file, and those of them that hold data.
  package var size: (total: Int, used: Int) {
    var file = stat()
    let isKnown = (try? environment.descriptor).map { fstat($0, &file) == 0 } ?? false
    let total = isKnown ? Int(file.st_size) : environment.end
    return (total, min(environment.store?.usedSize ?? total, total))
  }

  package var isEncrypted: Bool { environment.isEncrypted }

  /// The bytes of it that are decrypted in memory.
  package var decryptedSize: Int { environment.decryptedSize }

  /// Nothing lies behind the end that is given back.
  package func truncateUnusedEnd() {}

  /// Whether the file has grown much since it was opened, or since this was last so: by half of what it was, and by 16 MB
  /// at least, while an old version is in use.
  ///
  /// To be called after a commit.
  package var hasGrownForOldVersions: Bool {
    let pages = environment.end / EntryStore.pageSize
    let former = notedPageCount.load(ordering: .relaxed)
    if former == 0 {
      notedPageCount.store(pages, ordering: .relaxed)
      return false
    }
    let grown = pages - former
    if grown < max(former / 2, (16 << 20) / EntryStore.pageSize) { return false }
    notedPageCount.store(pages, ordering: .relaxed)
    guard let oldest = oldestPinnedVersion, oldest < newestVersion else { return false }
    return true
  }
}
