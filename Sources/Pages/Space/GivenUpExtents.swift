/// The extents that were given up and are still needed, in three lists by why: not examined yet, read in an older version,
/// or belonging to a version that the disk has or gets.
///
/// An extent is needed by the versions from its birth to the one before it was given up: it is free when no version in use lies
/// between. Only the writer touches the lists.
///
/// A list's entry: u40 unit and u24 number of units · u64 version that wrote it · u64 version that gave it up.
struct GivenUpExtents {
  static let entrySize = 24
  /// Maximum number of units of an entry.
  static let unitLimit = 1 << 24 - 1

  struct Entry {
    var unit: Int
    var count: Int
    var born: UInt64
    var givenUp: UInt64

    fileprivate init(_ start: UnsafeRawPointer) {
      let place = start.load(as: UInt64.self)
      (unit, count) = (Int(place & 0xFF_FFFF_FFFF), Int(place >> 40))
      born = start.load(fromByteOffset: 8, as: UInt64.self)
      givenUp = start.load(fromByteOffset: 16, as: UInt64.self)
    }

    init(_ reference: Reference, givenUp: UInt64) {
      (unit, count) = (Int(reference.unit), FileLayout.units(Int(reference.length)))
      (born, self.givenUp) = (reference.version, givenUp)
    }

    init(_ units: Range<Int>, givenUp: UInt64) {
      (unit, count, born, self.givenUp) = (units.lowerBound, units.count, 0, givenUp)
    }

    fileprivate func store(_ start: UnsafeMutableRawPointer) {
      start.storeBytes(of: UInt64(unit) | UInt64(count) << 40, as: UInt64.self)
      start.storeBytes(of: born, toByteOffset: 8, as: UInt64.self)
      start.storeBytes(of: givenUp, toByteOffset: 16, as: UInt64.self)
    }
  }

  enum List: Int, CaseIterable {
    case new, read, unsynced

    fileprivate var area: LockMemory.Area { [.new, .read, .unsynced][rawValue] }
    fileprivate var word: LockMemory.Word { [.newCount, .readCount, .unsyncedCount][rawValue] }
  }

  private let memory: LockMemory
  /// Versions for whose sake the second and the third list hold extents, as of the last look; nil when unknown.
  private var known: (read: Set<UInt64>, unsynced: Set<UInt64>)?

  init(_ memory: LockMemory) { self.memory = memory }

  private func place(_ list: List, _ index: Int) -> UnsafeMutableRawPointer {
    memory.base + list.area.start + index * Self.entrySize
  }

  private func count(_ list: List) -> Int { Int(memory[list.word]) }

  /// Makes room for `more` entries.
  func reserve(_ more: Int) throws(PageError) {
    try memory.reserve(.new, (count(.new) + more) * Self.entrySize)
  }

  /// Notes what a version gave up. Room was made before.
  func append(_ references: some Collection<Reference>, givenUp: UInt64) {
    var index = count(.new)
    for reference in references {
      Entry(reference, givenUp: givenUp).store(place(.new, index))
      index += 1
    }
    memory[.newCount] = UInt64(index)
  }

  /// Notes units that versions before one may have. Room for an entry was made before.
  func append(_ units: Range<Int>, givenUp: UInt64) {
    let index = count(.new)
    Entry(units, givenUp: givenUp).store(place(.new, index))
    memory[.newCount] = UInt64(index + 1)
  }

  mutating func removeAll() {
    for list in List.allCases { memory[list.word] = 0 }
    known = nil
  }

  /// Frees what no version in use needs any more. What is still needed is put aside by why, and not examined again before a
  /// version has gone for whose sake it was.
  ///
  /// - Parameters:
  ///   - read: The versions that are read, without the newest.
  ///   - unsynced: The durable version and the one that is being synchronised.
  mutating func reclaim(
    newest: UInt64, read: Set<UInt64>, unsynced: Set<UInt64>, _ used: UsedUnits
  ) throws(PageError) {
    let inUse = read.union(unsynced).union([newest]).sorted()
    let isLookedAt: (List) -> Bool = { [known] list in
      switch list {
      case .new: true
      case .read: !(known?.read.isSubset(of: read) ?? false)
      case .unsynced: !(known?.unsynced.isSubset(of: unsynced) ?? false)
      }
    }
    let lists = List.allCases.filter(isLookedAt)
    let total = lists.reduce(0) { $0 + count($1) }
    if total == 0 { return }
    for list in [List.read, .unsynced] {
      let others = lists.contains(list) ? 0 : count(list)
      try memory.reserve(list.area, (others + total) * Self.entrySize)
    }
    known = nil
    var free: [Entry] = []
    // The last list first, so that nothing is examined twice.
    for list in lists.reversed() {
      let count = count(list)
      var counts = List.allCases.map(self.count)
      counts[list.rawValue] = 0
      for index in 0..<count {
        let entry = Entry(place(list, index))
        guard let version = Self.firstInUse(inUse, entry) else {
          free.append(entry)
          continue
        }
        let target: List = read.contains(version) ? .read : .unsynced
        entry.store(place(target, counts[target.rawValue]))
        counts[target.rawValue] += 1
      }
      // Shortened first: a death in between leaks space, and frees none twice.
      for list in List.allCases { memory[list.word] = UInt64(counts[list.rawValue]) }
    }
    for entry in free { used.set(entry.unit..<entry.unit + entry.count, false) }
    known = (read, unsynced)
  }

  /// The oldest version in use that needs an extent.
  private static func firstInUse(_ inUse: [UInt64], _ entry: Entry) -> UInt64? {
    var low = 0
    var high = inUse.count
    while low < high {
      let middle = (low + high) >> 1
      if inUse[middle] < entry.born { low = middle + 1 } else { high = middle }
    }
    return low < inUse.count && inUse[low] < entry.givenUp ? inUse[low] : nil
  }
}
