import LibC

extension DatabaseFile {
  /// The bytes of the file, and those of them that hold data.
  package var size: (total: Int, used: Int) {
    let pageSize = environment.pageSize
    let pages = environment.lastPage + 1
    var file = stat()
    let isKnown = (try? environment.descriptor).map { fstat($0, &file) == 0 } ?? false
    let total = isKnown ? Int(file.st_size) : pages * pageSize
    return (total, (pages - pageCount(freedAfter: 0)) * pageSize)
  }

  /// The size by which the block decides whether to compact the file.
  var sizeForCompaction: (total: Int, used: Int) { size }

  package var isEncrypted: Bool { checkedPlaces.openedValues != nil }

  /// The bytes of its values that are decrypted in memory.
  package var decryptedSize: Int { checkedPlaces.openedValues?.size ?? 0 }

  /// Gives the disk back what lies behind the last page, as commits leave it there for which there was no space. Waits for
  /// others who write.
  package func truncateUnusedEnd() {
    takeWriting()
    defer { returnWriting() }
    var information = stat()
    let end = (environment.lastPage + 1) * environment.pageSize
    guard !isReadOnly, let descriptor = try? environment.descriptor, fstat(descriptor, &information) == 0,
      information.st_size > end
    else { return }
    // No version has a page there, and who writes next makes the file longer again.
    ftruncate(descriptor, off_t(end))
  }
}
