import LibC

/// A part of the address space, which is unmapped with this object.
///
/// A child of `fork` has no map of a file, which would keep the locks of its parent's descriptor as long as it lives: other memory may
/// be at the place.
///
/// Safe from several threads: the address and the size stay what they are.
final class Mapping: @unchecked Sendable {
  let start: UnsafeMutableRawPointer
  let size: Int
  /// Nil of zeros.
  private let file: OwnedDescriptor?

  private init(
    _ size: Int, _ protection: Int32, _ flags: Int32, _ file: OwnedDescriptor?
  ) throws(PageError) {
    guard let start = mmap(nil, size, protection, flags, file?.number ?? -1, 0), start != MAP_FAILED else {
      throw .system(errno)
    }
    (self.start, self.size, self.file) = (start, size, file)
  }

  /// Maps the beginning of a file, read-only.
  convenience init(_ file: OwnedDescriptor, size: Int) throws(PageError) {
    try self.init(size, PROT_READ, MAP_SHARED, file)
    madvise(start, size, MADV_DONTFORK)
  }

  /// Maps zeros, of which only the pages that are written to take memory.
  convenience init(zeros size: Int) throws(PageError) {
    try self.init(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, nil)
  }

  deinit { if file?.isOwn ?? true { munmap(start, size) } }
}
