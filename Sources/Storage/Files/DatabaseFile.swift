import LibC
import Synchronization

/// An open file, which all its users in this process share.
///
/// Files are found in a registry by device and inode; the last user that releases one closes it.
package final class DatabaseFile: @unchecked Sendable {
  /// As messages name it.
  package let path: String
  let location: FileLocation
  package let isReadOnly: Bool
  let environment: EntryStore
  let databases: Databases
  let writeLock: WriteLock
  let commitSignal: CommitSignal
  package let identity: FileIdentity
  /// The identity of the lock file; nil for a process that only reads, and has no space or no permission for it.
  let lockIdentity: FileIdentity?
  /// Whether the file keeps its name while it is open.
  let isNamed: Bool
  private let generation = Fork.generation
  /// When its place was looked at last; guarded by the write lock.
  var lastLook = 0
  /// The next row number of each table, also counting rows that were never committed: what was handed out once
  /// in this process must not name another row. Guarded by the write lock.
  var nextRows: [Int: Int] = [:]
  /// The snapshots of this process.
  let readerList = Mutex(NumberTable<VersionReader>())
  let synchronisationReference = AtomicLazyReference<CommitSynchronisation>()
  let checkedPlaces: CheckedPlaces
  /// This machine's time in milliseconds since 1970, for the clock of a synced file. Guarded by the write lock; tests set it.
  package var milliseconds: () -> Int64 = SyncClock.systemMilliseconds
  /// How large the file was when its growth was last looked at; 0 before that.
  let notedPageCount = Atomic(0)

  /// The trees of a file.
  struct Databases {
    /// Format, catalogue, row counts and what each version changed.
    let main = EntryTree.main
    /// (table, column, chunk) → chunk.
    let columns = EntryTree.columns
    /// (table, column, row, family, segment) → chunk.
    let collections = EntryTree.collections
    /// (index, first key, first row) → block.
    let indexes = EntryTree.indexes
    /// (table, column, row) → long value.
    let values = EntryTree.values

    var all: [EntryTree] { [main, columns, collections, indexes, values] }
  }

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
      FileLocation(path: place, name: name), readOnly: false, encryptionKey: encryptionKey, isNamed: true)
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
    let lock = WriteLock(descriptor: new.descriptor, path: location.path)
    // Two processes that create the file at once must not both initialise it.
    if !readOnly { lock.acquire() }
    defer { if !readOnly { lock.release() } }
    try lock.checkHeld()
    // The former holder of the lock may have deleted the file, or put another one in its place.
    guard FileIdentity(path: location.resolved) == identity else { return nil }
    if !readOnly && isNamed { try WorkFolder.clean(beside: location.resolved) }
    let earlier = EarlierFileConversion(
      location, descriptor: new.descriptor, encryptionKey: encryptionKey)
    if let earlier, !readOnly {
      try earlier.replace()
      isConverted = true
      return nil
    }
    do throws(StorageError) {
      file = try DatabaseFile(
        location, identity, lock, readOnly: readOnly, encryptionKey: encryptionKey, isNamed: isNamed,
        openCount: new.openCount, earlier)
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

  /// Whether this process has the file open, under whatever name.
  package static func isOpen(path: String) -> Bool {
    FileIdentity(path: path).map { FileRegistry.shared.isOpen($0) } ?? false
  }

  /// - Parameters:
  ///   - openCount: How many files the process has open already.
  ///   - earlier: The conversion of a file of an earlier format that is only read.
  private init(
    _ location: FileLocation, _ identity: FileIdentity, _ lock: WriteLock, readOnly: Bool,
    encryptionKey: [UInt8]?, isNamed: Bool, openCount: Int, _ earlier: EarlierFileConversion?
  ) throws(StorageError) {
    path = location.path
    self.location = location
    self.identity = identity
    self.isNamed = isNamed
    isReadOnly = readOnly
    writeLock = lock
    if let former = FileIdentity(path: location.lockPath), FileRegistry.shared.isLockInUse(former) {
      throw LockFile.otherData(location)
    }
    if earlier == nil {
      try FileCheck.checkContent(descriptor: lock.descriptor, path: path, readOnly: readOnly)
    }
    var information = stat()
    fstat(lock.descriptor, &information)
    // Before anything is in it, so that it is still empty, and this tried again, when it fails: commits to a file whose
    // name the disk does not have would be lost with it.
    if information.st_size == 0 && isNamed {
      try FileLocation.synchroniseFolder(of: location.resolved, name: path)
    }
    // What is made of a file of an earlier format is this process's own.
    lockIdentity =
      earlier == nil
      ? try LockFile.prepare(location, data: lock.descriptor, readOnly: readOnly) : nil
    // Until here another process may have replaced the file by a compact copy; from now on none can.
    guard FileIdentity(path: location.resolved) == identity else { throw .replaced(path: path) }
    let mapSize = Self.mapSize(openCount: openCount, fileSize: Int(information.st_size))
    environment =
      if let earlier {
        try earlier.openUnnamedCopy(mapSize: mapSize)
      } else {
        try Self.openEnvironment(
          location, readOnly: readOnly, encryptionKey: encryptionKey, mapSize: mapSize)
      }
    do throws(StorageError) {
      let opened = (try? environment.descriptor).flatMap { FileIdentity(descriptor: $0) }
      guard opened == identity || earlier != nil else { throw .replaced(path: location.path) }
      databases = try Self.openDatabases(environment, path: path, readOnly: readOnly)
      checkedPlaces = try Self.makeCheckedPlaces(environment, path: path)
      if !readOnly { try Self.eraseForeignLog(environment, databases, path: path) }
      commitSignal = CommitSignal(
        path: location.resolved, isShared: isNamed && earlier == nil, lock: lock)
    } catch {
      environment.close()
      throw error
    }
  }

  deinit {
    // A child of fork() must not touch the parent's lock table.
    if isInherited { return }
    closeSynchronising()
    environment.close()
    FileRegistry.shared.finish(identity, nil)
  }

  /// Whether it is a file of the process that this one is a child of: nothing of it may be used.
  package var isInherited: Bool { generation != Fork.generation }

  /// The version of the newest commit, by any process.
  package var newestVersion: UInt64 { environment.newestVersion }
}
