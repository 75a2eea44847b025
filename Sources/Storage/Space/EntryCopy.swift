import LibC

/// Writes what a transaction of one file shows to a new file, entry by entry in the order of the keys, which fills each node.
///
/// A copy that is cut off is no realm: everything is one transaction, and nothing is synced before the end. The change log is not copied,
/// unless the file is synced: no reader has seen a former version of the new file. Chunks lose the remains of deleted rows, and the blocks
/// of indexes are filled again.
final class EntryCopy {
  private let source: EntryTransaction
  private let original: EntryTransaction
  private let catalogue: Catalogue
  private let sourcePath: String
  private let store: EntryStore
  private let target: EntryTransaction
  /// What the new file will be called.
  private let targetPath: String
  private var isEnded = false
  private var progress = WorkProgress.Counter()
  /// The first version whose entry the log of a synced file has to keep.
  private let firstKeptVersion: UInt64

  /// - Parameters:
  ///   - source: What is copied.
  ///   - snapshot: Which shows the same.
  ///   - path: The path of the new file, at which there is none and which no other process uses.
  ///   - encryptionKey: Of the new file, nil for one that is not encrypted.
  ///   - name: What the new file will be called, for messages.
  init(
    _ source: EntryTransaction, of snapshot: Snapshot, to path: String, encryptionKey: [UInt8]?, name: String
  ) throws(StorageError) {
    original = source
    catalogue = snapshot.catalogue
    firstKeptVersion = snapshot.firstKeptVersion(source)
    sourcePath = snapshot.file.path
    targetPath = name
    // Versions of the copy of a synced file go on where those of the source end.
    let (mapSize, firstVersion) = (
      snapshot.file.entries.mapSize, catalogue.isSynced ? source.version : 1
    )
    store = try StorageError.describing(name) { () throws(EntryError) in
      try .open(path, mapSize: mapSize, firstVersion: firstVersion, encryptionKey: encryptionKey)
    }
    do throws(EntryError) {
      target = try store.beginWriting()
    } catch {
      store.close()
      throw .of(error, path: name)
    }
    do throws(EntryError) {
      self.source = try source.makeReader()
    } catch {
      target.abort()
      store.close()
      throw .of(error, path: snapshot.file.path)
    }
  }

  deinit {
    if !isEnded { target.abort() }
    if source != original { source.reset() }
    store.close()
  }

  /// Writes the copy, and brings it to the disk.
  func run() throws(StorageError) {
    for tree in EntryTree.allCases {
      progress.total += try reading { () throws(EntryError) in try source.entryCount(tree) }
    }
    try copyMain()
    try copyColumns()
    try copyIndexes()
    for tree in [EntryTree.collections, .values] {
      try forEachEntry(of: tree) { (key, value) throws(StorageError) in
        try write(value, at: key, to: tree)
      }
    }
    isEnded = true
    try writing { () throws(EntryError) in
      // The file gets no space for a next commit, as it would by one that waits for the disk.
      try target.commit(.relaxed)
      try store.synchronise()
    }
  }

  private func copyColumns() throws(StorageError) {
    let repacking = ChunkRepacking(catalogue, path: sourcePath)
    try forEachEntry(of: .columns) { (key, value) throws(StorageError) in
      guard let place = ColumnKey.Place(key), place.column >= 0 else {
        return try write(value, at: key, to: .columns)
      }
      let presence = ColumnKey(table: place.table, column: -1, chunk: place.chunk).withBytes { key in
        source.get(.columns, key, ColumnKey.size)
      }
      guard let smaller = try repacking.repacked(value, at: place, presence: presence) else {
        return try write(value, at: key, to: .columns)
      }
      try smaller.withUnsafeBufferPointer { (smaller) throws(StorageError) in
        try write(UnsafeRawBufferPointer(smaller), at: key, to: .columns)
      }
    }
  }

  private func copyIndexes() throws(StorageError) {
    var repacking = BlockRepacking(path: sourcePath)
    try forEachEntry(of: .indexes) { (key, value) throws(StorageError) in
      try repacking.add(value, at: key) { (key, value) throws(StorageError) in
        try write(value, at: key, to: .indexes)
      }
    }
    try repacking.flush { (key, value) throws(StorageError) in
      try write(value, at: key, to: .indexes)
    }
  }

  /// Calls the body with all entries of a tree of the source.
  private func forEachEntry(
    of tree: EntryTree,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Void
  ) throws(StorageError) {
    let cursor = try reading { () throws(EntryError) in try source.openCursor(tree) }
    defer { cursor.close() }
    while let entry = try reading({ () throws(EntryError) in try cursor.nextEntry() }) {
      progress.note()
      try body(entry.key, entry.value)
      try reading { () throws(EntryError) in try cursor.releaseDecrypted() }
    }
  }

  /// Copies what is one of a kind, but for the format and the log, of which the copy has its own.
  private func copyMain() throws(StorageError) {
    let main = EntryTree.main
    try forEachEntry(of: main) { (key, value) throws(StorageError) in
      if LogKey.version(key) != nil || key.elementsEqual(FileFormat.key) { return }
      try write(value, at: key, to: main)
    }
    try writing { () throws(EntryError) in
      try FileFormat.write(target, main)
      // Every version has an entry.
      try ChangeLog.appendNothing(target, main)
    }
    if catalogue.isSynced { try copyLog(to: main) }
  }

  /// Copies what the log of a synced file has to keep.
  private func copyLog(to main: EntryTree) throws(StorageError) {
    let cursor = try reading { () throws(EntryError) in try LogCursor(source, main) }
    defer { cursor.close() }
    var next = try reading { () throws(EntryError) in try cursor.seek(firstKeptVersion) }
    while let logged = next, logged.version <= source.version {
      try write(logged.value, at: logged.key, to: main)
      next = try reading { () throws(EntryError) in try cursor.next() }
    }
  }

  private func write(
    _ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer, to tree: EntryTree
  ) throws(StorageError) {
    try writing { () throws(EntryError) in
      try target.store(tree, key.baseAddress!, key.count, size: value.count) { place in
        if let start = value.baseAddress { place.copyMemory(from: start, byteCount: value.count) }
      }
    }
  }

  // MARK: Errors

  private func reading<Result>(_ body: () throws(EntryError) -> Result) throws(StorageError) -> Result {
    try StorageError.describing(sourcePath, body)
  }

  private func writing<Result>(_ body: () throws(EntryError) -> Result) throws(StorageError) -> Result {
    do throws(EntryError) {
      return try body()
    } catch {
      throw error.code > 0 ? .writing(error.code, path: targetPath) : .of(error, path: targetPath)
    }
  }
}
