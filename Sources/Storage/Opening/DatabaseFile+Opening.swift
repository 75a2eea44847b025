import LibC

extension DatabaseFile {
  /// Opens the file at `path`, creating it unless `readOnly`.
  ///
  /// A file that is open for writing serves readers, too; one that is open read-only must be closed before it can
  /// be opened for writing.
  ///
  /// - Throws: `notFound` when it is missing and may not be created, or its folder is missing;
  ///   `permissionDenied`; `operationFailed` when its parent is no folder; `access` when it is a folder,
  ///   has several names or a lock file that cannot be trusted, cannot be locked,
  ///   or when this process has it open read-only;
  ///   `invalidDatabase` when it is something else or cut off, or was made with another key; `unsupportedFormat` when a
  ///   newer version wrote it, or one from before the first release, or the official SDK; `outOfSpace`.
  package static func open(
    path: String, readOnly: Bool = false, encryptionKey: [UInt8]? = nil, compaction: Compaction? = nil
  ) throws(StorageError) -> DatabaseFile {
    try open(
      FileLocation(path: path), readOnly: readOnly, encryptionKey: encryptionKey, isNamed: true,
      compaction: compaction)
  }

  /// Opens a new file in a work folder.
  ///
  /// - Parameter name: The path that the file will have, for messages.
  static func make(
    in place: String, encryptionKey: [UInt8]?, name: String
  ) throws(StorageError) -> DatabaseFile {
    try open(
      FileLocation(held: place, name: name), readOnly: false, encryptionKey: encryptionKey, isNamed: true)
  }

  /// - Parameter isNamed: False when the file loses its name as soon as it is open.
  static func open(
    _ location: FileLocation, readOnly: Bool, encryptionKey: [UInt8]? = nil, isNamed: Bool,
    compaction: Compaction? = nil
  ) throws(StorageError) -> DatabaseFile {
    var isConverted = false
    while true {
      switch try FileRegistry.shared.claim(location, readOnly: readOnly) {
      case .known(let file):
        try file.check(encryptionKey: encryptionKey)
        // A file that is open for writing serves readers as well.
        if readOnly || !file.isReadOnly { return file }
        throw StorageError(
          .access, path: location.path,
          message: "Failed to open Realm file at path '\(location.path)': this process has it open read-only."
        )
      case .new(let new):
        let opened = try open(
          new, location, readOnly: readOnly, encryptionKey: encryptionKey, isNamed: isNamed, compaction,
          &isConverted)
        guard let opened else { continue }
        if !readOnly && isNamed && !isConverted { FormerFile.remove(beside: location.resolved) }
        return opened
      }
    }
  }

  /// Opens a file that was claimed. Returns nil if another file has replaced it.
  ///
  /// - Parameter isConverted: Is set when it had an earlier format, and has been replaced by a converted one.
  private static func open(
    _ new: FileRegistry.NewFile, _ location: FileLocation, readOnly: Bool, encryptionKey: [UInt8]?,
    isNamed: Bool, _ compaction: Compaction?, _ isConverted: inout Bool
  ) throws(StorageError) -> DatabaseFile? {
    let identity = new.identity
    var file: DatabaseFile?
    // A file that is closed ends its claim.
    var isClosed = false
    defer { if !isClosed { FileRegistry.shared.finish(identity, file) } }
    let lock = WriteLock(new.file, path: location.path)
    // Two processes that create the file at once must not both initialise it.
    if !readOnly { lock.acquire() }
    defer { if !readOnly { lock.release() } }
    try lock.checkHeld()
    // The former holder of the lock may have deleted the file, or put another one in its place.
    guard FileIdentity(path: location.resolved) == identity else { return nil }
    if !readOnly && isNamed { try WorkFolder.clean(beside: location.resolved) }
    let earlier = EarlierFileConversion(
      location, descriptor: new.file.number, encryptionKey: encryptionKey)
    if let earlier, !readOnly {
      try earlier.replace()
      isConverted = true
      return nil
    }
    var openCopy: ((_ mapSize: Int) throws(StorageError) -> EntryStore)?
    if let earlier {
      openCopy = { (mapSize) throws(StorageError) in try earlier.openUnnamedCopy(mapSize: mapSize) }
    }
    do throws(StorageError) {
      file = try DatabaseFile(
        location, identity, lock, readOnly: readOnly, encryptionKey: encryptionKey, isNamed: isNamed,
        openCount: new.openCount, openCopy: openCopy
      ) { (entries) throws(StorageError) in
        try prepareContent(entries, path: location.path, readOnly: readOnly)
      }
    } catch {
      // A process that only reads is not kept out while the file is being compacted.
      let present = FileIdentity(path: location.resolved)
      if readOnly, error == .replaced(path: location.path), present != nil, present != identity { return nil }
      throw error
    }
    guard let compaction, !readOnly,
      let compact = try compaction.run(on: file!, openCount: new.openCount, encryptionKey: encryptionKey)
    else { return file }
    isClosed = true
    file = nil
    return try open(
      compact, location, readOnly: false, encryptionKey: encryptionKey, isNamed: isNamed, nil, &isConverted)
  }

  /// Compacts a file that no process has open. Returns false if one has.
  ///
  /// - Throws: `notFound`; `outOfSpace`, `permissionDenied` and others, after which the file is as it was; and what
  ///   opening it throws.
  package static func compact(path: String, encryptionKey: [UInt8]? = nil) throws(StorageError) -> Bool {
    let location = FileLocation(path: path)
    _ = try FileCheck.identity(location, readOnly: true)
    let compaction = Compaction { _, _ in true }
    _ = try open(
      location, readOnly: false, encryptionKey: encryptionKey, isNamed: true, compaction: compaction)
    switch compaction.outcome {
    case .done: return true
    case .failed(let error): throw error
    case .unasked, .unwanted, .inUse: return false
    }
  }

  // MARK: Content

  /// Writes the format and the log of a new file; verifies the format of another one, and erases the log that it may have
  /// of an original.
  private static func prepareContent(
    _ entries: EntryStore, path: String, readOnly: Bool
  ) throws(StorageError) {
    try prepareFormat(entries, path: path, readOnly: readOnly)
    if !readOnly { try eraseForeignLog(entries, path: path) }
  }

  private static func prepareFormat(
    _ entries: EntryStore, path: String, readOnly: Bool
  ) throws(StorageError) {
    let transaction = try StorageError.describing(path) { () throws(EntryError) in
      try entries.beginReading()
    }
    defer { transaction.abort() }
    if try FileFormat.isThere(transaction, .main, path: path) { return }
    try StorageError.describing(path) { () throws(EntryError) in
      if try transaction.entryCount(.main) > 0 || readOnly { throw EntryError.invalid }
      let writer = try entries.beginWriting()
      do throws(EntryError) {
        try FileFormat.write(writer, .main)
        try ChangeLog.appendNothing(writer, .main)
      } catch {
        writer.abort()
        throw error
      }
      try writer.commit()
    }
  }

  /// Erases what a copy of a file has of the original's log, which few files have.
  private static func eraseForeignLog(_ entries: EntryStore, path: String) throws(StorageError) {
    try StorageError.describing(path) { () throws(EntryError) in
      let reader = try entries.beginReading()
      defer { reader.abort() }
      if try !ChangeLog.hasForeign(reader, .main) { return }
      let writer = try entries.beginWriting()
      do throws(EntryError) {
        try ChangeLog.eraseForeign(writer, .main)
      } catch {
        writer.abort()
        throw error
      }
      try writer.commit()
    }
  }
}
