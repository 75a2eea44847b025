import LibC

// What of a file has been found sound, and what is left to be looked at before something is written.
extension DatabaseFile {
  static func makeCheckedPlaces(
    _ environment: EntryStore, _ databases: Databases, _ trees: CheckedTrees?,
    _ sealing: FileFormat.Sealing, descriptor: Int32, path: String
  ) throws(StorageError) -> CheckedPlaces {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw .system(errno, path: path) }
    let transaction = try StorageError.describing(path) { () throws(EntryError) in
      try environment.beginReading()
    }
    defer { transaction.abort() }
    guard let known = transaction.get(databases.main, FileFormat.key, FileFormat.key.count)?.baseAddress
    else {
      throw .damaged(path: path, "it has no format")
    }
    let pageSize = LMDBPage.size
    let map = LMDBPage.map(known: known, pageSize: pageSize)
    return CheckedPlaces(
      environment, map: map, fileSize: Int(information.st_size), mapSize: environment.mapSize,
      pageSize: pageSize,
      leaves: CheckedLeaves(trees, databases, map: map, pageSize: pageSize),
      openedValues: sealing.cipher.map { OpenedValues($0) })
  }

  /// Verifies the remaining pages, before the first write transaction begins. The caller holds the writer lock.
  ///
  /// Takes time in proportion to the number of leaf pages (about 0.2 µs for each that is in memory), once while a file
  /// is open; not at all when the file was new, or when another process has written since, which had to verify them.
  ///
  /// - Parameter version: The newest one.
  func checkRemainingPages(before version: UInt64) throws(StorageError) {
    guard let leaves = checkedPlaces.leaves, !leaves.isComplete else { return }
    if version == leaves.version {
      let reader = try takeReader()
      defer { readerPool.give(reader) }
      try Self.checkAllPages(of: reader, checkedPlaces, path: path)
    }
    leaves.noteCompletion()
  }

  /// Verifies the remaining pages for a reader of all of them, so that each read need not.
  func checkRemainingPages() throws(StorageError) {
    guard let leaves = checkedPlaces.leaves, !leaves.isComplete else { return }
    // Those of an older version that are not among them have been looked at by who wrote since.
    let reader = try takeReader()
    defer { readerPool.give(reader) }
    try Self.checkAllPages(of: reader, checkedPlaces, path: path)
    leaves.noteCompletion()
  }

  private static func checkAllPages(
    of transaction: EntryTransaction, _ places: CheckedPlaces, path: String
  ) throws(StorageError) {
    _ = try FileCheck.checkTrees(of: transaction, path: path, .pages, map: places.map)
  }

  /// Erases what a copy of a file has of the original's log, which few files have.
  static func eraseForeignLog(
    _ environment: EntryStore, _ databases: Databases, _ places: CheckedPlaces, path: String
  ) throws(StorageError) {
    let reader = try StorageError.describing(path) { () throws(EntryError) in try environment.beginReading() }
    defer { reader.abort() }
    let hasForeign = try StorageError.describing(path) { () throws(EntryError) in
      try ChangeLog.hasForeign(reader, databases.main)
    }
    if !hasForeign { return }
    if let leaves = places.leaves {
      try checkAllPages(of: reader, places, path: path)
      leaves.noteCompletion()
    }
    try StorageError.describing(path) { () throws(EntryError) in
      let writer = try environment.beginWriting()
      do throws(EntryError) {
        try ChangeLog.eraseForeign(writer, databases.main)
      } catch {
        writer.abort()
        throw error
      }
      try writer.commit()
    }
  }
}
