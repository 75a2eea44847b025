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
      return version.version
    }
  }

  /// Waits for the disk. If it fails, what it has is unknown, and nothing more is written before all have closed the file.
  func synchroniseFile() throws(PageError) {
    do {
      try file.synchronise()
    } catch {
      memory[.poisoned] = 1
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
