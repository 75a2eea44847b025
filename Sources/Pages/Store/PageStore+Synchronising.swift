extension PageStore {
  /// Brings the newest version to the disk; commits go on meanwhile.
  ///
  /// - Returns: The version that the disk has now.
  @discardableResult
  package func synchronise() throws(PageError) -> UInt64 {
    try synchronising { () throws(PageError) in
      let version = memory.beginSynchronising()
      defer { memory.endSynchronising() }
      let durable = memory.durable
      if version.version <= durable.version { return durable.version }
      try synchroniseFile()
      memory.setDurable(version)
      memory[.heldForDisk] = 0
      return version.version
    }
  }

  /// Whether a sync is due, because the durable version alone keeps much space in use, as of the last search for free space. Without syncs the
  /// file grows to twice its size, and a power failure takes back all relaxed commits. Reads two words of the shared memory.
  package var isSynchronisationDue: Bool {
    let held = memory[.heldForDisk]
    // Not of the file's size: a file that has grown because none was due would need one less and less often.
    return held > Self.backlogLimit && held > memory[.usedCount] / 4
  }

  /// Maximum number of units that the durable version alone may keep while up to 64 MB are in use.
  private static let backlogLimit = UInt64(16 << 20 / FileLayout.unit)

  /// Waits for the disk. If it fails, what it has is unknown, and nothing more is written before all have closed the file.
  func synchroniseFile() throws(PageError) {
    do {
      let size = UInt64(try file.size)
      try file.synchronise()
      memory[.syncedSize] = size
    } catch {
      memory[.poisoned] = LockMemory.Poison.unsynchronised
      throw error
    }
  }

  /// Notes in the file, which no other process has open, that the disk has the newest version.
  func confirm() throws(PageError) {
    let newest = memory.published(memory[.newest])
    if memory[.confirmed] == newest.version { return }
    if memory.durable.version != newest.version {
      try synchroniseFile()
      memory.setDurable(newest)
    }
    // The slot itself may not reach the disk: the one that the durable version relies on stays.
    memory.publish(try anchor(newest, durable: newest.version))
    memory[.confirmed] = newest.version
  }
}
