import LibC

/// The pages of a file in memory. What a journal has is written over a private copy of them: the file itself is never changed.
///
/// Invariant: `base` has `pageCount` whole pages until the object is freed. No process may truncate the file meanwhile.
final class PageMap {
  let base: UnsafeRawPointer
  let pageSize: Int
  let pageCount: Int
  /// The number of bytes of the file.
  let fileSize: Int
  private let mappedSize: Int
  private let process = getpid()

  /// A journal does not add more pages to a file.
  private static let addedPageLimit = 1 << 20

  /// - Parameters:
  ///   - pageCount: Number of pages that a journal has pages for.
  ///   - write: Writes the journal's pages; nil if there are none.
  init(
    _ descriptor: Int32, fileSize: Int, pageSize: Int, pageCount: Int = 0,
    _ write: ((UnsafeMutableRawPointer) -> Void)? = nil
  ) throws(EarlierFileError) {
    self.fileSize = fileSize
    self.pageSize = pageSize
    guard pageCount <= fileSize / pageSize + Self.addedPageLimit else {
      throw .damaged("its journal has pages far behind its end")
    }
    self.pageCount = max(fileSize / pageSize, pageCount)
    mappedSize = max(fileSize, pageCount * pageSize)
    guard let write else {
      let map = mmap(nil, mappedSize, PROT_READ, MAP_SHARED, descriptor, 0)
      guard let map, map != MAP_FAILED else { throw .system(errno) }
      base = UnsafeRawPointer(map)
      leaveOutOfForks()
      return
    }
    let access = PROT_READ | PROT_WRITE
    let map = mmap(nil, mappedSize, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let map, map != MAP_FAILED else { throw .system(errno) }
    let file = mmap(map, fileSize, access, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, descriptor, 0)
    guard file != MAP_FAILED else {
      let code = errno
      munmap(map, mappedSize)
      throw .system(code)
    }
    write(map)
    base = UnsafeRawPointer(map)
    leaveOutOfForks()
  }

  /// In a child of `fork`, the map would keep the locks of the descriptor as long as the child lives.
  private func leaveOutOfForks() {
    madvise(UnsafeMutableRawPointer(mutating: base), mappedSize, MADV_DONTFORK)
  }

  // In a child, other memory may be there.
  deinit { if getpid() == process { munmap(UnsafeMutableRawPointer(mutating: base), mappedSize) } }

  @inline(__always) func page(_ number: UInt64) -> UnsafeRawPointer { base + Int(number) * pageSize }
}
