import LibC
import Synchronization

/// The file in memory, and what of it was found sound.
///
/// An extent is checked when it is first touched: its checksum, and the form of a node. For the first unit of each sound
/// extent a table has a mark of its reference. So what is written to the same place later is checked again, and the table needs
/// no lock.
///
/// Invariants: `base` shows the file read-only, `limit` bytes of address space; no process writes to extents that a version in use
/// has, so that what was sound stays so. Safe from several threads.
final class FileMap: @unchecked Sendable {
  let base: UnsafeRawPointer
  let limit: Int
  private let sound: UnsafeMutableRawPointer
  private let file: DiskFile
  private let knownSize = Atomic<Int>(0)

  /// - Parameter limit: How large the file can become. That much address space is taken, and a 128th of it.
  init(_ file: DiskFile, limit: Int) throws(PageError) {
    self.file = file
    self.limit = limit
    guard let map = mmap(nil, limit, PROT_READ, MAP_SHARED, file.owned.number, 0), map != MAP_FAILED else {
      throw .system(errno)
    }
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    guard let table = mmap(nil, Self.tableSize(limit), PROT_READ | PROT_WRITE, flags, -1, 0),
      table != MAP_FAILED
    else {
      let code = errno
      munmap(map, limit)
      throw .system(code)
    }
    madvise(map, limit, MADV_RANDOM)
    base = UnsafeRawPointer(map)
    sound = table
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: base), limit)
    munmap(sound, Self.tableSize(limit))
  }

  private static func tableSize(_ limit: Int) -> Int { limit / FileLayout.unit * 4 }

  @inline(__always)
  private func mark(_ unit: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
    (sound + unit * 4).assumingMemoryBound(to: Atomic<UInt32>.self)
  }

  @inline(__always)
  private static func mark(of reference: Reference) -> UInt32 {
    let kind = UInt32(reference.flags.rawValue) << 24 ^ UInt32(truncatingIfNeeded: reference.version)
    return (UInt32(truncatingIfNeeded: reference.sum.low) ^ (reference.length ^ kind) &* 0x9E37_79B1) | 1
  }

  /// The bytes of an extent, at an address that holds as long as a version that has it is in use.
  @inline(__always)
  func content(_ reference: Reference) throws(PageError) -> UnsafeRawPointer {
    let unit = Int(reference.unit)
    if unit < limit / FileLayout.unit,
      mark(unit).pointee.load(ordering: .acquiring) == Self.mark(of: reference)
    {
      return base + unit * FileLayout.unit
    }
    return try firstTouch(reference)
  }

  /// The bytes of the extent that a reference in a node leads to.
  @inline(__always)
  func content(at place: UnsafeRawPointer) throws(PageError) -> UnsafeRawPointer {
    try content(Reference(at: place))
  }

  @inline(never)
  private func firstTouch(_ reference: Reference) throws(PageError) -> UnsafeRawPointer {
    let offset = Int(reference.unit) * FileLayout.unit
    let length = Int(reference.length)
    if offset + length > knownSize.load(ordering: .relaxed) {
      let size = min(try file.size, limit)
      if offset + length > size { throw .damaged("unit \(reference.unit) is beyond the end") }
      knownSize.store(size, ordering: .relaxed)
    }
    let start = base + offset
    guard Checksum128(of: start, count: length) == reference.sum else {
      throw .damaged("the checksum of unit \(reference.unit)")
    }
    if !reference.isValue && !Node(start).isWellFormed(reference) {
      throw .damaged("the form of the node at unit \(reference.unit)")
    }
    mark(Int(reference.unit)).pointee.store(Self.mark(of: reference), ordering: .releasing)
    return start
  }
}
