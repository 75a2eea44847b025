import LibC

/// Which units of the file are in use: a bit each, in the shared memory. Only the writer changes them.
///
/// Invariant: memory is there for all units before `end` of the shared words, and for 64 bytes more.
struct UsedUnits {
  private let bytes: UnsafeMutablePointer<UInt8>
  private let memory: LockMemory

  init(_ memory: LockMemory) {
    self.memory = memory
    bytes = (memory.base + LockMemory.Area.bitmap.start).assumingMemoryBound(to: UInt8.self)
  }

  /// Makes room for the bits of `units` units.
  func reserve(_ units: Int) throws(PageError) { try memory.reserve(.bitmap, Self.size(units)) }

  private static func size(_ units: Int) -> Int { units / 8 + 64 }

  func contains(_ unit: Int) -> Bool { bytes[unit >> 3] & 1 << UInt8(unit & 7) != 0 }

  func set(_ units: Range<Int>, _ isUsed: Bool) {
    memory.watcher?.willStore()
    var change = 0
    var unit = units.lowerBound
    while unit < units.upperBound {
      let next = min(unit | 7, units.upperBound - 1) + 1
      let bits = UInt8(truncatingIfNeeded: (1 << (next - unit) - 1) << (unit & 7))
      let former = bytes[unit >> 3]
      let new = isUsed ? former | bits : former & ~bits
      bytes[unit >> 3] = new
      change += new.nonzeroBitCount - former.nonzeroBitCount
      unit = next
    }
    memory[.usedCount] = UInt64(max(0, Int(truncatingIfNeeded: memory[.usedCount]) + change))
  }

  func removeAll(before end: Int) {
    memset(bytes, 0, Self.size(end))
    memory[.usedCount] = 0
  }

  /// Number of units in use of the block that a unit is in.
  func count(inBlockOf unit: Int) -> Int { bytes[unit / FileLayout.unitsPerBlock].nonzeroBitCount }

  /// Where no unit is in use, in ranges of at most as many units as an extent can have.
  func freeRanges(before end: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var unit = 0
    while unit < end {
      let start = unit
      while unit < end, unit - start < GivenUpExtents.unitLimit, !contains(unit) { unit += 1 }
      if unit > start { ranges.append(start..<unit) } else { unit += 1 }
    }
    return ranges
  }

  /// The shortest run of whole free blocks that has as many units as wanted, so that long ones are kept for what needs them; or else the
  /// longest one of those that have at least as many as needed: a writer that takes small ones has to search again soon. Nothing is
  /// looked for that is longer than four times what is wanted.
  ///
  /// - Parameter patience: How many units are searched when one of the needed length was found.
  func freeRun(
    needed: Int, wanted: Int, in units: Range<Int>, patience: Int
  ) -> Range<Int>? {
    let wanted = FileLayout.blockStart(atOrAfter: max(needed, wanted))
    let end = FileLayout.blockStart(atOrAfter: units.upperBound)
    var found: Range<Int>?
    var first: Int?
    var unit = units.lowerBound & ~7
    func endRun() {
      guard let start = first else { return }
      first = nil
      let count = unit - start
      let isBetter =
        switch found?.count {
        case nil: count >= needed
        case let former? where former >= wanted: count >= wanted && count < former
        case let former?: count > former
        }
      if isBetter { found = start..<unit }
    }
    while unit < end {
      let free = freeBlocks(from: unit)
      if free & 0x80 == 0 {
        endRun()
        unit += Self.unitCount(before: free)
      } else {
        let start = first ?? unit
        first = start
        unit = min(unit + Self.unitCount(before: ~free & Self.blockBits), end, start + 4 * wanted)
        if unit - start >= 4 * wanted { endRun() }
      }
      if let found, found.count == wanted || unit - units.lowerBound > patience { return found }
    }
    endRun()
    return found
  }

  /// The highest bit of the byte of each block of a word.
  private static let blockBits: UInt64 = 0x8080_8080_8080_8080

  /// Which of the eight blocks from a unit on are free: the highest bit of the byte of each.
  private func freeBlocks(from unit: Int) -> UInt64 {
    let word = UInt64(littleEndian: UnsafeRawPointer(bytes + unit >> 3).loadUnaligned(as: UInt64.self))
    // The sum of a byte's lower bits carries into its highest one unless they are zeros.
    return ~((word & ~Self.blockBits) + ~Self.blockBits | word) & Self.blockBits
  }

  /// Number of units before the first of some blocks; that of a word when there is none.
  private static func unitCount(before blocks: UInt64) -> Int { blocks.trailingZeroBitCount & ~7 }
}
