import LibC

// The newest version of a file that others have open and whose shared memory cannot be read: what the records say.
extension PageViewer {
  /// The newest record that was found.
  private struct NewestRecord {
    var record: VersionRecord
    /// The record of the version before.
    var previous: VersionRecord?
    /// Whether it is in a slot, as only records of published versions are.
    var isInSlot: Bool
  }

  /// Holds the newest published version.
  ///
  /// A version that is locked is safe if the record of the next one is not written yet: the writer looks for locks when it begins
  /// the one after that.
  ///
  /// - Returns: Nil when it is to be looked for again.
  func holdNewestRecord(_ state: inout State) throws(PageError) -> PageVersion? {
    guard var found = try newestRecord() else {
      try wait(&state)
      return nil
    }
    while true {
      let version = found.record.version
      try retain(version, &state)
      var isHeld = false
      defer { if !isHeld { release(version, &state) } }
      if let next = try Recovery.follower(file, of: found.record, mapLimit) {
        found = NewestRecord(record: next, previous: found.record, isInSlot: false)
        continue
      }
      guard try isLast(found.record) else { return nil }
      if try VersionInCommit.find(file) == version {
        guard let previous = found.previous else { return nil }
        return try holdVersion(before: version, previous, &state)
      }
      guard try isPublished(found, &state) else { return nil }
      let held = try PageVersion(self, version, found.record.root)
      isHeld = true
      return held
    }
  }

  /// The newest version, without holding it. Nil when it is to be looked for again.
  func newestRecordedVersion() throws(PageError) -> UInt64? {
    guard let version = try newestRecord()?.record.version else { throw .damaged("there is no record") }
    return try VersionInCommit.find(file) == version ? version - 1 : version
  }

  private func newestRecord() throws(PageError) -> NewestRecord? {
    let recovery = try Recovery(file, mapLimit: mapLimit)
    let candidates = recovery.candidates.filter { $0.record.fileNumber == recovery.fileNumber }
    guard let newest = candidates.first else { return nil }
    let previous = candidates.first { $0.record.version == newest.record.version - 1 }
    return NewestRecord(
      record: newest.record, previous: previous?.record, isInSlot: newest.record.version == newest.anchor)
  }

  /// Whether a record that no other follows is the last one: it may belong to a chain of which the rest was overwritten after a
  /// newer one had begun in a slot.
  private func isLast(_ record: VersionRecord) throws(PageError) -> Bool {
    // A process that opens the file meanwhile, and chooses another version, is not in use yet, or has written a slot.
    guard try FileUsers.isInUse(file.owned) else { return false }
    let newest = try Recovery.slots(file, mapLimit).map(\.record).max { $0.version < $1.version }
    guard let newest else { return false }
    return newest.fileNumber == record.fileNumber && newest.version <= record.version
  }

  /// Holds the newest version while the next one waits for the disk.
  private func holdVersion(
    before version: UInt64, _ record: VersionRecord, _ state: inout State
  ) throws(PageError) -> PageVersion? {
    try retain(record.version, &state)
    var isHeld = false
    defer { if !isHeld { release(record.version, &state) } }
    guard try VersionInCommit.find(file) == version else { return nil }
    let held = try PageVersion(self, record.version, record.root)
    isHeld = true
    return held
  }

  /// Whether a version that is held, and that no commit brings to the disk at present, counts: its writer may be about to
  /// publish it, or have died while it wrote.
  private func isPublished(_ found: NewestRecord, _ state: inout State) throws(PageError) -> Bool {
    let record = found.record
    if found.isInSlot || state.wholeRecord == record { return true }
    // A commit that failed has erased its record.
    guard try file.record(atUnit: record.unit) == record else { return false }
    let map = file.cipher == nil ? map : try map.again()
    guard try map.isWhole(record.root, after: record.version - 1) else {
      try wait(&state)
      return false
    }
    state.wholeRecord = record
    return true
  }

  private func wait(_ state: inout State) throws(PageError) {
    if state.waited == FileUsers.patience { throw .damaged("the newest version is not whole") }
    state.waited += 1
    usleep(1000)
  }
}
