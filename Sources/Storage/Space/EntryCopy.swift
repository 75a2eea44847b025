import LibC

/// Writes what a transaction of one file shows to a new file, entry by entry in the order of the keys, which lets LMDB
/// fill each page.
///
/// LMDB keeps what a transaction writes in memory, so that the new file is committed in parts. A copy that is cut off
/// is no realm: the format, without which no file is opened, is part of the last of them. Nothing is synced before the
/// end. The change log is not copied, unless the file is synced: no reader has seen a former version of
/// the new file. It begins with the content checksum. Chunks lose the remains of deleted rows, and the blocks of indexes are filled again.
final class EntryCopy {
  /// So many bytes are committed at a time.
  private static let partSize = 64 << 20

  private let source: EntryTransaction
  private let databases: DatabaseFile.Databases
  private let catalogue: Catalogue
  private let sourcePath: String
  /// Takes the seals off values, which get new ones.
  private let opener: ValueOpener
  private let sealing: FileFormat.Sealing
  private let target: EntryStore
  /// What the new file will be called.
  private let targetPath: String
  /// Nil between two of them.
  private var transaction: EntryTransaction?
  private var uncommittedSize = 0
  /// Of the seals of what was read, and of what was written.
  private var sealSums: (source: UInt64, target: UInt64) = (0, 0)
  /// What the former should be; nil when it is not known.
  private let expectedSum: UInt64?
  private var progress = WorkProgress.Counter()
  /// The first version whose entry the log of a synced file has to keep.
  private let firstKeptVersion: UInt64
  /// The version of the copy of a synced file: versions go on where those of the source end.
  private var syncedVersion: UInt64?

  /// - Parameters:
  ///   - source: All of whose pages have been found sound.
  ///   - snapshot: Which shows the same.
  ///   - path: The path of the new file, at which there is none and which no other process uses.
  ///   - encryptionKey: Of the new file, nil for one that is not encrypted.
  ///   - name: What the new file will be called, for messages.
  init(
    _ source: EntryTransaction, of snapshot: Snapshot, to path: String, encryptionKey: [UInt8]?, name: String
  ) throws(StorageError) {
    self.source = source
    expectedSum =
      source == snapshot.lease.transaction
      ? SealSum.logged(snapshot.lease.version, source) : source.contentSum
    opener = ValueOpener(snapshot.file.checkedPlaces.sealing)
    databases = snapshot.file.databases
    catalogue = snapshot.catalogue
    firstKeptVersion = snapshot.firstKeptVersion(source)
    sourcePath = snapshot.file.path
    targetPath = name
    sealing = try StorageError.describing(name) { () throws(EntryError) in
      try FileFormat.sealing(encryptionKey: encryptionKey)
    }
    target = try Self.open(path, mapSize: snapshot.file.environment.mapSize, name: name)
  }

  deinit {
    transaction?.abort()
    target.close()
  }

  private static func open(
    _ path: String, mapSize: Int, name: String
  ) throws(StorageError) -> EntryStore {
    var mapSize = mapSize
    while true {
      do throws(EntryError) {
        return try .open(
          path, mapSize: mapSize, options: [.withoutReadAhead, .withoutLock, .withoutSynchronising])
      } catch {
        guard error.isMapTooLarge, mapSize > 1 << 30 else { throw .of(error, path: name) }
        mapSize >>= 1
      }
    }
  }

  /// Writes the copy, and brings it to the disk.
  func run() throws(StorageError) {
    for database in databases.all {
      progress.total += try reading { () throws(EntryError) in try source.entryCount(database) }
    }
    try copyColumns()
    try copyIndexes()
    for (name, database) in databases.named
    where database != databases.columns && database != databases.indexes {
      let new = try make(name)
      try forEachEntry(of: database) { (key, value) throws(StorageError) in
        try write(value, at: key, to: new)
      }
    }
    try copyMain()
    try commit()
    if let syncedVersion { try setVersion(syncedVersion) }
    try writing { () throws(EntryError) in
      if try fsync(target.descriptor) != 0 { throw EntryError(code: errno) }
    }
  }

  private func copyColumns() throws(StorageError) {
    let new = try make("columns")
    let repacking = ChunkRepacking(catalogue, path: sourcePath)
    try forEachEntry(of: databases.columns) { (key, value) throws(StorageError) in
      guard let place = ColumnKey.Place(key), place.column >= 0 else {
        return try write(value, at: key, to: new)
      }
      let presence = try presence(of: place)
      guard let smaller = try repacking.repacked(value, at: place, presence: presence) else {
        return try write(value, at: key, to: new)
      }
      try smaller.withUnsafeBufferPointer { (smaller) throws(StorageError) in
        try write(UnsafeRawBufferPointer(smaller), at: key, to: new)
      }
    }
  }

  /// Which rows of a chunk are there.
  private func presence(of place: ColumnKey.Place) throws(StorageError) -> UnsafeRawBufferPointer? {
    try ColumnKey(table: place.table, column: -1, chunk: place.chunk).withBytes {
      (key) throws(StorageError) in
      guard let stored = source.get(databases.columns, key, ColumnKey.size) else { return nil }
      return try opened(stored, UnsafeRawBufferPointer(start: key, count: ColumnKey.size))
    }
  }

  private func copyIndexes() throws(StorageError) {
    let new = try make("indexes")
    var repacking = BlockRepacking(
      path: sourcePath, hidKeys: opener.isDecrypting, hidesKeys: sealing.cipher != nil)
    try forEachEntry(of: databases.indexes) { (key, value) throws(StorageError) in
      try repacking.add(value, at: key) { (key, value) throws(StorageError) in
        try write(value, at: key, to: new)
      }
    }
    try repacking.flush { (key, value) throws(StorageError) in try write(value, at: key, to: new) }
  }

  private func make(_ name: String) throws(StorageError) -> EntryTree {
    try writing { () throws(EntryError) in try begun().openDatabase(name, isCreated: true) }
  }

  private func opened(
    _ stored: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> UnsafeRawBufferPointer {
    if let value = opener.open(stored, key: key) { return value }
    throw .damaged(path: sourcePath, "the checksum of a value is wrong")
  }

  /// Calls the body with all values of the source, without their seals.
  private func forEachEntry(
    of database: EntryTree, commitsInParts: Bool = true,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Void
  ) throws(StorageError) {
    let cursor = try reading { () throws(EntryError) in try source.openCursor(database) }
    defer { cursor.close() }
    while let entry = try reading({ () throws(EntryError) in try cursor.nextEntry() }) {
      progress.note()
      // LMDB's own entries have no seals.
      if database == databases.main && isOwnOrLeftBehind(entry.key) { continue }
      sealSums.source &+= SealSum.weight(entry.value)
      try body(entry.key, try opened(entry.value, entry.key))
      opener.forget()
      if commitsInParts && uncommittedSize > Self.partSize { try commit() }
    }
  }

  /// At once, because a file that has its format is taken for a whole one. LMDB has entries of its own among those of the
  /// main database, so that there is no order to be relied on.
  private func copyMain() throws(StorageError) {
    let new = try writing { () throws(EntryError) in try begun().openDatabase(nil) }
    try forEachEntry(of: databases.main, commitsInParts: false) { (key, value) throws(StorageError) in
      try write(value, at: key, to: new, isAppended: false)
    }
    try writing { () throws(EntryError) in
      // What is missing in the source is missing in the copy, where it should not pass for sound.
      let fault = expectedSum.map { $0 &- sealSums.source } ?? 0
      let sum = sealSums.target &+ fault
      if !catalogue.isSynced {
        try ChangeLog.appendNothing(begun(), new, sealing.cipher, sum: sum)
        return try FileFormat.write(sealing, FileFormat.version, begun(), new)
      }
      let version = max(source.version + 1, try begun().version)
      // Every version has an entry.
      for version in source.version + 1...version {
        try ChangeLog.appendNothing(begun(), new, sealing.cipher, version: version, sum: sum)
      }
      try FileFormat.write(sealing, FileFormat.syncedVersion, begun(), new)
      syncedVersion = version
    }
    if catalogue.isSynced { try copyLog(to: new) }
  }

  /// Copies what the log of a synced file has to keep.
  private func copyLog(to new: EntryTree) throws(StorageError) {
    let cursor = try reading { () throws(EntryError) in try LogCursor(source, databases.main) }
    defer { cursor.close() }
    var next = try reading { () throws(EntryError) in try cursor.seek(firstKeptVersion) }
    while let logged = next, logged.version <= source.version {
      let value = try opened(cursor.stored(logged), logged.key)
      try writing { () throws(EntryError) in
        _ = try begun().store(
          new, logged.key.baseAddress!, logged.key.count, size: value.count, sealing.cipher
        ) { place in
          if let start = value.baseAddress { place.copyMemory(from: start, byteCount: value.count) }
        }
      }
      opener.forget()
      next = try reading { () throws(EntryError) in try cursor.next() }
    }
  }

  /// Whether an entry of the main database is one of LMDB's, of the log, or the format, of which the copy has its own.
  private func isOwnOrLeftBehind(_ key: UnsafeRawBufferPointer) -> Bool {
    !SealSum.counts(EntryTree.main, key.baseAddress!, key.count)
      || databases.named.contains { key.elementsEqual($0.name.utf8) }
  }

  /// Where the values of the new file are written.
  private func write(
    _ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer, to database: EntryTree,
    isAppended: Bool = true
  ) throws(StorageError) {
    try writing { () throws(EntryError) in
      let stored = try begun().store(
        database, key.baseAddress!, key.count, size: value.count, isAppended: isAppended, sealing.cipher
      ) { place in
        if let start = value.baseAddress { place.copyMemory(from: start, byteCount: value.count) }
      }
      sealSums.target &+= SealSum.weight(stored)
    }
    uncommittedSize += key.count + value.count
  }

  /// Gives the new file the number of a version, which no process has opened yet, instead of the number of LMDB's commits.
  /// Entries of the log, and what the server knows of the file, name versions.
  private func setVersion(_ version: UInt64) throws(StorageError) {
    try writing { () throws(EntryError) in
      let descriptor = try target.descriptor
      let pageSize = LMDBPage.size
      var pages = [UInt8](repeating: 0, count: 2 * pageSize)
      guard pread(descriptor, &pages, pages.count, 0) == pages.count else {
        throw EntryError(code: errno == 0 ? EIO : errno)
      }
      var content = pages.withUnsafeBytes { MetaPage.Content.newest($0.baseAddress!, pageSize: pageSize) }
      for version in [version, version - 1] {
        content.version = version
        guard content.write(to: descriptor, pageSize: pageSize) else {
          throw EntryError(code: errno == 0 ? EIO : errno)
        }
      }
    }
  }

  // MARK: The transaction

  private func begun() throws(EntryError) -> EntryTransaction {
    if let transaction { return transaction }
    let new = try target.beginWriting()
    transaction = new
    return new
  }

  private func commit() throws(StorageError) {
    guard let ended = transaction else { return }
    transaction = nil
    uncommittedSize = 0
    try writing { () throws(EntryError) in try ended.commit() }
  }

  // MARK: Errors

  private func reading<Result>(_ body: () throws(EntryError) -> Result) throws(StorageError) -> Result {
    try StorageError.describing(sourcePath, body)
  }

  private func writing<Result>(_ body: () throws(EntryError) -> Result) throws(StorageError) -> Result {
    do throws(EntryError) {
      return try body()
    } catch {
      guard error.code > 0 else { throw .of(error, path: targetPath) }
      // LMDB says EIO when the system wrote only a part, which is how a full disk begins.
      let code = error.code == EIO ? (try? target.descriptor).flatMap { FileSpace.growingError($0) } : nil
      throw .writing(code ?? error.code, path: targetPath)
    }
  }
}
