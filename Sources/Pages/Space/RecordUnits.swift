/// The units of records that a chain needs, from a header slot to a version that must be found after a power failure. Only the
/// writer touches them.
///
/// Records of versions beyond the newest slot are needed, and those from the slot on which a durable version, or one that is
/// being synchronised, relies; besides, those of the newest version and of versions that are read from outside, whose roots are found
/// by them (`PageStore.rebuildSpace`). An entry of the list: u64 unit · u64 version.
struct RecordUnits {
  private static let entrySize = 16
  private let memory: LockMemory

  init(_ memory: LockMemory) { self.memory = memory }

  private func place(_ index: Int) -> UnsafeMutableRawPointer {
    memory.base + LockMemory.Area.records.start + index * Self.entrySize
  }

  private var count: Int { Int(memory[.recordCount]) }

  func reserve(_ more: Int) throws(PageError) {
    try memory.reserve(.records, (count + more) * Self.entrySize)
  }

  /// Maps what this and other processes have noted. To be called before a transaction.
  func map() throws(PageError) { try reserve(0) }

  /// Notes a record. Room was made before.
  func append(unit: UInt64, version: UInt64) {
    let place = place(count)
    place.storeBytes(of: unit, as: UInt64.self)
    place.storeBytes(of: version, toByteOffset: 8, as: UInt64.self)
    memory[.recordCount] = UInt64(count + 1)
  }

  func removeAll() { memory[.recordCount] = 0 }

  /// Frees the units of records that none of three chains has, which may be the same.
  ///
  /// - Parameter outside: The versions that are read from outside.
  func reclaim(
    _ first: PublishedVersion, _ second: PublishedVersion, _ newest: PublishedVersion,
    outside: Set<UInt64>, _ used: UsedUnits
  ) {
    func isNeeded(_ version: UInt64, _ chain: PublishedVersion) -> Bool {
      chain.anchor < version && version <= chain.version
    }
    func isRead(_ version: UInt64) -> Bool { version == newest.version || outside.contains(version) }
    var left = 0
    var free: [UInt64] = []
    for index in 0..<count {
      let place = place(index)
      let unit = place.load(as: UInt64.self)
      let version = place.load(fromByteOffset: 8, as: UInt64.self)
      if isNeeded(version, first) || isNeeded(version, second) || isNeeded(version, newest) || isRead(version)
      {
        if left < index { self.place(left).copyMemory(from: place, byteCount: Self.entrySize) }
        left += 1
      } else {
        free.append(unit)
      }
    }
    if free.isEmpty { return }
    memory[.recordCount] = UInt64(left)
    for unit in free { used.set(Int(unit)..<Int(unit) + 1, false) }
  }
}
