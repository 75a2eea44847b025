import LibC

/// A part of the address space, which is unmapped with this object.
///
/// The map of a file in a child of `fork` is one of the child's own (`Forks`).
///
/// Safe from several threads: the address and the size stay what they are.
final class Mapping: @unchecked Sendable {
  let start: UnsafeMutableRawPointer
  let size: Int
  /// Open as long as the map is there: a child of `fork` finds the file by it. Nil of zeros.
  private let file: OwnedDescriptor?

  /// Maps the beginning of a file, read-only.
  init(_ file: OwnedDescriptor, size: Int) throws(PageError) {
    guard let start = Forks.map(file.number, size: size) else { throw .system(errno) }
    (self.start, self.size, self.file) = (start, size, file)
  }

  /// Maps zeros, of which only the pages that are written to take memory.
  init(zeros size: Int) throws(PageError) {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    guard let start = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), start != MAP_FAILED else {
      throw .system(errno)
    }
    (self.start, self.size, file) = (start, size, nil)
  }

  deinit {
    if file != nil { Forks.removeMap(start) }
    munmap(start, size)
  }
}
