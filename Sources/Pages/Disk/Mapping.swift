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

  private init(
    _ size: Int, _ protection: Int32, _ flags: Int32, _ file: OwnedDescriptor?
  ) throws(PageError) {
    guard let start = mmap(nil, size, protection, flags, file?.number ?? -1, 0), start != MAP_FAILED else {
      throw .system(errno)
    }
    (self.start, self.size, self.file) = (start, size, file)
    if let file { Forks.add(.init(start: start, size: size, descriptor: file.number)) }
  }

  /// Maps the beginning of a file, read-only.
  convenience init(_ file: OwnedDescriptor, size: Int) throws(PageError) {
    try self.init(size, PROT_READ, MAP_SHARED, file)
  }

  /// Maps zeros, of which only the pages that are written to take memory.
  convenience init(zeros size: Int) throws(PageError) {
    try self.init(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, nil)
  }

  deinit {
    if file != nil { Forks.removeMap(start) }
    munmap(start, size)
  }
}
