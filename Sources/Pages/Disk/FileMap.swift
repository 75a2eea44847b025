import LibC
import Synchronization

/// The file in memory, and what of it was found sound.
///
/// An extent is verified when it is first touched: its checksum, and the form of a node. See `SoundMarks`.
///
/// Of an encrypted file, extents are decrypted at first touch into memory of the same layout, so that addresses and the way of a
/// read are the same. See `DecryptedMemory`: there a reader has to say what it touches, so that it stays.
///
/// Invariants: `base` shows a plain file read-only, `limit` bytes of address space, or is the memory for what was decrypted; no
/// process writes to extents that a version in use has, so that what was sound stays so. Safe from several threads.
final class FileMap: @unchecked Sendable {
  let base: UnsafeRawPointer
  let limit: Int
  let decrypted: DecryptedMemory?
  private let stored: Mapping?
  private let marks: SoundMarks
  let file: DiskFile
  private let knownSize = Atomic<Int>(0)
  private let readAhead = ReadAhead()

  /// - Parameters:
  ///   - limit: Maximum size of the file in bytes. That much address space is taken, and some hundredths of it.
  ///   - decryptedLimit: Maximum number of decrypted bytes that are kept without a reader that needs them.
  init(_ file: DiskFile, limit: Int, decryptedLimit: Int) throws(PageError) {
    self.file = file
    self.limit = limit
    marks = try SoundMarks(limit: limit)
    if file.cipher != nil {
      let decrypted = try DecryptedMemory(marks, limit: limit, idleLimit: decryptedLimit)
      (stored, self.decrypted) = (nil, decrypted)
      base = UnsafeRawPointer(decrypted.base)
    } else {
      let stored = try Mapping(file.owned, size: limit)
      (self.stored, decrypted) = (stored, nil)
      base = UnsafeRawPointer(stored.start)
      madvise(stored.start, limit, MADV_RANDOM)
    }
  }

  /// Makes the system forget what of the file was read here: it can drop it from its memory then, and what is read next is read anew.
  func letGo() { if let stored { madvise(stored.start, stored.size, MADV_DONTNEED) } }

  /// A map of the same file, of which nothing has been found sound yet, with addresses for what it has now and for what others
  /// are just writing.
  func again() throws(PageError) -> FileMap {
    let size = ((try file.size) + 1 << 28) & ~(FileLayout.block - 1)
    return try FileMap(file, limit: min(limit, size), decryptedLimit: 0)
  }

  /// The bytes of an extent, at an address that holds as long as a version that has it is in use, and what is pinned with it.
  ///
  /// - Parameter pins: What the reader pins, from `makePins`. Nil for a plain file.
  @inline(__always)
  func content(
    _ reference: Reference, _ pins: Unmanaged<PinnedBlocks>?
  ) throws(PageError) -> UnsafeRawPointer {
    let unit = Int(reference.unit)
    if let pins {
      if pins._withUnsafeGuaranteedRef({ $0.contains(reference) }),
        marks[unit].pointee.load(ordering: .acquiring) == marks.mark(of: reference)
      {
        return base + unit * FileLayout.unit
      }
      return try pinAndDecrypt(reference, pins)
    }
    if unit < limit / FileLayout.unit,
      marks[unit].pointee.load(ordering: .acquiring) == marks.mark(of: reference)
    {
      return base + unit * FileLayout.unit
    }
    return try verify(reference)
  }

  /// Notes what this process writes: its checksum was made of what a plain file shows as soon as it is written. The mark is that of
  /// nothing else, if it never is.
  func noteWritten(_ reference: Reference) {
    if decrypted != nil { return }
    marks[Int(reference.unit)].pointee.store(marks.mark(of: reference), ordering: .releasing)
  }

  /// Calls the body with the bytes of an extent, which stay there until it returns.
  func withContent<Result>(
    _ reference: Reference, _ body: (UnsafeRawPointer) throws(PageError) -> Result
  ) throws(PageError) -> Result {
    guard let decrypted else { return try body(content(reference, nil)) }
    try checkPlace(reference)
    return try decrypted.pinning(decrypted.blocks(reference)) { () throws(PageError) in
      try body(decrypt(reference))
    }
  }

  /// Whether this process has opened the file.
  var isOwn: Bool { file.owned.isOwn }

  // MARK: What a reader of an encrypted file pins

  /// Pins of a new reader; nil for a plain file.
  func makePins() throws(PageError) -> PinnedBlocks? { try decrypted?.makePins() }

  /// Ends the use of the pins.
  func free(_ pins: PinnedBlocks?) { if let pins { decrypted?.free(pins) } }

  // MARK: First touch

  @inline(never)
  private func verify(_ reference: Reference) throws(PageError) -> UnsafeRawPointer {
    try checkPlace(reference)
    let start = base + Int(reference.unit) * FileLayout.unit
    readAhead.prepare(start, Int(reference.length))
    try check(reference, Checksum128(of: start, count: Int(reference.length)) == reference.sum)
    marks[Int(reference.unit)].pointee.store(marks.mark(of: reference), ordering: .releasing)
    return start
  }

  private func checkPlace(_ reference: Reference) throws(PageError) {
    try file.checkOwner()
    let end = Int(reference.unit) * FileLayout.unit + reference.storedLength
    if end > knownSize.load(ordering: .relaxed) {
      let size = try file.size
      if end > size { throw .damaged("unit \(reference.unit) is beyond the end") }
      if end > limit { throw .system(ENOMEM) }
      knownSize.store(min(size, limit), ordering: .relaxed)
    }
    if reference.isEncrypted != (file.cipher != nil) {
      throw .damaged("the kind of unit \(reference.unit)")
    }
  }

  private func check(_ reference: Reference, _ isSound: Bool) throws(PageError) {
    if !isSound { throw .damaged("the checksum of unit \(reference.unit)") }
    if !reference.isValue && !Node(base + Int(reference.unit) * FileLayout.unit).isWellFormed(reference) {
      throw .damaged("the form of the node at unit \(reference.unit)")
    }
  }

  @inline(never)
  private func pinAndDecrypt(
    _ reference: Reference, _ pins: Unmanaged<PinnedBlocks>
  ) throws(PageError) -> UnsafeRawPointer {
    // A child of `fork` may have been made while its parent decrypted or evicted, and would wait for ever.
    try checkPlace(reference)
    if let decrypted { decrypted.pin(decrypted.blocks(reference), for: pins.takeUnretainedValue()) }
    return try decrypt(reference)
  }

  /// Decrypts an extent, unless a thread has done so. Its blocks are pinned.
  private func decrypt(_ reference: Reference) throws(PageError) -> UnsafeRawPointer {
    let unit = Int(reference.unit)
    let (mark, wanted) = (marks[unit], marks.mark(of: reference))
    while true {
      let found = mark.pointee.load(ordering: .acquiring)
      if found == wanted { return base + unit * FileLayout.unit }
      if found != SoundMarks.busy,
        mark.pointee.compareExchange(
          expected: found, desired: SoundMarks.busy, ordering: .acquiringAndReleasing
        ).exchanged
      {
        break
      }
      sched_yield()
    }
    do throws(PageError) {
      try check(reference, try read(reference))
    } catch {
      mark.pointee.store(0, ordering: .releasing)
      throw error
    }
    decrypted?.noteDecrypted(reference, mark: wanted)
    mark.pointee.store(wanted, ordering: .releasing)
    return base + unit * FileLayout.unit
  }

  /// Reads an extent and decrypts it in place. Returns whether it is what was written.
  private func read(_ reference: Reference) throws(PageError) -> Bool {
    guard let decrypted, let cipher = file.cipher else { return false }
    let offset = Int(reference.unit) * FileLayout.unit
    let target = decrypted.base + offset
    let count = try file.read(reference.storedLength, at: offset, to: target)
    return count == reference.storedLength && cipher.open(target, reference, to: target)
  }
}
