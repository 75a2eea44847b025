import LibC

/// A file whose creation failed, because the disk was full, the process died or the system failed: LMDB had not written or
/// not synced its two first pages, and no transaction was ever committed.
///
/// The test admits no other files: only a small file whose meta pages are LMDB's initial ones, as far as they exist, or
/// two pages of zeros.
enum UnfinishedFile {
  /// The first commit writes fewer pages than this.
  private static let pageLimit = 64

  /// Truncates such a file, so that it is created again. The caller holds the writer lock.
  static func empty(descriptor: Int32, _ location: FileLocation) throws(StorageError) {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw .system(errno, path: location.path) }
    let pageSize = LMDBPage.size
    let size = Int(information.st_size)
    guard information.st_mode & S_IFMT == S_IFREG, size >= 512, size <= pageLimit * pageSize else { return }
    var content = [UInt8](repeating: 0, count: size)
    guard pread(descriptor, &content, size, 0) == size,
      content.withUnsafeBytes({ isUnfinished($0, pageSize: pageSize) }),
      try !LockFile.isInUse(path: location.lockPath)
    else { return }
    if ftruncate(descriptor, 0) != 0 { throw .system(errno, path: location.path) }
  }

  private static func isUnfinished(_ content: UnsafeRawBufferPointer, pageSize: Int) -> Bool {
    let pages = (0..<2).map { page in
      UnsafeRawBufferPointer(
        rebasing: content[min(page * pageSize, content.count)..<content.count].prefix(pageSize))
    }
    let isZero = pages.map { $0.allSatisfy { $0 == 0 } }
    // As long as LMDB makes a file before its first transaction.
    if isZero[0] && isZero[1] { return content.count <= 2 * pageSize }
    // LMDB opens a file that has both.
    if content.count >= 2 * pageSize && !isZero[0] && !isZero[1] { return false }
    return pages.indices.allSatisfy { isZero[$0] || MetaPage.isInitial(pages[$0], number: $0) }
  }
}
