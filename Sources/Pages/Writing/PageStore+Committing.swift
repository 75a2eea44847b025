extension PageStore {
  /// Makes a transaction's version the newest one.
  ///
  /// If it throws, no reader has seen the version, and none will.
  func commit(
    _ transaction: PageTransaction, _ root: Reference, _ durability: PageDurability
  ) throws(PageError) {
    var newest = transaction.newest
    if newest.version + 1 - newest.anchor >= chainLimit(transaction) {
      newest = try anchor(newest, durable: memory.durable.version)
    }
    try givenUp.reserve(transaction.givenUp.count)
    try records.reserve(1)
    let record = try record(after: newest, root, transaction, isFilled: durability == .full)
    let version = PublishedVersion(record, anchorSlot: Int(newest.anchorSlot), anchor: newest.anchor)
    do {
      if durability == .full { try VersionInCommit.announce(version.version, file) }
      try writer.finish(record)
      if durability == .full { try bringToDisk(version) }
    } catch {
      // It must not be found when the file is opened again.
      if erase(record) {
        VersionInCommit.withdraw(version.version, file)
      } else {
        memory.poisonAsUnerased()
      }
      throw error
    }
    givenUp.append(transaction.givenUp, givenUp: version.version)
    reclaimDelay.noteCommit(version.version, givenUp: transaction.givenUp)
    records.append(unit: record.unit, version: version.version)
    memory.publish(version)
    if durability == .full { VersionInCommit.withdraw(version.version, file) }
  }

  /// Maximum number of commits of a transaction's size after which a new chain of records begins in a slot.
  ///
  /// The space of a commit becomes free, but for the block of its record: no commit of the same size fits there before the chain
  /// ends. So the space of a chain's commits has to be a small part of the file.
  private func chainLimit(_ transaction: PageTransaction) -> UInt64 {
    if let limit = options.chainLimit { return limit }
    let size = FileLayout.blockStart(atOrAfter: transaction.space.takenCount)
    let spare = Int(memory[.end]) / Self.spareShare + Self.spareUnits
    return UInt64(min(max(spare / size, 3), 32))
  }

  /// The space reserved for the next commit is up to an eighth of the file, and that between the records of a chain another eighth.
  private static let spareShare = 8
  /// Number of units between the records of a chain in the smallest file.
  private static let spareUnits = 64

  /// Sees to it that a record is not in the file. Returns false if it still is.
  ///
  /// On a full disk there may be no space for the zeros, as there was none for the record.
  private func erase(_ record: VersionRecord) -> Bool {
    do throws(PageError) {
      try file.eraseRecord(atUnit: record.unit)
      return true
    } catch {
      do throws(PageError) { return try file.record(atUnit: record.unit) != record } catch { return false }
    }
  }

  /// Waits for the disk before a reader can see the version.
  func bringToDisk(_ version: PublishedVersion) throws(PageError) {
    try synchronising { () throws(PageError) in
      try synchroniseFile()
      memory.setDurable(version)
    }
  }

  private func record(
    after newest: PublishedVersion, _ root: Reference, _ transaction: PageTransaction, isFilled: Bool
  ) throws(PageError) -> VersionRecord {
    // The next commit may be much smaller than this one.
    let limit = min(max(Int(memory[.end]) / Self.spareShare, 32), 256)
    let region = try transaction.space.nextRegion(
      typical: min(transaction.space.takenCount, limit), isFilled: isFilled)
    var record = VersionRecord()
    (record.fileNumber, record.life, record.lifeBefore) = (memory[.fileNumber], memory[.life], newest.life)
    (record.version, record.durable) = (transaction.version, memory.durable.version)
    record.root = root
    (record.end, record.unit) = (memory[.end], UInt64(transaction.recordUnit))
    (record.next, record.nextCount) = (UInt64(region.lowerBound), UInt32(region.count))
    record.file = identity
    return record
  }
}
