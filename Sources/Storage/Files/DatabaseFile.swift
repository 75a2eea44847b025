import LibC
import Pages
import Synchronization

/// An open file, which all its users in this process share.
///
/// Files are found in a registry by device and inode; the last user that releases one closes it.
package final class DatabaseFile: @unchecked Sendable {
  /// As messages name it.
  package let path: String
  let location: FileLocation
  package let isReadOnly: Bool
  let entries: EntryStore
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
  let synchronisationReference = OnceReference<CommitSynchronisation>()
  let checkedPlaces: CheckedPlaces
  /// This machine's time in milliseconds since 1970, for the clock of a synced file. Guarded by the write lock; tests set it.
  package var milliseconds: () -> Int64 = SyncClock.systemMilliseconds
  /// How large the file was when its growth was last looked at; 0 before that.
  let notedPageCount = Atomic(0)

  /// Whether this process has the file open, under whatever name.
  package static func isOpen(path: String) -> Bool {
    FileIdentity(path: path).map { FileRegistry.shared.isOpen($0) } ?? false
  }

  /// - Parameters:
  ///   - openCount: How many files the process has open already.
  ///   - openCopy: Opens a copy of the file that has no name, of which this process reads instead; nil to open the file.
  ///   - prepare: Writes what a new file has, and verifies what another one is.
  init(
    _ location: FileLocation, _ identity: FileIdentity, _ lock: WriteLock, readOnly: Bool,
    encryptionKey: [UInt8]?, isNamed: Bool, openCount: Int,
    openCopy: ((_ mapSize: Int) throws(StorageError) -> EntryStore)?,
    prepare: (EntryStore) throws(StorageError) -> Void
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
    if openCopy == nil {
      try FileCheck.checkContent(descriptor: lock.descriptor, path: path, readOnly: readOnly)
    }
    var information = stat()
    fstat(lock.descriptor, &information)
    // Before anything is in it, so that it is still empty, and this tried again, when it fails: commits to a file whose
    // name the disk does not have would be lost with it.
    if information.st_size == 0 && isNamed {
      try FileLocation.synchroniseFolder(of: location.resolved, name: path)
    }
    // A copy is this process's own.
    lockIdentity =
      openCopy == nil
      ? try LockFile.prepare(location, data: lock.descriptor, readOnly: readOnly) : nil
    // Until here another process may have replaced the file by a compact copy; from now on none can.
    guard FileIdentity(path: location.resolved) == identity else { throw .replaced(path: path) }
    let expected = ExpectedFiles(
      data: FileIdentity(descriptor: lock.descriptor), lock: lockIdentity,
      trustsLockFile: { LockFile.isTrusted($0, location, data: $1) })
    let mapSize = Self.mapSize(openCount: openCount, fileSize: Int(information.st_size))
    entries =
      if let openCopy {
        try openCopy(mapSize)
      } else {
        try Self.openEntries(
          location, expected, readOnly: readOnly, encryptionKey: encryptionKey, mapSize: mapSize)
      }
    do throws(StorageError) {
      let opened = (try? entries.descriptor).flatMap { FileIdentity(descriptor: $0) }
      guard opened == identity || openCopy != nil else { throw .replaced(path: location.path) }
      try prepare(entries)
      checkedPlaces = try Self.makeCheckedPlaces(entries, path: path)
      commitSignal = CommitSignal(
        path: location.resolved, isShared: isNamed && openCopy == nil, lock: lock)
    } catch {
      entries.close()
      throw error
    }
  }

  deinit {
    // A child of fork() must not touch the parent's lock table.
    if isInherited { return }
    closeSynchronising()
    entries.close()
    FileRegistry.shared.finish(identity, nil)
  }

  /// Whether it is a file of the process that this one is a child of: nothing of it may be used.
  package var isInherited: Bool { generation != Fork.generation }

  /// The version of the newest commit, by any process.
  package var newestVersion: UInt64 { entries.newestVersion }
}
