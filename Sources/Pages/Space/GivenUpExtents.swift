import LibC

/// The extents that were given up and are still needed by older versions.
///
/// An extent is needed by the versions from its birth to the one before it was given up: it is free when no version in use lies
/// between. The oldest version in use that needs an extent is its holder; the writer examines the extent again when the holder is
/// no longer in use. The index of each holder's first extent is stored, so that a version that is held for long costs nothing when
/// another one is released. Only the writer accesses this.
///
/// An entry of the lists: u40 unit and u24 number of units · u64 version that wrote it · u64 version that gave it up · u64 holder, or
/// 0 in the list of extents that the writer has not examined yet. A holder's entry: u64 version · u64 index of the first entry that it may hold ·
/// u64 number of units that it holds.
struct GivenUpExtents {
  private static let entrySize = 32
  /// Maximum number of units of an entry.
  static let unitLimit = 1 << 24 - 1

  private struct Entry {
    var unit: Int
    var count: Int
    var born: UInt64
    var givenUp: UInt64
    var holder: UInt64 = 0

    init(_ start: UnsafeRawPointer) {
      let place = start.load(as: UInt64.self)
      (unit, count) = (Int(place & 0xFF_FFFF_FFFF), Int(place >> 40))
      born = start.load(fromByteOffset: 8, as: UInt64.self)
      givenUp = start.load(fromByteOffset: 16, as: UInt64.self)
      holder = start.load(fromByteOffset: 24, as: UInt64.self)
    }

    init(_ reference: Reference, givenUp: UInt64) {
      (unit, count) = (Int(reference.unit), reference.unitCount)
      (born, self.givenUp) = (reference.version, givenUp)
    }

    init(_ units: Range<Int>, givenUp: UInt64) {
      (unit, count, born, self.givenUp) = (units.lowerBound, units.count, 0, givenUp)
    }

    func store(_ start: UnsafeMutableRawPointer) {
      start.storeBytes(of: UInt64(unit) | UInt64(count) << 40, as: UInt64.self)
      start.storeBytes(of: born, toByteOffset: 8, as: UInt64.self)
      start.storeBytes(of: givenUp, toByteOffset: 16, as: UInt64.self)
      start.storeBytes(of: holder, toByteOffset: 24, as: UInt64.self)
    }
  }

  private let memory: LockMemory

  init(_ memory: LockMemory) { self.memory = memory }

  private func place(_ area: LockMemory.Area, _ index: Int) -> UnsafeMutableRawPointer {
    memory.base + area.start + index * Self.entrySize
  }

  /// Makes room for `more` entries.
  func reserve(_ more: Int) throws(PageError) {
    try memory.reserve(.givenUp, (Int(memory[.givenUpCount]) + more) * Self.entrySize)
  }

  /// Maps what this and other processes have noted. To be called before a transaction.
  func map() throws(PageError) {
    try reserve(0)
    try memory.reserve(.held, Int(memory[.heldCount]) * Self.entrySize)
    try memory.reserve(.holders, Int(memory[.holderCount]) * Self.holderSize)
  }

  /// Notes what a version gave up. Room was made before.
  func append(_ references: some Collection<Reference>, givenUp: UInt64) {
    append(references.lazy.map { Entry($0, givenUp: givenUp) })
  }

  /// Notes units that versions before one may have. Room for an entry was made before.
  func append(_ units: Range<Int>, givenUp: UInt64) {
    append(CollectionOfOne(Entry(units, givenUp: givenUp)))
  }

  private func append(_ entries: some Collection<Entry>) {
    var index = Int(memory[.givenUpCount])
    for entry in entries {
      entry.store(place(.givenUp, index))
      index += 1
    }
    memory[.givenUpCount] = UInt64(index)
  }

  func removeAll() {
    (memory[.givenUpCount], memory[.heldCount], memory[.holderCount], memory[.heldForDisk]) = (0, 0, 0, 0)
  }

  /// Frees what no version in use needs any more.
  ///
  /// - Parameters:
  ///   - versions: Those in use, without the newest, in order.
  ///   - durable: The version that the disk has.
  func reclaim(_ versions: [UInt64], durable: UInt64, _ used: UsedUnits) throws(PageError) {
    let (new, held) = (Int(memory[.givenUpCount]), Int(memory[.heldCount]))
    var holders = storedHolders
    // Holders of which all entries lie behind it are found again.
    let start = holders.first { !Self.contains(versions, $0) } ?? held
    memory[.heldForDisk] = UInt64(clamping: holders.unitCount(durable))
    if new == 0 && start == held { return }
    try memory.reserve(.held, (held + new) * Self.entrySize)
    try memory.reserve(.holders, Self.holderLimit * Self.holderSize)
    holders.removeAll(from: start)
    var (kept, free) = (start, [Entry]())
    func look(_ entry: Entry) {
      var entry = entry
      guard let version = Self.firstInUse(versions, entry) else { return free.append(entry) }
      entry.holder = version
      entry.store(place(.held, kept))
      holders.add(version, kept, unitCount: entry.count)
      kept += 1
    }
    for index in start..<max(start, held) {
      let entry = Entry(place(.held, index))
      holders.subtract(entry.holder, unitCount: entry.count, examinedFrom: start)
      look(entry)
    }
    for index in 0..<new { look(Entry(place(.givenUp, index))) }
    // Shortened first: a death in between leaks space, and frees none twice.
    (memory[.givenUpCount], memory[.heldCount]) = (0, UInt64(kept))
    store(holders)
    memory[.heldForDisk] = UInt64(clamping: holders.unitCount(durable))
    for entry in free { used.set(entry.unit..<entry.unit + entry.count, false) }
  }

  /// The oldest version in use that needs an extent.
  private static func firstInUse(_ inUse: [UInt64], _ entry: Entry) -> UInt64? {
    let index = firstIndex(in: inUse, notBelow: entry.born)
    return index < inUse.count && inUse[index] < entry.givenUp ? inUse[index] : nil
  }

  private static func firstIndex(in versions: [UInt64], notBelow version: UInt64) -> Int {
    var low = 0
    var high = versions.count
    while low < high {
      let middle = (low + high) >> 1
      if versions[middle] < version { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func contains(_ versions: [UInt64], _ version: UInt64) -> Bool {
    let index = firstIndex(in: versions, notBelow: version)
    return index < versions.count && versions[index] == version
  }

  /// Number of units that are kept for some versions. A process that does not write may call it, too, and gets an approximate number.
  func unitCount(heldFor versions: Set<UInt64>) -> Int {
    var count = 0
    let heldCount = Int(memory[.heldCount])
    do { try memory.map(.held, heldCount * Self.entrySize) } catch { return 0 }
    for index in 0..<heldCount {
      let entry = Entry(place(.held, index))
      if versions.contains(entry.holder) { count += entry.count }
    }
    return count
  }

  // MARK: Holders

  private static let holderSize = 24
  private static let holderLimit = 2048

  private func holderPlace(_ index: Int) -> UnsafeMutableRawPointer {
    memory.base + LockMemory.Area.holders.start + index * Self.holderSize
  }

  private var storedHolders: ExtentHolders {
    ExtentHolders(
      (0..<Int(memory[.holderCount])).map { index in
        let place = holderPlace(index)
        return ExtentHolders.Entry(
          version: place.load(as: UInt64.self), first: place.load(fromByteOffset: 8, as: Int.self),
          unitCount: place.load(fromByteOffset: 16, as: Int.self))
      })
  }

  private func store(_ holders: ExtentHolders) {
    let entries = holders.entries(atMost: Self.holderLimit)
    for (index, holder) in entries.enumerated() {
      holderPlace(index).storeBytes(of: holder.version, as: UInt64.self)
      holderPlace(index).storeBytes(of: holder.first, toByteOffset: 8, as: Int.self)
      holderPlace(index).storeBytes(of: holder.unitCount, toByteOffset: 16, as: Int.self)
    }
    memory[.holderCount] = UInt64(entries.count)
  }
}
