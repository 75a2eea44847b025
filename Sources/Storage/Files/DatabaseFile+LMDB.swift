import LibC

// How LMDB is asked to open a file, and the databases in it.
extension DatabaseFile {
  /// Makes what a process reads that may not write the lock file: a copy, or nothing when the file is too large, which other
  /// processes cannot open for writing then until it is closed.
  ///
  /// - Throws: `access` when the file is too large, and another process has it open.
  static func privateCopy(
    _ location: FileLocation, data descriptor: Int32
  ) throws(StorageError) -> PrivateCopy? {
    if let copy = try PrivateCopy.take(location, data: descriptor) { return copy }
    try LockFile.takeWithoutPermission(location, data: descriptor)
    return nil
  }

  /// - Parameters:
  ///   - copy: What is opened instead of the file.
  ///   - hasLock: Whether LMDB can use its lock file. Without it no process may write meanwhile.
  ///   - mapSize: Less is used where limits do not allow that much.
  static func openEnvironment(
    _ location: FileLocation, _ copy: PrivateCopy?, readOnly: Bool, hasLock: Bool, mapSize: Int
  ) throws(StorageError) -> EntryStore {
    let options: EntryStore.Options = [
      .withoutReadAhead, readOnly ? .readOnly : [], hasLock ? [] : .withoutLock,
    ]
    var mapSize = mapSize
    while true {
      do throws(EntryError) {
        return try EntryStore.open(
          copy?.path ?? location.resolved, mapSize: mapSize, readerLimit: readerLimit,
          options: options)
      } catch {
        guard error.isMapTooLarge, mapSize > 1 << 30 else { throw .of(error, path: location.path) }
        mapSize >>= 1
      }
    }
  }

  static func openDatabases(
    _ environment: EntryStore, path: String, readOnly: Bool, encryptionKey: [UInt8]?,
    trees: CheckedTrees?
  ) throws(StorageError) -> (Databases, FileFormat.Sealing, isOfEarlierFormat: Bool) {
    // All of them were made at once.
    if let trees, PageWalk.largeTrees.contains(where: { trees.record(of: $0) == nil }) {
      throw .damaged(path: path, "a tree is missing")
    }
    let transaction = try StorageError.describing(path) { () throws(EntryError) in
      try readOnly ? environment.beginReading() : environment.beginWriting()
    }
    var isCommitted = false
    defer { if !isCommitted { transaction.abort() } }
    var databases = Databases()
    databases.main = try StorageError.describing(path) { () throws(EntryError) in
      try transaction.openDatabase(nil)
    }
    var sealing = try FileFormat.read(
      transaction, databases.main, encryptionKey: encryptionKey, path: path)
    let isOfEarlierFormat = sealing != nil && !FileFormat.isCurrent(transaction, databases.main)
    try StorageError.describing(path) { () throws(EntryError) in
      if sealing == nil {
        if try transaction.entryCount(databases.main) > 0 || readOnly { throw EntryError.invalid }
        let new = try FileFormat.sealing(encryptionKey: encryptionKey)
        try FileFormat.write(new, FileFormat.version, transaction, databases.main)
        try ChangeLog.appendNothing(transaction, databases.main, new.cipher, sum: 0)
        sealing = new
      }
      databases.columns = try transaction.openDatabase("columns", isCreated: !readOnly)
      databases.collections = try transaction.openDatabase("collections", isCreated: !readOnly)
      databases.indexes = try transaction.openDatabase("indexes", isCreated: !readOnly)
      databases.values = try transaction.openDatabase("values", isCreated: !readOnly)
      isCommitted = true
      try transaction.commit()
    }
    return (databases, sealing!, isOfEarlierFormat)
  }

  /// Whether the file is open with the same key.
  func check(encryptionKey: [UInt8]?) throws(StorageError) {
    try FileFormat.check(encryptionKey, for: checkedPlaces.openedValues?.cipher, path: path)
  }

  /// Sets how much of encrypted files stays decrypted, for tests.
  ///
  /// - Parameters:
  ///   - held: Maximum number of bytes for a snapshot that can release them.
  ///   - idle: Maximum number of bytes that no reader needs.
  static func setDecryptedLimits(held: Int, idle: Int) {
    OpenedValues.heldLimit.store(held, ordering: .relaxed)
    OpenedValues.idleLimit.store(idle, ordering: .relaxed)
  }
}
