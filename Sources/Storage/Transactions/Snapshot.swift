import CLMDB
import Glibc
import Synchronization

/// One version of a file, read where it lies in the map, and while a write transaction is open also its
/// changes.
///
/// A snapshot is used by one thread at a time, unless it is shared: then it never changes. Pointers and chunks that it gives out are valid until its
/// content stamp changes.
public final class Snapshot {
  public let file: DatabaseFile
  var lease: VersionLease
  public internal(set) var catalogue = Catalogue()
  private var catalogueStamp: UInt64 = 0
  var tables: ContiguousArray<Table> = []
  /// Chunk addresses that were filled since the tables were last cleared; meaningless once it is full.
  var filled: ContiguousArray<FilledSlot> = []
  static let filledLimit = 2048
  let shared: UnsafeMutablePointer<SnapshotState>
  /// What others may know of the snapshot.
  public let reader = FileReader()
  /// Whether any number of threads may read at once.
  public let isShared: Bool
  /// The index readers of a shared snapshot that nobody uses at present.
  private let idleReaders = Mutex<[UInt32: [IdleReader]]>([:])
  private struct IdleReader: @unchecked Sendable { let reader: IndexReader }
  var indexReaders: [UInt32: IndexReader] = [:] {
    didSet { lastReader = nil }
  }
  /// The reader used last, which is mostly the next one, too.
  @exclusivity(unchecked) private var lastReaderIndex = UInt32.max
  @exclusivity(unchecked) private var lastReader: Unmanaged<IndexReader>?
  var incomingCache: [Int: [(table: Int, column: Column, number: Int)]] = [:]
  /// The open write transaction.
  public internal(set) var writing: WriteTransaction? {
    didSet {
      activeWrite = writing.map { .passUnretained($0) }
      shared.pointee.isWriting = writing != nil
      shared.pointee.arenaNext = nil
      shared.pointee.arenaFree = 0
      for table in tables {
        table.state.pointee.insertionChunk = -1
        table.state.pointee.firstNewRow = table.rowLimit
      }
    }
  }
  /// Write transactions that have ended here, and that nobody else sees before they are committed together.
  var staged: StagedWrites?
  /// Whether row numbers are skipped that the version does not know of.
  var hasUnstoredRowLimits = false
  /// The same without a reference, whose counting would take longer than many a change.
  @exclusivity(unchecked) var activeWrite: Unmanaged<WriteTransaction>?
  /// See `TableState.trackingOffset`.
  public var trackingOffset: UInt = 0 {
    didSet { for table in tables { table.state.pointee.trackingOffset = trackingOffset } }
  }
  /// The thread that all tables are confined to, or 0.
  public var confinedThread: UInt = 0 {
    didSet { for table in tables { table.state.pointee.thread = confinedThread } }
  }

  struct FilledSlot {
    var table: Int32
    var column: Int32
    var chunk: Int32
  }

  public convenience init(file: DatabaseFile) throws(StorageError) {
    try self.init(file: file, lease: VersionLease(file: file))
  }

  /// A snapshot of the same version as another one, which it keeps from being overwritten, for any number of threads.
  ///
  /// Changes of an open write transaction, and staged ones, are not in it.
  public convenience init(sharing other: Snapshot) throws(StorageError) {
    other.file.prepareForSharing(other.lease.transaction)
    try self.init(
      file: other.file, lease: other.lease, isShared: true, tablesOf: other.isAtVersion ? other : nil)
  }

  /// - Parameter other: A snapshot of the version, whose tables may be only in memory.
  init(
    file: DatabaseFile, lease: VersionLease, isShared: Bool = false, tablesOf other: Snapshot? = nil
  ) throws(StorageError) {
    self.file = file
    self.lease = lease
    self.isShared = isShared
    shared = .allocate(capacity: 1)
    shared.initialize(to: SnapshotState())
    reader.note(version: lease.version)
    file.readerList.withLock { $0[ObjectIdentifier(reader)] = reader }
    if isShared { confinedThread = TableState.anyThread }
    if let other {
      catalogueStamp = other.catalogueStamp
      install(other.catalogue)
    } else {
      try loadCatalogue()
    }
    loadRowCounts()
  }

  deinit {
    if writing != nil { cancelWrite() }
    discardStagedWrites()
    endReading()
    indexReaders = [:]
    for table in tables { deallocate(table) }
    shared.deallocate()
  }

  /// The version that is read; with staged writes, the one before them. Any thread may ask a shared snapshot.
  public var version: UInt64 { reader.version }
  /// Whether the version is all that is seen: nothing is staged or being written.
  var isAtVersion: Bool { writing == nil && staged == nil }
  /// LMDB's transaction that everything is read from.
  var source: OpaquePointer { staged?.target ?? lease.transaction }
  /// Changes whenever anything visible, or the place of anything in memory, may have changed.
  public var contentStamp: Int { shared.pointee.contentStamp }

  @usableFromInline func noteChange() { shared.pointee.contentStamp &+= 1 }

  /// The table with this number.
  @inlinable public func table(_ number: Int) -> Table { _table(number) }
  @usableFromInline func _table(_ number: Int) -> Table { tables[number] }

  // MARK: Versions

  /// Moves to the newest version. Returns whether that was another one.
  ///
  /// - Precondition: No write transaction is open, and nothing is staged.
  @discardableResult
  public func advance() throws(StorageError) -> Bool {
    precondition(isAtVersion)
    if file.newestVersion == lease.version { return false }
    let old = lease.version
    try advanceLease()
    if lease.version < file.newestVersion, try file.recoverFromDeadWriter() { try advanceLease() }
    if lease.version == old { return false }
    try loadCatalogue()
    loadRowCounts()
    for table in tables { table.state.pointee.vanishStamp &+= 1 }
    return true
  }

  /// Reads the newest version from now on; what was read before is forgotten.
  ///
  /// - Parameter spare: A lease to move instead when others share the present one; with it this does not throw
  ///   for want of a reader slot.
  func renewLease(spare: VersionLease? = nil) throws(StorageError) {
    clearPointers()
    try moveLease(spare: spare)
  }

  /// Reads the newest version from now on; what has not changed since the last one is not looked for again.
  private func advanceLease() throws(StorageError) {
    let old = lease.version
    do {
      try moveLease(spare: nil)
    } catch {
      clearPointers()
      throw error
    }
    clearPointers(changedSince: old)
  }

  private func moveLease(spare: VersionLease?) throws(StorageError) {
    if let spare {
      indexReaders = [:]
      try spare.renew()
      lease = spare
    } else if isKnownUniquelyReferenced(&lease) {
      try lease.renew()
      for reader in indexReaders.values { reader.renew(transaction: lease.transaction) }
    } else {
      indexReaders = [:]
      lease = try VersionLease(file: file)
    }
    reader.note(version: lease.version)
    noteChange()
  }

  /// Lets go of the version for good: nothing may be read any more. What is in memory stays.
  ///
  /// - Parameter other: A snapshot of the same file that was retired before. This one then takes no reader slot any
  ///   more, of which a file has a limited number.
  public func retire(after other: Snapshot? = nil) {
    endReading()
    clearPointers()
    indexReaders = [:]
    if let other {
      lease = other.lease
    } else if isKnownUniquelyReferenced(&lease) {
      lease.end()
    } else if let ended = try? VersionLease(file: file) {
      // The present one stays with those who share it.
      ended.end()
      lease = ended
    }
  }

  private func endReading() {
    _ = file.readerList.withLock { $0.removeValue(forKey: ObjectIdentifier(reader)) }
  }

  private func loadCatalogue() throws(StorageError) {
    guard let bytes = source.readBytes(file.databases.main, key: Catalogue.key) else { return }
    guard bytes.count >= 8 else { throw .invalid(path: file.path, "damaged catalogue.") }
    let newStamp = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    if newStamp == catalogueStamp && !tables.isEmpty { return }
    guard let loaded = Catalogue(bytes) else { throw .invalid(path: file.path, "damaged catalogue.") }
    catalogueStamp = newStamp
    install(loaded)
  }

  var nextCatalogueStamp: UInt64 { catalogueStamp + 1 }

  /// Makes the tables fit the catalogue; those that it newly has are empty.
  func install(_ newCatalogue: Catalogue) {
    catalogue = newCatalogue
    incomingCache = [:]
    for (number, description) in newCatalogue.tables.enumerated() {
      if number == tables.count {
        tables.append(allocateTable(number, columnCount: description.columns.count))
      } else {
        resizeColumns(tables[number], to: description.columns.count)
        tables[number].state.pointee.roles.deallocate()
        tables[number].state.pointee.roles = ColumnRole.allocate(description.columns)
      }
    }
    noteChange()
  }

  /// Takes back tables that a cancelled transaction created.
  func uninstall(downTo count: Int) {
    while tables.count > count { deallocate(tables.removeLast()) }
  }

  private static let rowCountsKey = "rows"

  private func loadRowCounts() {
    hasUnstoredRowLimits = false
    let bytes = source.readBytes(file.databases.main, key: Self.rowCountsKey)
    for (number, table) in tables.enumerated() {
      var rowLimit = 0
      var liveCount = 0
      if let bytes, bytes.count >= (number + 1) * 16 {
        rowLimit = Int(bytes.loadUnaligned(fromByteOffset: number * 16, as: UInt64.self))
        liveCount = Int(bytes.loadUnaligned(fromByteOffset: number * 16 + 8, as: UInt64.self))
      }
      table.state.pointee.rowLimit = rowLimit
      table.state.pointee.liveCount = liveCount
      ensureCapacity(table, rows: rowLimit)
    }
  }

  func writeRowCounts(_ transaction: OpaquePointer) throws(LMDBError) {
    var writer = ByteWriter()
    for table in tables {
      writer.append(UInt64(table.state.pointee.rowLimit))
      writer.append(UInt64(table.state.pointee.liveCount))
    }
    try transaction.writeBytes(file.databases.main, key: Self.rowCountsKey, writer.bytes)
    hasUnstoredRowLimits = false
  }

  func noteCatalogueWritten(stamp: UInt64) { catalogueStamp = stamp }

  /// Reads catalogue and row counts of the version again, as after a cancelled write transaction.
  func restore(catalogue old: Catalogue) {
    uninstall(downTo: old.tables.count)
    install(old)
    loadRowCounts()
    for table in tables { table.state.pointee.vanishStamp &+= 1 }
    noteChange()
  }

  // MARK: Chunks

  /// Finds a chunk in the file and remembers where it is.
  @usableFromInline @inline(never)
  func loadChunk(_ table: Table, _ column: Int, _ chunk: Int) -> UnsafeRawPointer {
    let address: UnsafeRawPointer
    let key = ColumnKey(table: table.number, column: column, chunk: chunk)
    if let stored = key.withBytes({ source.get(file.databases.columns, $0, ColumnKey.size) }) {
      address = stored.baseAddress!
    } else {
      address = constantChunk(table.number, column)
    }
    remember(table, column, chunk, address)
    return address
  }

  func constantChunk(_ table: Int, _ column: Int) -> UnsafeRawPointer {
    if column < 0 { return ConstantChunk.chunk(.bits, isNullable: false) }
    let description = catalogue.tables[table].columns[column]
    return ConstantChunk.chunk(
      description.layout, isNullable: description.isNullable && description.collection == .none)
  }

  func remember(_ table: Table, _ column: Int, _ chunk: Int, _ address: UnsafeRawPointer?) {
    Table.store(address, table.state.pointee.columns[column] + chunk)
    // A shared snapshot stays at its version.
    if isShared { return }
    if filled.count < Self.filledLimit {
      filled.append(FilledSlot(table: Int32(table.number), column: Int32(column), chunk: Int32(chunk)))
    }
  }

  /// A lease to move to after a commit, when the present one must stay for others who share it.
  func makeSpareLease() throws(StorageError) -> VersionLease? {
    isKnownUniquelyReferenced(&lease) ? nil : try VersionLease(file: file)
  }

  // MARK: Values outside chunks

  /// A value that is kept under a key of its own.
  @usableFromInline @inline(never)
  func longValue(table: Int, column: Int, row: Int) -> UnsafeRawBufferPointer {
    let key = ValueKey(table: table, column: column, row: row)
    return key.withBytes { source.get(file.databases.values, $0, ValueKey.size) }
      ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  // MARK: Reading by number

  public func rowLimit(table: Int) -> Int { tables[table].rowLimit }
  public func liveCount(table: Int) -> Int { tables[table].state.pointee.liveCount }
  public func isAlive(table: Int, row: Int) -> Bool { tables[table].isAlive(row) }
  /// The bitmap of the rows of a chunk that are there: `chunkBitmapSize` bytes.
  public func presence(table: Int, chunk: Int) -> UnsafeRawPointer {
    tables[table].chunk(-1, number: chunk).values
  }
  public func chunk(table: Int, column: Int, chunk: Int) -> Chunk {
    tables[table].chunk(column, number: chunk)
  }
  public func bytes(table: Int, column: Int, row: Int) -> UnsafeRawBufferPointer {
    tables[table].bytes(column, row)
  }

  // MARK: Indexes

  /// Calls the body with the reader of an index, without the cost of another reference.
  @inline(__always)
  func withIndexReader<Result>(_ index: UInt32, _ body: (IndexReader) -> Result) -> Result {
    if lastReaderIndex == index, let lastReader { return lastReader._withUnsafeGuaranteedRef(body) }
    if isShared { return withIdleReader(index, body) }
    let reader = indexReader(index)
    lastReaderIndex = index
    lastReader = .passUnretained(reader)
    return body(reader)
  }

  private func withIdleReader<Result>(_ index: UInt32, _ body: (IndexReader) -> Result) -> Result {
    let idle = idleReaders.withLock { $0[index]?.popLast() }
    let reader = idle?.reader ?? makeIndexReader(index)
    let returned = IdleReader(reader: reader)
    defer { idleReaders.withLock { $0[index, default: []].append(returned) } }
    return body(reader)
  }

  private func makeIndexReader(_ index: UInt32) -> IndexReader {
    IndexReader(transaction: source, database: file.databases.indexes, index: index)
  }

  func indexReader(_ index: UInt32) -> IndexReader {
    if isShared { return makeIndexReader(index) }
    if let reader = indexReaders[index] { return reader }
    let reader = makeIndexReader(index)
    indexReaders[index] = reader
    return reader
  }
}
