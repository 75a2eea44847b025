import LibC
import Synchronization

/// The decrypted content of an encrypted file, in memory of the layout of the file.
///
/// An extent is decrypted when a reader first touches it. Readers pin the blocks that they touch (`PinnedBlocks`), and each block has
/// a count of its readers. The blocks that no reader pins stay in memory up to a limit; beyond it, those that were released first are
/// evicted: the marks of the extents in them are cleared, so that the next reader decrypts them again, and the memory is returned to
/// the system.
///
/// The state of a block is one word: the number of readers, and two flags. A thread that evicts the block sets `evicting` while that
/// number is 0, clears the marks, returns the memory, and clears `evicting`. A reader that pins the block meanwhile waits for the last
/// of these steps, and reads marks only afterwards. So no reader takes zeros for content.
///
/// Invariants: a thread sets the mark of an extent only while all blocks of the extent are pinned. `covering` and `coveringMark` of a
/// block say the extent that was last decrypted across the beginning of the block: it begins in another block, and its mark is
/// cleared when this block is evicted. Safe from several threads; a child of `fork` pins nothing.
final class DecryptedMemory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  private let mapping: Mapping
  private let table: Mapping
  private let marks: SoundMarks
  private let blockLimit: Int
  /// Maximum number of bytes that stay in memory and that no reader pins.
  let idleLimit: Int
  private let idle = Mutex(IdleBlocks())
  private let unusedPins = Mutex<[PinnedBlocks]>([])
  /// Number of blocks that a reader pins, or that are among the idle ones.
  private let heldCount = Atomic(0)

  /// The size of a block in bytes is 2 to the power of this. The system takes back no less than a page.
  private static let blockShift = max(FileLayout.block, sysconf(Int32(_SC_PAGESIZE))).trailingZeroBitCount
  private let blockShift = DecryptedMemory.blockShift
  var blockSize: Int { 1 << blockShift }
  /// Maximum number of blocks that are evicted at once, while which readers that pin them wait.
  private static let batchLimit = 256
  private static let unusedPinsLimit = 32

  private struct Block {
    static let size = 16
    let state: UnsafeMutablePointer<Atomic<UInt32>>
    let coveringMark: UnsafeMutablePointer<Atomic<UInt32>>
    let covering: UnsafeMutablePointer<Atomic<UInt64>>
  }

  private static let evicting: UInt32 = 1 << 31
  /// The block is among the idle ones. It may be pinned again all the same.
  private static let queued: UInt32 = 1 << 30
  private static let countMask: UInt32 = queued - 1

  /// Blocks in the order in which they were released.
  private struct IdleBlocks {
    private var blocks: [UInt32] = []
    private var first = 0

    var count: Int { blocks.count - first }

    mutating func append(_ more: [UInt32]) { blocks += more }

    mutating func removeFirst() -> Int {
      defer {
        first += 1
        if first > 1024 && first > blocks.count / 2 {
          blocks.removeFirst(first)
          first = 0
        }
      }
      return Int(blocks[first])
    }
  }

  /// - Parameter limit: Maximum size of the file in bytes.
  init(_ marks: SoundMarks, limit: Int, idleLimit: Int) throws(PageError) {
    self.marks = marks
    self.idleLimit = idleLimit
    blockLimit = (limit + 1 << blockShift - 1) >> blockShift
    mapping = try Mapping(zeros: limit)
    table = try Mapping(zeros: blockLimit * Block.size)
    base = mapping.start
    // A huge page would be in memory as a whole for each block in it.
    madvise(base, limit, MADV_NOHUGEPAGE)
  }

  private func block(_ number: Int) -> Block {
    let place = table.start + number * Block.size
    return Block(
      state: place.assumingMemoryBound(to: Atomic<UInt32>.self),
      coveringMark: (place + 4).assumingMemoryBound(to: Atomic<UInt32>.self),
      covering: (place + 8).assumingMemoryBound(to: Atomic<UInt64>.self))
  }

  /// Number of bytes that are in memory.
  @inline(__always)
  var size: Int { heldCount.load(ordering: .relaxed) << blockShift }

  /// The blocks of an extent.
  func blocks(_ reference: Reference) -> ClosedRange<Int> { reference.blocks(shift: blockShift) }

  // MARK: Pinning

  func makePins() throws(PageError) -> PinnedBlocks {
    if let unused = unusedPins.withLock({ $0.popLast() }) { return unused }
    return try PinnedBlocks(blockLimit: blockLimit, blockShift: blockShift)
  }

  /// Releases everything that is pinned, and the object.
  func free(_ pins: PinnedBlocks) {
    release(pins)
    unusedPins.withLock { if $0.count < Self.unusedPinsLimit { $0.append(pins) } }
  }

  /// Pins blocks until `release`.
  func pin(_ blocks: ClosedRange<Int>, for pins: PinnedBlocks) { pins.add(blocks) { pin($0) } }

  /// Releases everything that a reader pins.
  func release(_ pins: PinnedBlocks) { pins.removeAll { unpin($0) } }

  /// Lets another reader pin what a reader pins.
  func move(_ pins: PinnedBlocks, to other: PinnedBlocks) { pins.removeAll { unpin(other.takeOver($0)) } }

  /// Calls the body while blocks are pinned.
  func pinning<Result>(
    _ blocks: ClosedRange<Int>, _ body: () throws(PageError) -> Result
  ) throws(PageError) -> Result {
    for number in blocks { pin(number) }
    defer { unpin(blocks.map { UInt32($0) }) }
    return try body()
  }

  private func pin(_ number: Int) {
    let state = block(number).state
    let before = state.pointee.add(1, ordering: .acquiringAndReleasing)
    if before.oldValue & (Self.countMask | Self.queued) == 0 { heldCount.add(1, ordering: .relaxed) }
    var found = before.newValue
    while found & Self.evicting != 0 {
      sched_yield()
      found = state.pointee.load(ordering: .acquiring)
    }
  }

  private func unpin(_ numbers: [UInt32]) {
    let released = numbers.filter { unpin(Int($0)) }
    if released.isEmpty { return }
    idle.withLock { $0.append(released) }
    evict()
  }

  /// Returns whether the block becomes idle, and its caller has to say so.
  private func unpin(_ number: Int) -> Bool {
    let state = block(number).state
    var found = state.pointee.load(ordering: .relaxed)
    while true {
      precondition(found & Self.countMask > 0)
      let becomesIdle = found & Self.countMask == 1 && found & Self.queued == 0
      let (isDone, now) = state.pointee.compareExchange(
        expected: found, desired: becomesIdle ? found - 1 | Self.queued : found - 1,
        ordering: .acquiringAndReleasing)
      if isDone { return becomesIdle }
      found = now
    }
  }

  // MARK: Evicting

  /// Notes that an extent was decrypted. All of its blocks are pinned.
  func noteDecrypted(_ reference: Reference, mark: UInt32) {
    for number in blocks(reference).dropFirst() {
      let block = block(number)
      block.covering.pointee.store(reference.unit, ordering: .relaxed)
      block.coveringMark.pointee.store(mark, ordering: .relaxed)
    }
  }

  /// Evicts idle blocks while there are more than the limit says.
  private func evict() {
    while true {
      let claimed = idle.withLock { idle in
        var claimed: [Int] = []
        let limit = idleLimit / blockSize
        if idle.count <= limit { return claimed }
        // An eighth less, so that blocks that lie side by side are evicted at once.
        while idle.count > limit - limit / 8, claimed.count < Self.batchLimit {
          let number = idle.removeFirst()
          if claim(number) { claimed.append(number) }
        }
        return claimed
      }
      if claimed.isEmpty { return }
      heldCount.subtract(claimed.count, ordering: .relaxed)
      evict(claimed.sorted())
    }
  }

  /// Takes a block out of the idle ones. Returns whether no reader pins it, and the caller has to evict it.
  private func claim(_ number: Int) -> Bool {
    let state = block(number).state
    var found = state.pointee.load(ordering: .relaxed)
    while true {
      let isIdle = found & Self.countMask == 0
      let (isDone, now) = state.pointee.compareExchange(
        expected: found, desired: isIdle ? Self.evicting : found & ~Self.queued,
        ordering: .acquiringAndReleasing)
      if isDone { return isIdle }
      found = now
    }
  }

  private func evict(_ claimed: [Int]) {
    var start = 0
    while start < claimed.count {
      var end = start + 1
      while end < claimed.count, claimed[end] == claimed[end - 1] + 1 { end += 1 }
      for number in claimed[start..<end] { clearMarks(number) }
      // If this fails, as for memory that is locked, the content stays and is decrypted again all the same.
      madvise(base + claimed[start] * blockSize, (end - start) * blockSize, MADV_DONTNEED)
      for number in claimed[start..<end] {
        block(number).state.pointee.bitwiseAnd(~Self.evicting, ordering: .releasing)
      }
      start = end
    }
  }

  private func clearMarks(_ number: Int) {
    let units = blockSize / FileLayout.unit
    for unit in number * units..<(number + 1) * units where marks[unit].pointee.load(ordering: .relaxed) != 0
    {
      marks[unit].pointee.store(0, ordering: .relaxed)
    }
    let block = block(number)
    let covering = Int(block.covering.pointee.exchange(0, ordering: .relaxed))
    if covering == 0 { return }
    // Another extent may begin there now, which does not reach this block and may be in use.
    _ = marks[covering].pointee.compareExchange(
      expected: block.coveringMark.pointee.load(ordering: .relaxed), desired: 0, ordering: .relaxed)
  }
}

extension Reference {
  /// The blocks in which the extent is stored.
  ///
  /// - Parameter shift: The size of a block is 2 to the power of this.
  @inline(__always)
  func blocks(shift: Int) -> ClosedRange<Int> {
    // Units have 40 bits, and lengths 32.
    let start = Int(truncatingIfNeeded: unit) &* FileLayout.unit
    let last = start &+ max(storedLength, 1) &- 1
    return ClosedRange(uncheckedBounds: (start &>> shift, last &>> shift))
  }
}
