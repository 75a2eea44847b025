import LibC

/// Takes free space for one transaction: runs of blocks in which nothing is in use, and units of them one behind the other.
struct FreeSpace {
  private let store: PageStore
  /// What is left of the run from which units are taken.
  private var run: Range<Int>
  /// What was taken, so that it can be given back.
  private(set) var taken: [Range<Int>] = []
  /// How many units that are.
  private(set) var takenCount = 0
  /// How many of them have what was elsewhere before.
  private var movedCount = 0
  /// The smallest number of units for which a search has found nothing: none is made for as many again.
  private var missing = Int.max

  /// Runs are wanted as long as what the transaction has taken, and no longer than this: what lies side by side is written at once.
  private static let wantedUnits = 512
  /// A commit that needs no more is written at once; a larger one is in several places rather than that the file grows much.
  private static let smallUnits = 32
  /// Number of units that are searched for a run of the wanted length when a shorter one was found: for a transaction that
  /// writes much, and for the next one, which may be small.
  private static let patience = (now: 1 << 13, next: 1 << 10)
  /// Maximum number of units that a transaction moves.
  private static let movedLimit = 2048
  /// A file grows by a 16th, but by no more than that: a file that grows takes longer to synchronise.
  private static let growthLimit = 2048

  init(_ store: PageStore, run: Range<Int>) {
    self.store = store
    self.run = run
  }

  mutating func take(_ count: Int) throws(PageError) -> Int {
    if run.count < count {
      run = try findRun(
        needed: count, wanted: isInPieces ? count : max(count, min(takenCount, Self.wantedUnits)),
        patience: Self.patience.now)
    }
    let unit = run.lowerBound
    run = unit + count..<run.upperBound
    store.used.set(unit..<unit + count, true)
    takenCount += count
    if let last = taken.last, last.upperBound == unit {
      taken[taken.count - 1] = last.lowerBound..<unit + count
    } else {
      taken.append(unit..<unit + count)
    }
    return unit
  }

  func giveBack() {
    for units in taken { store.used.set(units, false) }
  }

  /// Where the next commit begins.
  ///
  /// - Parameters:
  ///   - typical: How many units it may need.
  ///   - isFilled: Whether the file has the space already when it returns. Commits that wait for the disk need not wait for the file
  ///     to grow then, which takes as long again.
  mutating func nextRegion(typical: Int, isFilled: Bool) throws(PageError) -> Range<Int> {
    let start = FileLayout.blockStart(atOrAfter: run.lowerBound)
    run = start..<max(start, run.upperBound)
    if run.count < typical {
      let takesAny = isInPieces && typical > Self.smallUnits
      let needed = takesAny ? 1 : min(typical, max(Self.smallUnits, typical / 4))
      run = try findRun(
        needed: FileLayout.blockStart(atOrAfter: needed), wanted: takesAny ? needed : typical,
        patience: Self.patience.next)
    }
    if isFilled {
      store.filling.fill(run.lowerBound * FileLayout.unit..<run.upperBound * FileLayout.unit)
    }
    return run
  }

  /// Whether a third of a file is free, unless it is small: then it does not grow so that more of what is written lies side by side, and
  /// short runs are used up before long ones.
  private var isInPieces: Bool {
    let end = store.memory[.end]
    return end > store.options.smallSize / FileLayout.unit && store.memory[.usedCount] < end / 3 * 2
  }

  /// Whether the transaction moves what keeps blocks from becoming free: a third of what it changes, and a few units more. There is a limit,
  /// because what is moved of an encrypted file stays decrypted until the transaction ends.
  var movesExtents: Bool {
    isInPieces && movedCount < min(takenCount / 4, Self.movedLimit) + FileLayout.unitsPerBlock
  }

  /// Whether at most half of the block in which an extent begins is in use.
  func isSparse(_ reference: Reference) -> Bool {
    store.used.count(inBlockOf: Int(reference.unit)) <= FileLayout.unitsPerBlock / 2
  }

  mutating func noteMoved(_ reference: Reference) { movedCount += reference.unitCount }

  private mutating func findRun(
    needed: Int, wanted: Int, patience: Int
  ) throws(PageError) -> Range<Int> {
    let end = Int(store.memory[.end])
    if needed < missing {
      if let found = try search(needed, wanted: wanted, patience: patience, end) {
        store.memory[.cursor] = UInt64(found.upperBound)
        return found
      }
      missing = needed
    }
    // What is left at the end of the file goes on.
    return try grow(needed, from: run.upperBound == end ? run.lowerBound : end, end)
  }

  private func search(
    _ needed: Int, wanted: Int, patience: Int, _ end: Int
  ) throws(PageError) -> Range<Int>? {
    let cursor = max(FileLayout.firstUnit, min(Int(store.memory[.cursor]), end))
    while true {
      for units in [cursor..<end, FileLayout.firstUnit..<cursor] {
        let found = store.used.freeRun(
          needed: needed, wanted: wanted, in: units, patience: patience)
        if let found { return found }
      }
      if !store.reclaimDelay.isPending { return nil }
      try store.reclaimSpace(store.memory.published(store.memory[.newest]))
    }
  }

  private func grow(_ needed: Int, from start: Int, _ end: Int) throws(PageError) -> Range<Int> {
    let limit = store.map.limit / FileLayout.unit
    let least = FileLayout.blockStart(atOrAfter: start + needed)
    if least > limit { throw .system(ENOSPC) }
    let wanted = FileLayout.blockStart(atOrAfter: end + min(end / 16, Self.growthLimit))
    let new = max(least, min(wanted, limit))
    try store.used.reserve(new)
    store.memory[.end] = UInt64(new)
    return start..<new
  }
}
