import LibC
import Synchronization

/// What the processes that have a file open share: the memory of the lock file. The first process that opens the
/// file rebuilds it; it says nothing that could not be found out from the data, but which version was durable before an fsync failed.
///
/// Layout: words (see `Word`) · 504 the mark of a lock file (`LockFileMark`) · 512 what is known of the last four versions
/// (`PublishedVersion`) · 2048 of the durable version and the one that is being synchronised · 3072 the last failure (`Failure`) · 4096
/// readers of 64 bytes; then the lists of extents that were given up, and the bitmap of units in use, each in an area of its own
/// (`Area`), which is mapped and for which space is taken from the disk before it is touched.
///
/// Invariants: all words are read and written whole, in one order for all processes, but for parts of what another word makes count:
/// a process that sees one of these also sees what was stored before it; which processes use the memory is known from locks
/// (`FileUsers`). A process may die between any two stores: what is found then is repaired by the next writer
/// (`PageStore.repairAfterDeadWriter`), and what is not repaired is space that is not found before the next rebuild.
final class LockMemory: @unchecked Sendable {
  enum Word: Int {
    /// Which file (`PageStore.readiness`), when the memory may be used; else 0.
    case ready = 0
    case newest = 8
    /// Not 0: no process may write. See `Poison`.
    case poisoned = 16
    /// The version that a writer is making; 0 when none does. Not 0 in a writer's eyes: that one died.
    case working = 24
    case end = 32
    case fileNumber = 40
    case life = 48
    /// How many readers were ever in use.
    case readerCount = 56
    case givenUpCount = 64
    case heldCount = 72
    case holderCount = 80
    case recordCount = 88
    /// Where the last search for free space ended, in units.
    case cursor = 96
    /// The newest version that is said in a slot to be the durable one.
    case confirmed = 104
    /// How often the durable version was replaced: its lowest bit says which of two places it is in.
    case durableTurn = 112
    case syncing = 120
    /// How often the file was opened since the memory was made.
    case openings = 128
    /// Not 0: no process has written since the memory was made, and the bitmap and the lists say nothing yet.
    case spaceUnknown = 136
    /// Number of units that are kept only because the durable version needs them, as of the last search for free space.
    case heldForDisk = 144
    /// Size in bytes that the file has on the disk at least; 0 when that is not known.
    case syncedSize = 152
    /// In which boot of the system the memory was made (`PageStore.boot`); 0 where the system does not tell it.
    case boot = 160
    /// How many units of the bitmap are in use.
    case usedCount = 168
    /// Boot in which an fsync failed; 0 after an opening that came to its end. The `Failure` is stored behind it.
    case failed = 3072
  }

  /// Why no process may write before all have closed the file.
  enum Poison {
    /// A synchronisation failed: what is newer than the durable version may be lost.
    static let unsynchronised: UInt64 = 1
    /// The record of a commit that failed is still in the file, which the next opener must not take for a version.
    static let unerased: UInt64 = 2
  }

  static let readersStart = 4096
  static let readerLimit = 2048
  static let readerSize = 64
  private static let headerSize = readersStart + readerLimit * readerSize

  let base: UnsafeMutableRawPointer
  let descriptor: OwnedDescriptor
  private let size: Int
  /// How many bytes of each area are mapped: the rest of its addresses is taken, but nothing is there.
  private let mapped = Mutex([Int](repeating: 0, count: Area.allCases.count))
  let watcher: (any StoreWatcher)?
  /// Which of the openings this one is.
  private(set) var opening: UInt64 = 0

  /// - Parameters:
  ///   - mapLimit: How large the file of pages can become.
  ///   - expected: The lock file; nil for the one that is there, or is made.
  init(
    path: String, mapLimit: Int, expecting expected: FileIdentity? = nil, watcher: (any StoreWatcher)?
  ) throws(PageError) {
    self.watcher = watcher
    descriptor = try OwnedDescriptor.open(path, O_RDWR | O_CREAT, expecting: expected)
    size = Area.bitmap.start + mapLimit / FileLayout.block + Area.step
    let addresses = mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let addresses, addresses != MAP_FAILED else { throw .system(errno) }
    base = addresses
    try map(0..<Self.headerSize, offset: 0)
    try allocate(0..<Self.headerSize)
    // Before any word has a value.
    if load(LockFileMark.offset) != LockFileMark.word { store(LockFileMark.word, LockFileMark.offset) }
  }

  /// - Parameter start: Where the bytes count from.
  private func map(_ bytes: Range<Int>, from start: Int = 0, offset: Int) throws(PageError) {
    let place = base + start + bytes.lowerBound
    let map = Forks.mapLeftOutOfChildren(
      descriptor.number, at: place, bytes.count, PROT_READ | PROT_WRITE, offset: offset)
    if map == nil { throw .system(errno) }
  }

  /// The memory for a process that only reads it; nil when it cannot be mapped, or is not trusted.
  init?(viewing path: String, trusting isTrusted: (Int32) -> Bool) {
    guard let opened = try? OwnedDescriptor.open(path, O_RDONLY, expecting: nil) else { return nil }
    descriptor = opened
    var information = stat()
    guard isTrusted(opened.number), fstat(opened.number, &information) == 0,
      information.st_size >= Self.headerSize,
      let map = Forks.mapLeftOutOfChildren(opened.number, Self.headerSize, PROT_READ)
    else { return nil }
    (base, size, watcher) = (map, Self.headerSize, nil)
  }

  // A child of `fork` does not have all of it, so that other memory may be there.
  deinit { if descriptor.isOwn { munmap(base, size) } }

  // MARK: Words

  @inline(__always)
  func atomic(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    (base + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  @inline(__always)
  func load(_ offset: Int) -> UInt64 { atomic(offset).pointee.load(ordering: .sequentiallyConsistent) }

  @inline(__always)
  func store(_ value: UInt64, _ offset: Int) {
    watcher?.willStore()
    atomic(offset).pointee.store(value, ordering: .sequentiallyConsistent)
  }

  /// Stores a word of what counts only when another word says so, which is stored next.
  @inline(__always)
  func storePart(_ value: UInt64, _ offset: Int) {
    watcher?.willStore()
    atomic(offset).pointee.store(value, ordering: .releasing)
  }

  subscript(word: Word) -> UInt64 {
    @inline(__always) get { load(word.rawValue) }
    @inline(__always) set { store(newValue, word.rawValue) }
  }

  /// Reads a reference, word by word. Between two words it may become another one.
  func reference(_ offset: Int) -> Reference {
    withUnsafeTemporaryAllocation(byteCount: Reference.size, alignment: 8) { bytes in
      for place in stride(from: 0, to: Reference.size, by: 8) {
        bytes.storeBytes(of: load(offset + place), toByteOffset: place, as: UInt64.self)
      }
      return Reference(at: bytes.baseAddress!)
    }
  }

  /// Stores the parts of a reference, which counts only when another word says so.
  func storeParts(_ reference: Reference, _ offset: Int) {
    withUnsafeTemporaryAllocation(byteCount: Reference.size, alignment: 8) { bytes in
      reference.store(at: bytes.baseAddress!)
      for place in stride(from: 0, to: Reference.size, by: 8) {
        storePart(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self), offset + place)
      }
    }
  }

  /// Takes a number that no other process that uses the memory has had.
  func beginOpening() {
    watcher?.willStore()
    opening =
      atomic(Word.openings.rawValue).pointee.add(1, ordering: .sequentiallyConsistent).newValue & 0xFFFF_FFFF
  }

  /// Notes that a record is left, unless a synchronisation has failed, which takes back more.
  func poisonAsUnerased() {
    watcher?.willStore()
    _ = atomic(Word.poisoned.rawValue).pointee.compareExchange(
      expected: 0, desired: Poison.unerased, ordering: .sequentiallyConsistent)
  }

  // MARK: Growing

  /// Takes space for a part of the lock file from the disk.
  private func allocate(_ bytes: Range<Int>) throws(PageError) {
    var code: Int32
    repeat {
      code = posix_fallocate(descriptor.number, off_t(bytes.lowerBound), off_t(bytes.count))
    } while code == EINTR
    if code != 0 { throw .system(code) }
  }

  /// Maps the first bytes of an area at least: a process that only reads needs none of them. From any thread.
  ///
  /// - Throws: `ENOSPC` if the area cannot become as large.
  func map(_ area: Area, _ bytes: Int) throws(PageError) {
    if bytes > area.limit(size) { throw .system(ENOSPC) }
    try mapped.withLock { (mapped) throws(PageError) in
      if bytes <= mapped[area.rawValue] { return }
      for segment in Segment.all(of: area, before: area.limit(size), headerSize: Self.headerSize)
      where segment.bytes.lowerBound < bytes && segment.bytes.lowerBound >= mapped[area.rawValue] {
        try map(segment.bytes, from: area.start, offset: segment.offset)
        mapped[area.rawValue] = segment.bytes.upperBound
      }
    }
  }

  /// Number of bytes of each area that are allocated on the disk, as far as this process knows. Only the writer touches it.
  private var available = [Int](repeating: 0, count: Area.allCases.count)

  /// Maps a number of bytes of an area and takes room for them from the disk, so that touching them cannot fail. For the writer.
  func reserve(_ area: Area, _ bytes: Int) throws(PageError) {
    if bytes <= available[area.rawValue] { return }
    let wanted = (bytes + Area.step - 1) / Area.step * Area.step
    try map(area, wanted)
    for segment in Segment.all(of: area, before: wanted, headerSize: Self.headerSize)
    where segment.bytes.upperBound > available[area.rawValue] {
      try allocate(segment.offset..<segment.offset + segment.bytes.count)
    }
    available[area.rawValue] = wanted
  }

  /// Clears everything but the mark and what is known of a failure, for the only process that has the file open.
  ///
  /// - Parameter isKnown: Whether it is what processes of this boot have left.
  func clear(isKnown: Bool) {
    let readers = isKnown ? Int(min(self[.readerCount], UInt64(Self.readerLimit))) : Self.readerLimit
    for bytes in [Word.newest.rawValue..<LockFileMark.offset, LockFileMark.sectorSize..<Word.failed.rawValue]
    {
      memset(base + bytes.lowerBound, 0, bytes.count)
    }
    memset(base + Self.readersStart, 0, readers * Self.readerSize)
  }
}
