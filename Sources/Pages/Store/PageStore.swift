import LibC

/// When a commit is on the disk.
package enum PageDurability {
  /// When the commit returns.
  case full
  /// Some time later, at the latest when all have closed the file. A power failure may take the newest versions back.
  case relaxed
}

/// An open file of pages: versions of a map from keys to values, read by many and written by one at a time.
///
/// Versions are trees that share what they have in common. Each reference to a node or a value has its checksum, up to the root,
/// which is in the version's record (`VersionRecord`). A commit writes what is new and its record into free space, and touches
/// nothing that a version in use has.
///
/// Safe from several threads. Invariants: `used`, `givenUp` and `records` are changed only by the writer (`beginWriting`); other threads
/// count what is in them for diagnostics, which may miss what changes meanwhile.
package final class PageStore: @unchecked Sendable {
  package struct Options {
    /// How large the file can become. That much address space is taken.
    package var mapLimit: Int
    /// Maximum number of commits after which a new chain of records begins in a slot; nil for one that suits the file's size.
    package var chainLimit: UInt64?
    /// Number of bytes of the largest file that may grow though much of it is free.
    package var smallSize: Int
    /// 64 bytes, of an encrypted file.
    package var key: [UInt8]?
    /// Maximum number of bytes of an encrypted file that stay decrypted in memory and that no reader needs.
    package var decryptedLimit: Int
    package var watcher: (any StoreWatcher)?
    /// The version with which a new file begins.
    package var firstVersion: UInt64
    /// Whether the caller lets one transaction at a time begin, among all processes that have the file open: then the store takes no
    /// lock for it. All of them have to say the same.
    package var hasWriterLock: Bool
    package var expected: ExpectedFiles

    package init(
      mapLimit: Int = 1 << 38, chainLimit: UInt64? = nil, smallSize: Int = 8 << 20, key: [UInt8]? = nil,
      decryptedLimit: Int = 32 << 20, watcher: (any StoreWatcher)? = nil, firstVersion: UInt64 = 1,
      hasWriterLock: Bool = false, expected: ExpectedFiles = ExpectedFiles()
    ) {
      (self.mapLimit, self.chainLimit, self.smallSize, self.key) = (mapLimit, chainLimit, smallSize, key)
      (self.decryptedLimit, self.watcher, self.firstVersion) = (decryptedLimit, watcher, firstVersion)
      (self.hasWriterLock, self.expected) = (hasWriterLock, expected)
    }
  }

  let options: Options
  let file: DiskFile
  let map: FileMap
  let transactionPins: TransactionPins
  let memory: LockMemory
  let users: FileUsers
  let readers: Readers
  let used: UsedUnits
  let givenUp: GivenUpExtents
  let records: RecordUnits
  let writer: ExtentWriter
  let filling: FilledSpace
  var reclaimDelay = ReclaimDelay()
  /// Memory of the nodes of former transactions.
  var nodePool: NodePool
  private let turn = Turn()
  private let synchronisingTurn = Turn()
  let identity: FileIdentity

  /// Opens a file, and makes it if it is not there.
  package init(path: String, options: Options = Options()) throws(PageError) {
    self.options = options
    file = try DiskFile(
      path: path, O_RDWR | O_CREAT, expecting: options.expected.data, watcher: options.watcher)
    memory = try LockMemory(
      path: path + "-lock", mapLimit: options.mapLimit, expecting: options.expected.lock,
      watcher: options.watcher)
    users = FileUsers(file.owned, lockFile: memory.descriptor)
    identity = try file.identity
    let ready = try Self.readiness(file)
    let isAlone = try users.join(memory, ready: ready)
    // Only now it is certain that the file is made.
    try file.findCipher(options.key)
    map = try FileMap(file, limit: options.mapLimit, decryptedLimit: options.decryptedLimit)
    transactionPins = try TransactionPins(map, limit: options.decryptedLimit / 8)
    readers = Readers(memory, users)
    used = UsedUnits(memory)
    givenUp = GivenUpExtents(memory)
    records = RecordUnits(memory)
    writer = ExtentWriter(file)
    filling = FilledSpace(file)
    nodePool = NodePool(isSecret: file.cipher != nil)
    if isAlone {
      let boot = try Self.boot(file)
      let isKnown = memory[.ready] == ready && boot != nil && memory[.boot] == boot
      if let boot, isKnown { noteFailure(boot) }
      memory[.ready] = 0
      try recover(isKnown: isKnown, after: boot.flatMap(memory.failure))
      memory[.failed] = 0
      memory[.boot] = boot ?? 0
      memory[.ready] = ready
    }
    memory.beginOpening()
    try users.joined()
    readers.releaseLeftBehind()
  }

  deinit { nodePool.deallocate() }

  /// Notes the version that the file is now, if a failure has kept processes from writing.
  private func noteFailure(_ boot: UInt64) {
    var version: PublishedVersion
    switch memory[.poisoned] {
    case 0: return
    case LockMemory.Poison.unerased: version = memory.published(memory[.newest])
    default: version = memory.durable
    }
    version.durable = memory.durable.version
    memory.noteFailure(.init(version: version, life: memory[.life]), boot)
  }

  /// Closes the file; no version and no transaction may be left. The process that closes it last notes in it that the disk has
  /// all of it.
  package func close() throws(PageError) {
    try file.checkOwner()
    defer {
      // Of what a process has in its tables of pages, the next one could not let the system drop its memory.
      map.letGo()
      users.left()
    }
    guard users.leave(), memory[.poisoned] == 0 else { return }
    if memory[.working] != 0 {
      try repairAfterDeadWriter()
      memory[.working] = 0
    }
    try confirm()
  }

  /// Returns a hash that identifies the file. The lock file may have been copied or restored with the file, to a file system where the copy has
  /// the inode of the original.
  static func readiness(_ file: DiskFile) throws(PageError) -> UInt64 { try sum([], file) }

  /// Returns a hash of the current boot of the system and of the file; nil where the system does not tell it. After a power failure, the
  /// lock file may say more than the disk has.
  ///
  /// Containers may each have a number of their own for the same boot. Processes that have a file open at the same time need not
  /// compare it.
  static func boot(_ file: DiskFile) throws(PageError) -> UInt64? {
    var name = [UInt8](repeating: 0, count: 40)
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    defer { LibC.close(descriptor) }
    return read(descriptor, &name, name.count) > 0 ? try sum(name, file) : nil
  }

  /// Never 0.
  private static func sum(_ name: [UInt8], _ file: DiskFile) throws(PageError) -> UInt64 {
    let identity = try file.identity
    var bytes = name
    for word in [identity.inode, identity.device, file.created] {
      withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
    }
    return Checksum128(of: bytes, count: bytes.count).low | 1
  }

  /// Lets one thread of one process wait for the disk at a time.
  func synchronising<Result>(_ body: () throws(PageError) -> Result) throws(PageError) -> Result {
    try file.checkOwner()
    synchronisingTurn.enter()
    defer { synchronisingTurn.leave() }
    try users.lockForSynchronising()
    defer { users.unlockForSynchronising() }
    if memory[.poisoned] != 0 { throw .poisoned }
    // A process that died while it synchronised holds no version.
    memory.endSynchronising()
    return try body()
  }

  // MARK: Writing

  /// Waits until no other transaction writes, in any process.
  ///
  /// - Returns: The newest version.
  func beginWriting() throws(PageError) -> PublishedVersion {
    try file.checkOwner()
    turn.enter()
    do throws(PageError) {
      if !options.hasWriterLock { try users.lockForWriting() }
    } catch {
      turn.leave()
      throw error
    }
    do throws(PageError) {
      if memory[.poisoned] != 0 { throw PageError.poisoned }
      try checkLimit()
      if memory[.working] != 0 {
        try repairAfterDeadWriter()
      } else if memory[.spaceUnknown] != 0 {
        try rebuildSpace()
      }
      try mapSpace()
      let newest = memory.published(memory[.newest])
      memory[.working] = newest.version + 1
      if !reclaimDelay.canWait(newest: newest.version, end: memory[.end]) { try reclaimSpace(newest) }
      return newest
    } catch {
      // Not said to be over: what another one left is repaired later, and what was reclaimed can only be too little.
      leaveWriting()
      throw error
    }
  }

  /// Maps what is known of the space of the file: another process may have made it larger.
  private func mapSpace() throws(PageError) {
    try used.reserve(Int(memory[.end]))
    try givenUp.map()
    try records.map()
  }

  /// Throws when another process, which could map more of the file, has let it grow beyond what this one maps.
  private func checkLimit() throws(PageError) { if !isWithinMap { throw .system(ENOMEM) } }

  /// Whether this process can map all that the versions have taken.
  var isWithinMap: Bool { memory[.end] <= UInt64(map.limit / FileLayout.unit) }

  func endWriting() {
    memory[.working] = 0
    leaveWriting()
  }

  /// The bytes of an extent, for the writer, until its next change.
  @inline(__always)
  func writerContent(_ reference: Reference) throws(PageError) -> UnsafeRawPointer {
    try map.content(reference, transactionPins.current.map { .passUnretained($0) })
  }

  private func leaveWriting() {
    transactionPins.release()
    if !options.hasWriterLock { users.unlockForWriting() }
    turn.leave()
  }

  /// A writer died. What it wrote counts if it is whole.
  private func repairAfterDeadWriter() throws(PageError) {
    let newest = memory.published(memory[.newest])
    if memory[.working] == newest.version + 1,
      let record = try Recovery.follower(file, of: try self.record(newest), options.mapLimit)
    {
      if try map.isWhole(record.root, after: newest.version) {
        let version = PublishedVersion(record, anchorSlot: Int(newest.anchorSlot), anchor: newest.anchor)
        // A version is not shown before the disk has it, if its writer may have waited for that.
        if memory.durable.version < version.version { try bringToDisk(version) }
        memory[.end] = max(memory[.end], record.end)
        memory.publish(version)
      } else {
        try file.eraseRecord(atUnit: newest.next)
      }
    }
    try rebuildSpace()
  }

  /// The record of a version, for a slot.
  func record(_ version: PublishedVersion) throws(PageError) -> VersionRecord {
    var record = VersionRecord()
    (record.fileNumber, record.life) = (memory[.fileNumber], version.life)
    (record.version, record.durable, record.root) = (version.version, version.durable, version.root)
    (record.end, record.unit) = (memory[.end], version.recordUnit)
    (record.next, record.nextCount) = (version.next, UInt32(version.nextCount))
    record.file = identity
    if record.isConfirmed { record.fileSize = memory[.syncedSize] }
    return record
  }

  /// A slot from which no chain begins that is needed.
  func freeSlot(_ newest: PublishedVersion) -> Int {
    // What is being synchronised becomes durable: it is read first.
    let syncing = memory.syncing?.anchorSlot
    let needed = [syncing, memory.durable.anchorSlot, newest.anchorSlot]
    return (0..<FileLayout.slotCount).first { !needed.contains(UInt64($0)) }!
  }

  /// Writes the record of the newest version to a slot.
  ///
  /// - Parameter slot: Nil for one from which no chain begins that is needed.
  /// - Returns: What is known of the version now.
  func anchor(
    _ newest: PublishedVersion, durable: UInt64, slot: Int? = nil
  ) throws(PageError) -> PublishedVersion {
    var newest = newest
    let slot = slot ?? freeSlot(newest)
    newest.durable = durable
    try file.write(try record(newest), atUnit: UInt64(slot * FileLayout.unitsPerBlock))
    (newest.anchorSlot, newest.anchor) = (UInt64(slot), newest.version)
    return newest
  }
}
