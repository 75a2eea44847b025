extension PageStore {
  /// Frees what no version in use needs any more.
  func reclaimSpace(_ newest: PublishedVersion) throws(PageError) {
    reclaimDelay.noteSearch()
    // What is being synchronised becomes durable before it is cleared: it is read first.
    let syncing = memory.syncing
    let durable = memory.durable
    var versions = readers.heldVersions().map(\.version)
    versions += try OutsideReaders.versions(file, before: newest.version)
    versions.append(durable.version)
    if let syncing { versions.append(syncing.version) }
    versions.removeAll { $0 == newest.version }
    versions.sort()
    try givenUp.reclaim(versions, durable: durable.version, used)
    records.reclaim(syncing ?? durable, durable, newest, used)
  }

  /// Number of units that the newest version and the header slots have: all that are in use, but for some records, in a file that no
  /// process has written since it was opened. Only a writer may note what is in use.
  func unitCountOfNewest() throws(PageError) -> Int {
    let version = try PageVersion(self)
    defer { version.release() }
    var seen = [UInt64](repeating: 0, count: Int(memory[.end]) / 64 + 1)
    return try FileLayout.firstUnit + unitCount(version.root, level: nil, &seen)
  }

  /// - Parameters:
  ///   - level: The level of the node; nil of a root or a value.
  ///   - seen: A bit for each unit at which an extent that was counted begins.
  private func unitCount(
    _ reference: Reference, level: Int?, _ seen: inout [UInt64]
  ) throws(PageError) -> Int {
    if reference.isNone { return 0 }
    let (word, bit) = (Int(reference.unit >> 6), UInt64(1) << (reference.unit & 63))
    if word >= seen.count { throw .damaged("unit \(reference.unit) is not among the extents") }
    if seen[word] & bit != 0 { return 0 }
    seen[word] |= bit
    var count = reference.unitCount
    if reference.isValue || reference.flags.contains(.hasNoExtents) { return count }
    try map.withContent(reference) { (start) throws(PageError) in
      let node = Node(start)
      try node.checkLevel(level)
      for index in 0..<node.count where node.hasReference(index) {
        count += try unitCount(node.child(index), level: node.level - 1, &seen)
      }
    }
    return count
  }

  /// Finds out what is in use, from the trees of the versions that are.
  func rebuildSpace() throws(PageError) {
    let newest = memory.published(memory[.newest])
    let syncing = memory.syncing
    let durable = memory.durable
    let end = Int(memory[.end])
    let fileSize = try file.size
    try used.reserve(end)
    used.removeAll(before: end)
    givenUp.removeAll()
    records.removeAll()
    used.set(0..<FileLayout.firstUnit, true)
    for chain in [syncing, durable, newest].compactMap(\.self) { try markRecords(chain) }
    var roots = [durable.version: durable.root]
    if let syncing { roots[syncing.version] = syncing.root }
    for held in readers.heldVersions() { roots[held.version] = held.root }
    roots[newest.version] = newest.root
    // The newest first: what only an older one has was given up by the next younger one that is in use.
    var next = newest.version
    for (version, root) in roots.sorted(by: { $0.key > $1.key }) {
      var marked: [Reference]? = version == newest.version ? nil : []
      try markExtents(root, level: nil, fileSize: fileSize, &marked)
      if let marked {
        try givenUp.reserve(marked.count)
        givenUp.append(marked, givenUp: next)
      }
      next = version
    }
    let unknown = try OutsideReaders.versions(file, before: newest.version).subtracting(roots.keys)
    if let last = unknown.max() { try keepFreeUnits(upTo: last, newest, before: end) }
    memory[.spaceUnknown] = 0
  }

  /// Of versions that are read from outside, the roots are not known: they may have whatever the others do not have, but for the
  /// space that the newest record has found for the next one.
  private func keepFreeUnits(
    upTo version: UInt64, _ newest: PublishedVersion, before end: Int
  ) throws(PageError) {
    let next = Int(newest.next)..<Int(newest.next + newest.nextCount)
    used.set(next, true)
    defer { used.set(next, false) }
    for units in used.freeRanges(before: end) {
      try givenUp.reserve(1)
      givenUp.append(units, givenUp: version + 1)
      used.set(units, true)
    }
  }

  /// - Parameters:
  ///   - level: The level of the node; nil of a root or a value.
  ///   - marked: Where they are noted, if so.
  private func markExtents(
    _ reference: Reference, level: Int?, fileSize: Int, _ marked: inout [Reference]?
  ) throws(PageError) {
    let unit = Int(reference.unit)
    if reference.isNone { return }
    let count = reference.unitCount
    if unit < FileLayout.firstUnit || unit + count > Int(memory[.end]) {
      throw .damaged("unit \(unit) is not among the extents")
    }
    if unit * FileLayout.unit + reference.storedLength > fileSize { throw .truncated }
    if used.contains(unit) { return }
    used.set(unit..<unit + count, true)
    marked?.append(reference)
    if reference.isValue || reference.flags.contains(.hasNoExtents) { return }
    try map.withContent(reference) { (start) throws(PageError) in
      let node = Node(start)
      try node.checkLevel(level)
      for index in 0..<node.count where node.hasReference(index) {
        try markExtents(node.child(index), level: node.level - 1, fileSize: fileSize, &marked)
      }
    }
  }

  /// Marks the records of a chain.
  private func markRecords(_ chain: PublishedVersion) throws(PageError) {
    if chain.version == chain.anchor { return }
    let slot = UInt64(Int(chain.anchorSlot) * FileLayout.unitsPerBlock)
    guard let first = try file.record(atUnit: slot), first.version == chain.anchor else { return }
    for record in try Recovery.chain(file, from: first, to: chain.version, options.mapLimit) {
      let unit = Int(record.unit)
      if unit < FileLayout.firstUnit || unit >= Int(memory[.end]) || used.contains(unit) { continue }
      used.set(unit..<unit + 1, true)
      try records.reserve(1)
      records.append(unit: record.unit, version: record.version)
    }
  }
}
