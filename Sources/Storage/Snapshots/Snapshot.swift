import LibC
import Synchronization

/// One version of a file, read where it lies in the map, and while a write transaction is open also what that has changed.
///
/// A snapshot reads. A `Writer` begins its write transactions, and publishes or rolls back what they change; values and rows are
/// changed through a `Table`.
///
/// It has three parts: what says which version that is (`lease`, `catalogue`, and the numbers of rows, which stand in the
/// tables themselves); where the tables' chunks are in memory, as far as they were touched (`tables`, `touchedChunks`,
/// `paddedChunks`, `indexReaders`); and what a `Writer` is writing (`session`). The first two are all that a shared one has.
///
/// A snapshot is used by one thread at a time, unless it is shared: then it never changes. Pointers and chunks that it
/// gives out are valid until its content stamp changes; of the realm before a migration, until the step of the enumeration
/// ends in which they were given out (`Table.forEachSoundRow`).
public final class Snapshot {
  package let file: DatabaseFile
  /// What others may know of the snapshot.
  package let reader = VersionReader()
  /// Whether any number of threads may read at once.
  package let isShared: Bool

  // MARK: The version

  var lease: VersionLease
  /// Whether the version was released, until the snapshot moves to another one.
  var isReleased = false
  package internal(set) var catalogue = Catalogue()
  /// Whether any table has an index over several columns.
  var hasCompoundIndexes = false
  /// Whether there are values that only one row may have, primary keys of one column aside.
  var hasUniqueRules = false
  /// A number of the catalogue, another one for each that the file has had.
  package internal(set) var catalogueStamp: UInt64 = 0
  /// The columns whose links can point to rows of a table; emptied with each catalogue.
  var incomingCache: ContiguousArray<[IncomingColumn]?> = []

  // MARK: Where things are

  /// The tables of the catalogue, each with the number of its rows and the addresses of its chunks.
  var tables: ContiguousArray<Table> = []
  let shared: UnsafeMutablePointer<SnapshotState>
  var touchedChunks = TouchedChunks()
  let paddedChunks: PaddedChunks
  @exclusivity(unchecked) var indexReaders = IndexReaders()
  /// The index readers of a shared snapshot, which uses these instead of its own.
  let idleIndexReaders = IdleIndexReaders()

  // MARK: What is written

  /// Only a `Writer` begins and ends what is in it.
  @exclusivity(unchecked) var session = WriteSession()

  // MARK: Damage

  /// Takes note of damage; nil where that stops the program.
  package var foundDamage: FoundDamage?

  // MARK: For property accesses

  /// See `TableState.trackingOffset`.
  package var trackingOffset: UInt = 0 {
    didSet { for table in tables { table.state.pointee.trackingOffset = trackingOffset } }
  }
  /// See `TableState.buildsShortStrings`.
  package var buildsShortStrings = false {
    didSet { for table in tables { table.state.pointee.buildsShortStrings = buildsShortStrings } }
  }
  /// The thread that all tables are confined to, or 0. See `Table.thread`.
  package var confinedThread: UInt = 0 {
    didSet { for table in tables { ConfinedMemory.setThread(confinedThread, of: table.state) } }
  }

  package convenience init(file: DatabaseFile) throws(StorageError) {
    try self.init(file: file, lease: VersionLease(file: file))
  }

  /// A snapshot of the version that another one reads, for where there is none of the newest version to be had.
  package convenience init(again other: Snapshot) throws(StorageError) {
    try self.init(file: other.file, lease: other.lease)
  }

  /// Creates a snapshot of the same version as another one, which it pins, for any number of threads.
  ///
  /// Changes of an open write transaction, and staged ones, are not in it.
  package convenience init(sharing other: Snapshot) throws(StorageError) {
    let lease = other.file.isEncrypted ? other.ownLease() : other.lease
    try self.init(
      file: other.file, lease: lease, isShared: true, tablesOf: other.isAtVersion ? other : nil)
  }

  /// Returns an unshared lease of the same version, whose decrypted memory is not that of other snapshots. Returns the
  /// present lease if there is a newer version.
  private func ownLease() -> VersionLease {
    guard let own = try? VersionLease(file: file), own.version == lease.version else { return lease }
    return own
  }

  /// - Parameter other: A snapshot of the version, whose tables may be only in memory.
  init(
    file: DatabaseFile, lease: VersionLease, isShared: Bool = false, tablesOf other: Snapshot? = nil
  ) throws(StorageError) {
    self.file = file
    self.lease = lease
    self.isShared = isShared
    paddedChunks = PaddedChunks(clears: file.isEncrypted)
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
    abandonWrites()
    endReading()
    indexReaders.removeAll()
    for table in tables { table.deallocate() }
    shared.deallocate()
  }

  /// Rolls back what has not been published and releases the writer lock, if the snapshot is released before its write
  /// transaction has ended. Not by a `Writer`, which would retain the snapshot that is being freed. What a parent process writes is not
  /// touched.
  private func abandonWrites() {
    if isAtVersion || file.isInherited { return }
    if isWriting { file.rememberNextRows(of: tables) }
    session.setTransaction(nil)
    // Index readers have cursors in the staged transaction, which must not live longer.
    indexReaders.removeAll()
    session.staged?.target.abort()
    session.staged = nil
    file.writeLock.release()
  }

  /// The version that is read; with staged writes, the one before them. Any thread may ask a shared snapshot.
  package var version: UInt64 { reader.version }
  /// Changes whenever anything visible, or the place of anything in memory, may have changed.
  package var contentStamp: Int { shared.pointee.contentStamp }

  @usableFromInline func noteChange() { shared.pointee.contentStamp &+= 1 }

  /// The table with this number.
  @inlinable package func table(_ number: Int) -> Table { _table(number) }
  @usableFromInline func _table(_ number: Int) -> Table { tables[number] }

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
}

extension DatabaseFile {
  /// Rows that were handed out in this process are never handed out again, even after a rollback: what still
  /// refers to them must not find another object there.
  func rememberNextRows(of tables: ContiguousArray<Table>) {
    for table in tables {
      let limit = table.rowLimit
      if limit > nextRows[table.number] ?? 0 { nextRows[table.number] = limit }
    }
  }
}
