import CLMDB
import Glibc
import Synchronization

/// One version of a file, read where it lies in the map, and while a write transaction is open also its
/// changes.
///
/// A snapshot is used by one thread at a time, unless it is shared: then it never changes. Pointers and chunks that it gives out are valid until its
/// content stamp changes.
public final class Snapshot {
  package let file: DatabaseFile
  var lease: VersionLease
  package internal(set) var catalogue = Catalogue()
  var catalogueStamp: UInt64 = 0
  var tables: ContiguousArray<Table> = []
  /// Chunk addresses that were filled since the tables were last cleared; meaningless once it is full.
  var filled: ContiguousArray<FilledSlot> = []
  static let filledLimit = 2048
  let shared: UnsafeMutablePointer<SnapshotState>
  /// What others may know of the snapshot.
  package let reader = FileReader()
  /// Whether any number of threads may read at once.
  package let isShared: Bool
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
  package internal(set) var writing: WriteTransaction? {
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
  /// Copies of chunks that do not cover all rows, by their addresses; valid until the content stamp changes.
  let paddedChunks = Mutex<[UInt]>([])
  /// Whether row numbers are skipped that the version does not know of.
  var hasUnstoredRowLimits = false
  /// The same without a reference, whose counting would take longer than many a change.
  @exclusivity(unchecked) var activeWrite: Unmanaged<WriteTransaction>?
  /// See `TableState.trackingOffset`.
  package var trackingOffset: UInt = 0 {
    didSet { for table in tables { table.state.pointee.trackingOffset = trackingOffset } }
  }
  /// The thread that all tables are confined to, or 0.
  package var confinedThread: UInt = 0 {
    didSet { for table in tables { table.state.pointee.thread = confinedThread } }
  }

  struct FilledSlot {
    var table: Int32
    var column: Int32
    var chunk: Int32
  }

  package convenience init(file: DatabaseFile) throws(StorageError) {
    try self.init(file: file, lease: VersionLease(file: file))
  }

  /// A snapshot of the version that another one reads, for where there is none of the newest version to be had.
  package convenience init(again other: Snapshot) throws(StorageError) {
    try self.init(file: other.file, lease: other.lease)
  }

  /// A snapshot of the same version as another one, which it keeps from being overwritten, for any number of threads.
  ///
  /// Changes of an open write transaction, and staged ones, are not in it.
  package convenience init(sharing other: Snapshot) throws(StorageError) {
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
      take(try readRowCounts(lease.transaction, catalogue))
    } else {
      take(try readContent(lease.transaction))
    }
  }

  deinit {
    if writing != nil { cancelWrite() }
    discardStagedWrites()
    endReading()
    indexReaders = [:]
    for table in tables { deallocate(table) }
    freePaddedChunks()
    shared.deallocate()
  }

  /// The version that is read; with staged writes, the one before them. Any thread may ask a shared snapshot.
  package var version: UInt64 { reader.version }
  /// Whether the version is all that is seen: nothing is staged or being written.
  var isAtVersion: Bool { writing == nil && staged == nil }
  /// LMDB's transaction that everything is read from.
  var source: LMDBTransaction { staged?.target ?? lease.transaction }
  /// Changes whenever anything visible, or the place of anything in memory, may have changed.
  package var contentStamp: Int { shared.pointee.contentStamp }

  @usableFromInline func noteChange() { shared.pointee.contentStamp &+= 1 }

  /// The table with this number.
  @inlinable package func table(_ number: Int) -> Table { _table(number) }
  @usableFromInline func _table(_ number: Int) -> Table { tables[number] }

  // MARK: Versions

  /// Moves to the newest version. Returns whether that was another one. When it throws, the snapshot is what it was.
  ///
  /// - Precondition: No write transaction is open, and nothing is staged.
  @discardableResult
  package func advance() throws(StorageError) -> Bool {
    precondition(isAtVersion)
    if file.newestVersion == lease.version { return false }
    let next = try file.takeReader()
    do throws(StorageError) {
      if next.version < file.newestVersion, try file.recoverFromDeadWriter() {
        next.reset()
        try file.pin(next)
      }
      if next.version == lease.version {
        file.readerPool.give(next)
        return false
      }
      // From here on nothing fails any more.
      let content = try readContent(next)
      let pages = ChangedPages(since: lease.version, next, file)
      moveLease(to: next)
      if let pages { keepPointers { pages.isUnchanged($0) } } else { clearPointers() }
      take(content)
    } catch {
      file.readerPool.give(next)
      throw error
    }
    for table in tables { table.state.pointee.vanishStamp &+= 1 }
    return true
  }

  /// Reads the version of a read transaction from now on, which is that of the snapshot's own last commit. What was
  /// read before is forgotten.
  func moveOn(to next: LMDBTransaction) {
    clearPointers()
    moveLease(to: next)
  }

  /// The new version is pinned before the old one is let go of.
  private func moveLease(to next: LMDBTransaction) {
    for reader in indexReaders.values { reader.renew(transaction: next) }
    if isKnownUniquelyReferenced(&lease) {
      lease.move(to: next)
    } else {
      lease = VersionLease(file: file, transaction: next)
    }
    reader.note(version: lease.version)
    noteChange()
  }

  /// Lets go of the version for good: nothing may be read any more. What is in memory stays.
  ///
  /// - Parameter other: A snapshot of the same file that was retired before. This one then takes no reader slot any
  ///   more, of which a file has a limited number.
  package func retire(after other: Snapshot? = nil) {
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

  func noteCatalogueWritten(stamp: UInt64) { catalogueStamp = stamp }

  /// Reads catalogue and row counts of the version again, as after a cancelled write transaction.
  func restore(catalogue old: Catalogue) {
    uninstall(downTo: old.tables.count)
    install(old)
    do throws(StorageError) {
      take(try readRowCounts(source, old))
    } catch {
      // Was sound when the version was first read.
      stopDamaged(path: file.path, error.message)
    }
    for table in tables { table.state.pointee.vanishStamp &+= 1 }
    noteChange()
  }

  // MARK: Chunks

  /// Finds a chunk in the file and remembers where it is.
  @usableFromInline @inline(never)
  func loadChunk(_ table: Table, _ column: Int, _ chunk: Int) -> UnsafeRawPointer {
    let address: UnsafeRawPointer
    let key = ColumnKey(table: table.number, column: column, chunk: chunk)
    let found = key.withBytes {
      source.get(file.databases.columns, $0, ColumnKey.size) {
        stop(damagedTable: table.number, column: column, "chunk \(chunk)", $0)
      }
    }
    if let stored = found {
      address = checked(stored, table, column, chunk)
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

  // MARK: Values outside chunks

  /// A value that is kept under a key of its own.
  @usableFromInline @inline(never)
  func longValue(table: Int, column: Int, row: Int) -> UnsafeRawBufferPointer {
    let key = ValueKey(table: table, column: column, row: row)
    let stored = key.withBytes {
      source.get(file.databases.values, $0, ValueKey.size) {
        stop(damagedTable: table, column: column, "row \(row)", $0)
      }
    }
    return checkedLongValue(stored, table: table, column: column, row: row)
  }

  // MARK: Reading by number

  package func rowLimit(table: Int) -> Int { tables[table].rowLimit }
  package func liveCount(table: Int) -> Int { tables[table].state.pointee.liveCount }
  package func isAlive(table: Int, row: Int) -> Bool { tables[table].isAlive(row) }
  /// The bitmap of the rows of a chunk that are there: `chunkBitmapSize` bytes.
  package func presence(table: Int, chunk: Int) -> UnsafeRawPointer {
    tables[table].chunk(-1, number: chunk).values
  }
  package func chunk(table: Int, column: Int, chunk: Int) -> Chunk {
    tables[table].chunk(column, number: chunk)
  }
  package func bytes(table: Int, column: Int, row: Int) -> UnsafeRawBufferPointer {
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
    IndexReader(
      transaction: source, database: file.databases.indexes, index: index, snapshot: self)
  }

  func indexReader(_ index: UInt32) -> IndexReader {
    if isShared { return makeIndexReader(index) }
    if let reader = indexReaders[index] { return reader }
    let reader = makeIndexReader(index)
    indexReaders[index] = reader
    return reader
  }
}
