import LibC
import Synchronization

/// The file in memory, and what of it was found sound.
///
/// An extent is checked when it is first touched: its checksum, and the form of a node. For the first unit of each sound
/// extent a table has a mark of its reference. So what is written to the same place later is checked again, and the table needs
/// no lock.
///
/// Of an encrypted file, extents are decrypted at first touch into memory of the same layout, so that addresses and the way of a
/// read are the same.
///
/// Invariants: `stored` shows the file read-only, `limit` bytes of address space; `base` is the same, or the memory for what was
/// decrypted; no process writes to extents that a version in use has, so that what was sound stays so. Safe from several threads.
final class FileMap: @unchecked Sendable {
  private let stored: UnsafeRawPointer
  let base: UnsafeRawPointer
  let limit: Int
  private let sound: UnsafeMutableRawPointer
  private let file: DiskFile
  private let knownSize = Atomic<Int>(0)

  /// - Parameter limit: How large the file can become. That much address space is taken, and a 128th of it.
  init(_ file: DiskFile, limit: Int) throws(PageError) {
    self.file = file
    self.limit = limit
    stored = UnsafeRawPointer(try Self.map(limit, PROT_READ, MAP_SHARED, file.owned.number))
    madvise(UnsafeMutableRawPointer(mutating: stored), limit, MADV_RANDOM)
    let writable = PROT_READ | PROT_WRITE
    let anonymous = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    do throws(PageError) {
      sound = try Self.map(Self.tableSize(limit), writable, anonymous, -1)
    } catch {
      munmap(UnsafeMutableRawPointer(mutating: stored), limit)
      throw error
    }
    do throws(PageError) {
      base = file.cipher == nil ? stored : UnsafeRawPointer(try Self.map(limit, writable, anonymous, -1))
    } catch {
      munmap(UnsafeMutableRawPointer(mutating: stored), limit)
      munmap(sound, Self.tableSize(limit))
      throw error
    }
  }

  private static func map(
    _ size: Int, _ protection: Int32, _ flags: Int32, _ descriptor: Int32
  ) throws(PageError) -> UnsafeMutableRawPointer {
    guard let map = mmap(nil, size, protection, flags, descriptor, 0), map != MAP_FAILED else {
      throw .system(errno)
    }
    return map
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: stored), limit)
    munmap(sound, Self.tableSize(limit))
    if base != stored { munmap(UnsafeMutableRawPointer(mutating: base), limit) }
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
    try file.checkOwner()
    let offset = Int(reference.unit) * FileLayout.unit
    let end = offset + reference.storedLength
    if end > knownSize.load(ordering: .relaxed) {
      let size = min(try file.size, limit)
      if end > size { throw .damaged("unit \(reference.unit) is beyond the end") }
      knownSize.store(size, ordering: .relaxed)
    }
    if reference.isEncrypted != (file.cipher != nil) {
      throw .damaged("the kind of unit \(reference.unit)")
    }
    if let cipher = file.cipher { return try decrypt(reference, cipher) }
    try check(reference, Checksum128(of: base + offset, count: Int(reference.length)) == reference.sum)
    mark(Int(reference.unit)).pointee.store(Self.mark(of: reference), ordering: .releasing)
    return base + offset
  }

  private func check(_ reference: Reference, _ isSound: Bool) throws(PageError) {
    if !isSound { throw .damaged("the checksum of unit \(reference.unit)") }
    if !reference.isValue && !Node(base + Int(reference.unit) * FileLayout.unit).isWellFormed(reference) {
      throw .damaged("the form of the node at unit \(reference.unit)")
    }
  }

  /// No mark is even: a thread writes to the memory of the extent, and others wait.
  private static let busy: UInt32 = 2

  private func decrypt(_ reference: Reference, _ cipher: PageCipher) throws(PageError) -> UnsafeRawPointer {
    let offset = Int(reference.unit) * FileLayout.unit
    let (mark, wanted) = (mark(Int(reference.unit)), Self.mark(of: reference))
    while true {
      let found = mark.pointee.load(ordering: .acquiring)
      if found == wanted { return base + offset }
      if found != Self.busy,
        mark.pointee.compareExchange(expected: found, desired: Self.busy, ordering: .acquiringAndReleasing)
          .exchanged
      {
        break
      }
      sched_yield()
    }
    do throws(PageError) {
      let target = UnsafeMutableRawPointer(mutating: base + offset)
      try check(reference, cipher.open(stored + offset, reference, to: target))
    } catch {
      mark.pointee.store(0, ordering: .releasing)
      throw error
    }
    mark.pointee.store(wanted, ordering: .releasing)
    return base + offset
  }
}
