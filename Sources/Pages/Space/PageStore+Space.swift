extension PageStore {
  /// Frees what no version in use needs any more.
  func reclaimSpace(_ newest: PublishedVersion) throws(PageError) {
    reclaimDelay.noteSearch()
    // What is being synchronised becomes durable before it is cleared: it is read first.
    let syncing = memory.syncing
    let durable = memory.durable
    let outside = try OutsideReaders.versions(file, before: newest.version)
    var versions = readers.heldVersions().map(\.version) + outside
    versions.append(durable.version)
    if let syncing { versions.append(syncing.version) }
    versions.removeAll { $0 == newest.version }
    versions.sort()
    try givenUp.reclaim(versions, durable: durable.version, used)
    records.reclaim(syncing ?? durable, durable, newest, outside: outside, used)
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
    var unknown = try OutsideReaders.versions(file, before: newest.version).subtracting(roots.keys)
    let found = try findRecords(of: unknown)
    for (version, records) in found { roots[version] = records[0].root }
    unknown.subtract(found.keys)
    // Even if a record that was found is not the right one, nothing there is kept for it, and freed again later.
    let nextCommit = Int(newest.next)..<Int(newest.next + newest.nextCount)
    used.set(nextCommit, true)
    // The newest first: what only an older one has was given up by the next younger one that is in use.
    var next = newest.version
    for (version, root) in roots.sorted(by: { $0.key > $1.key }) {
      var marked: [Reference]? = version == newest.version ? nil : []
      do throws(PageError) {
        try markExtents(root, level: nil, fileSize: fileSize, &marked)
      } catch {
        if found[version] == nil { throw error }
        // A reader from outside finds it itself.
        unknown.insert(version)
      }
      if let marked {
        try givenUp.reserve(marked.count)
        givenUp.append(marked, givenUp: next)
      }
      next = version
    }
    // Behind the extents: bytes of a value are not taken for a record.
    try markRecord(newest.recordUnit, newest.version)
    for record in found.values.joined() { try markRecord(record.unit, record.version) }
    if let last = unknown.max() { try keepFreeUnits(upTo: last, before: end) }
    used.set(nextCommit, false)
    memory[.spaceUnknown] = 0
  }

  /// Of versions that are read from outside and have no record any more, the roots are not known: they may have whatever the others do
  /// not have, but for the space that the newest record has found for the next one.
  private func keepFreeUnits(upTo version: UInt64, before end: Int) throws(PageError) {
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
    // Below an older version: that of a newer one. No extent is twice in a version.
    if marked != nil && used.contains(unit) { return }
    if (unit..<unit + count).contains(where: used.contains) { throw .damaged("extents overlap") }
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
      try markRecord(record.unit, record.version)
    }
  }

  private func markRecord(_ place: UInt64, _ version: UInt64) throws(PageError) {
    let unit = Int(place)
    if unit < FileLayout.firstUnit || unit >= Int(memory[.end]) || used.contains(unit) { return }
    used.set(unit..<unit + 1, true)
    try records.reserve(1)
    records.append(unit: place, version: version)
  }

  /// Searches the file for the records of versions that are read from outside.
  ///
  /// Writers keep the record of such a version (`RecordUnits`). If a record of the same number that a power failure took back lies in
  /// the file, too, it is not known which one is right.
  ///
  /// - Returns: The records of each version whose root is known.
  private func findRecords(of versions: Set<UInt64>) throws(PageError) -> [UInt64: [VersionRecord]] {
    if versions.isEmpty { return [:] }
    var found: [UInt64: [VersionRecord]] = [:]
    try file.forEachRecord(ofFile: memory[.fileNumber], options.mapLimit) { record in
      if versions.contains(record.version) { found[record.version, default: []].append(record) }
    }
    return found.filter { _, records in records.allSatisfy { $0.root == records[0].root } }
  }
}
