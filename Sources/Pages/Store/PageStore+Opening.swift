import LibC

extension PageStore {
  /// Chooses the version of the file, which no other process has open.
  ///
  /// - Parameters:
  ///   - isKnown: Whether the shared memory is that of this file and this boot, so that only processes have died.
  ///   - failure: A synchronisation that failed, or a record that could not be erased.
  func recover(isKnown: Bool, after failure: LockMemory.Failure?) throws(PageError) {
    var recovery = try Recovery(file, mapLimit: options.mapLimit)
    let mustBeRead = recovery.newest.map { !isKnown || !$0.isConfirmed || $0.file != identity } ?? false
    if mustBeRead {
      // A process may have died, another one may have been told when the disk failed, or an opening did not come to its end: what the
      // system has in memory need not be on the disk then, a slot included that confirms the version.
      try synchroniseOpening(recovery)
      forgetCached()
      recovery = try Recovery(file, mapLimit: options.mapLimit)
    }
    guard let fileNumber = recovery.fileNumber else { return try makeFile() }
    var known = isKnown ? try knownState(recovery) : nil
    var newestThatCounts = UInt64.max
    if let failure, recovery.fits(failure.version, life: failure.life) {
      newestThatCounts = failure.version.version
      let isThere =
        failure.isDurable ? true : try map.isWhole(failure.version.root, after: failure.version.durable)
      known = isThere ? KnownState(newest: failure.version, durable: failure.version, isPoisoned: true) : nil
    }
    if known == nil && !mustBeRead { try synchroniseOpening(recovery) }
    let durable = known == nil ? try recovery.durable(in: file) : recovery.durable
    var rejected = 0
    var chosen: Recovery.Candidate?
    for candidate in recovery.candidates where candidate.record.fileNumber == fileNumber {
      if known == nil && candidate.record.version < durable { throw .damaged(Recovery.lacksDurable) }
      if candidate.record.version <= newestThatCounts, try isAccepted(candidate, known) {
        chosen = candidate
        break
      }
      // A version that the disk had is not replaced by an older one: parts of it can still be read.
      if known == nil && candidate.record.version <= durable { break }
      rejected += 1
    }
    guard let chosen else { throw .damaged("no version is whole") }
    eraseUnreadableSlots(recovery)
    memory.clear(isKnown: isKnown)
    let record = chosen.record
    (memory[.fileNumber], memory[.end]) = (fileNumber, record.end)
    memory[.life] = .random(in: 1...(.max))
    let version = PublishedVersion(record, anchorSlot: chosen.slot, anchor: chosen.anchor)
    memory.publish(version)
    let isCopy = record.file != identity
    if rejected > 0 || isCopy || known == nil && !record.isConfirmed || known?.isPoisoned == true {
      return try restart(version, recovery, hasLost: rejected > 0)
    }
    // The slot of a version that is known and confirmed may not have reached the disk.
    memory.setDurable(mustBeRead ? version : known?.durable ?? version)
    memory[.confirmed] = record.isConfirmed ? record.version : 0
    if !record.isConfirmed { return try rebuildSpace() }
    if UInt64(try file.size) < record.fileSize { throw .truncated }
    // A process that only reads need not know which space is free.
    memory[.spaceUnknown] = 1
  }

  /// What the shared memory says when only processes have died.
  private struct KnownState {
    let newest: PublishedVersion
    let durable: PublishedVersion
    let isPoisoned: Bool
  }

  /// Nil when the memory does not fit the file, as when another one was copied over it, the memory is that of a lock file which was
  /// moved away and back, or the disk was lost and has returned as it was earlier.
  private func knownState(_ recovery: Recovery) throws(PageError) -> KnownState? {
    let state = KnownState(
      newest: memory.published(memory[.newest]), durable: memory.durable,
      isPoisoned: memory[.poisoned] != 0)
    let last = state.isPoisoned ? state.durable : state.newest
    // A writer that died may have left one version that was not published.
    guard let newest = recovery.newest,
      newest.version <= last.version || newest.version - last.version == 1 || state.isPoisoned,
      memory[.fileNumber] == newest.fileNumber, recovery.has(state.durable),
      recovery.fits(last, life: memory[.life])
    else { return nil }
    return try map.isWhole(last.root, after: state.durable.version) ? state : nil
  }

  private func isAccepted(
    _ candidate: Recovery.Candidate, _ known: KnownState?
  ) throws(PageError) -> Bool {
    let record = candidate.record
    guard let known else {
      // Of a copy that was made while others wrote, parts may be of different versions.
      let isCopy = record.file != identity
      if record.isConfirmed && !isCopy { return true }
      return try map.isWhole(record.root, after: isCopy ? 0 : record.durable)
    }
    let last = known.isPoisoned ? known.durable : known.newest
    // A slot that confirms the version may never have reached the disk: the one that is known is taken.
    if record.version == last.version {
      return record.root == last.root && UInt64(candidate.slot) == last.anchorSlot
    }
    // Made by a writer who died before it was published.
    if known.isPoisoned || record.version != last.version + 1 { return false }
    return try map.isWhole(record.root, after: last.version)
  }

  /// Writes down that the version is the one that the file is: what was lost, and may still lie in it, is none any more.
  private func restart(
    _ found: PublishedVersion, _ recovery: Recovery, hasLost: Bool
  ) throws(PageError) {
    // Before anything says that the disk has it.
    try synchroniseOpening(recovery)
    var version = found
    // No number is used twice, so that what a reader of the lost versions knows cannot be taken for the new ones.
    if hasLost { version.version = recovery.newestSeen + 1 }
    (version.recordUnit, version.durable, version.anchor) = (0, version.version, version.version)
    version.life = memory[.life]
    memory.publish(version)
    memory.setDurable(version)
    try rebuildSpace()
    var space = FreeSpace(self, run: 0..<0)
    let region = try space.nextRegion(typical: FileLayout.unitsPerBlock, isFilled: false)
    (version.next, version.nextCount) = (UInt64(region.lowerBound), UInt64(region.count))
    let other = (0..<FileLayout.slotCount).first { $0 != Int(version.anchorSlot) }!
    version = try anchor(version, durable: version.version, slot: other)
    try synchroniseOpening(recovery)
    memory.publish(version)
    memory.setDurable(version)
    memory[.confirmed] = version.version
    // From now on the file itself says which version it is: no record is newer. What was noted has the former slot.
    memory[.failed] = 0
    // Chains of former lives are not kept from being overwritten.
    for slot in 0..<FileLayout.slotCount where slot != Int(version.anchorSlot) {
      let unit = UInt64(slot * FileLayout.unitsPerBlock)
      if try file.record(atUnit: unit) != nil { try file.eraseRecord(atUnit: unit) }
    }
    try synchroniseOpening(nil)
  }

  /// Waits for the disk. If that fails, the next opening takes the file as the disk had it before: the system may have dropped what it
  /// could not write, or keep it in memory as if it were written.
  private func synchroniseOpening(_ recovery: Recovery?) throws(PageError) {
    do throws(PageError) {
      try synchroniseFile()
    } catch {
      if let recovery, var last = recovery.durableVersion(ofFile: identity), let newest = recovery.newest,
        let boot = try? Self.boot(file), memory.failure(boot) == nil
      {
        last.durable = last.version
        memory.noteFailure(.init(version: last, life: newest.life), boot)
      }
      forgetCached()
      throw error
    }
  }

  /// Lets the system drop what it has of the file in memory, as far as no process that only reads maps it.
  private func forgetCached() {
    map.letGo()
    file.forgetCached()
  }

  /// Clears what is left of a write that ended too early, so that it is not taken for damage. On a full disk it may stay.
  private func eraseUnreadableSlots(_ recovery: Recovery) {
    for slot in 0..<FileLayout.slotCount where !recovery.slots.contains(where: { $0.index == slot }) {
      do throws(PageError) {
        if try file.isUnreadable(slot: slot) {
          try file.eraseRecord(atUnit: UInt64(slot * FileLayout.unitsPerBlock))
        }
      } catch {}
    }
  }

  private func makeFile() throws(PageError) {
    let size = try file.size
    // Zeros are what a power failure leaves of a file that was just being made.
    guard size <= FileLayout.firstUnit * FileLayout.unit, try isZero(size) else { throw .notPages }
    memory.clear(isKnown: false)
    (memory[.fileNumber], memory[.life]) = (.random(in: 1...(.max)), .random(in: 1...(.max)))
    var version = PublishedVersion()
    let first = options.firstVersion
    (version.version, version.durable, version.anchor, version.life) = (first, first, first, memory[.life])
    let region = FileLayout.firstUnit..<FileLayout.firstUnit + 8 * FileLayout.unitsPerBlock
    (version.next, version.nextCount) = (UInt64(region.lowerBound), UInt64(region.count))
    memory[.end] = UInt64(region.upperBound)
    do throws(PageError) {
      try writeFirstSlots(version)
    } catch {
      // With a part of a record in it, the file could not be made again.
      file.removeAll()
      throw error
    }
    memory.publish(version)
    memory.setDurable(version)
    memory[.confirmed] = first
    try rebuildSpace()
  }

  private func writeFirstSlots(_ version: PublishedVersion) throws(PageError) {
    // All slots have their space from now on: a full disk does not keep the next opening from putting a failure right.
    try withUnsafeTemporaryAllocation(byteCount: FileLayout.firstUnit * FileLayout.unit, alignment: 8) {
      (slots) throws(PageError) in
      memset(slots.baseAddress!, 0, slots.count)
      try file.write(UnsafeRawBufferPointer(slots), at: 0)
    }
    try file.write(record(version), atUnit: 0)
    try synchroniseFile()
  }

  private func isZero(_ size: Int) throws(PageError) -> Bool {
    try file.bytes(size, at: 0).allSatisfy { $0 == 0 }
  }
}
