import CSystemCalls
import EarlierFiles
import LibC
import Pages

/// Files of the formats 2 to 6, which are files of LMDB, where a file of pages is to be opened.
///
/// A file that is opened for writing is replaced by a new one, once. The new one is written beside it, synced, and exchanged with it:
/// at every moment the path leads to one of them, complete. The former file is kept as `name.realm.vN`, N being its format,
/// until the new one is opened once more.
struct EarlierFileConversion {
  private let location: FileLocation
  private let descriptor: Int32
  private let encryptionKey: [UInt8]?

  /// Nil when it is no such file.
  ///
  /// - Parameter descriptor: Of the file.
  init?(_ location: FileLocation, descriptor: Int32, encryptionKey: [UInt8]?) {
    guard EarlierFile.isEarlier(descriptor: descriptor) else { return nil }
    (self.location, self.descriptor, self.encryptionKey) = (location, descriptor, encryptionKey)
  }

  // MARK: For writing

  /// Replaces the file. The caller holds the writer lock, for which other processes wait that open the file to write.
  ///
  /// - Throws: The errors of opening the file, of writing a new one, and `access` when another process has it open. The file is as it
  ///   was then, unless it is not sure which one the disk has.
  func replace() throws(StorageError) {
    guard try !isInUse(), LockFile.takeAlone(data: descriptor) else { throw EarlierFileCopy.inUse(location) }
    defer { LockFile.release(data: descriptor) }
    if EarlierFile.isUnfinished(descriptor: descriptor) {
      if ftruncate(descriptor, 0) != 0 { throw .system(errno, path: location.path) }
      try remove(location.lockPath)
      return
    }
    let copy = try EarlierFileCopy(
      location, descriptor: descriptor, isInUse: false, encryptionKey: encryptionKey)
    let kept = FormerFile.path(location, format: copy.format)
    let keeping = KeptFile(location.resolved, as: kept)
    try keeping.checkIsPossible()
    let folder = try WorkFolder.take(beside: location.resolved)
    defer { folder.end() }
    try copy.write(to: folder.file)
    // Until it is closed, processes that open the new file to write wait.
    let lock = try DatabaseFile.lockedForUsers(of: location.resolved, folder.file, path: location.path)
    defer { close(lock) }
    // Before the exchange, so that no process can open the new file with it. Files of pages have another form of it.
    try remove(location.lockPath)
    try exchange(folder, keeping)
    do throws(StorageError) {
      try folder.synchroniseParent()
    } catch {
      // The process that opens the file next tries again.
      folder.leave()
      throw error
    }
    unlink(location.journalPath)
    // If something has the name since, the former file is deleted.
    _ = try? FileLocation.move(folder.file, unlessThere: kept)
  }

  /// Exchanges the new file and the former one.
  private func exchange(_ folder: WorkFolder, _ keeping: KeptFile) throws(StorageError) {
    if openrealm_exchange(folder.file, location.resolved) == 0 { return }
    let code = errno
    guard code == EINVAL || FileLocation.isUnsupported(code) else {
      throw .writing(code, path: location.path)
    }
    // The file must not get a second name, with which earlier versions refuse it.
    _ = try keeping.keepCopy(by: folder)
    if rename(folder.file, location.resolved) != 0 { throw .writing(errno, path: location.path) }
  }

  private func remove(_ path: String) throws(StorageError) {
    if unlink(path) != 0 && errno != ENOENT { throw .writing(errno, path: location.path) }
  }

  /// Whether a process has the file open with LMDB, which holds a byte of its lock file.
  private func isInUse() throws(StorageError) -> Bool {
    let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    var file = openBesidesStandard(location.lockPath, O_RDWR | flags)
    // Locks can be looked up by a process that may only read.
    if file < 0 && [EACCES, EPERM, EROFS].contains(errno) {
      file = open(location.lockPath, O_RDONLY | flags)
    }
    if file < 0 {
      // A process that may not even read it takes it for unused.
      if [ENOENT, EACCES, EPERM].contains(errno) { return false }
      throw .system(errno, path: location.path)
    }
    defer { close(file) }
    do throws(EntryError) {
      return try OpenFileLock.isHeldByOthers(file, 0..<1)
    } catch {
      throw .locking(error.code, path: location.path)
    }
  }

  // MARK: For reading

  /// Larger files are not converted each time they are opened, in bytes.
  static let sizeLimit = 256 << 20

  /// Converts the file to one that has no name any more when this returns, for a process that only reads. The file stays as it is.
  ///
  /// - Throws: The errors of opening it; `unsupportedFormat` when it is large.
  func openUnnamedCopy(mapSize: Int) throws(StorageError) -> EntryStore {
    // While it is held no process writes pages, and none converts the file. Processes may have it open.
    while flock(descriptor, LOCK_SH) != 0 {
      if errno != EINTR { throw .locking(errno, path: location.path) }
    }
    defer { flock(descriptor, LOCK_UN) }
    guard FileIdentity(path: location.resolved) == FileIdentity(descriptor: descriptor) else {
      throw .replaced(path: location.path)
    }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw .system(errno, path: location.path) }
    let size = Int(information.st_size)
    if size > Self.sizeLimit { throw EarlierFileCopy.tooLarge(location, size: size) }
    let copy = try EarlierFileCopy(
      location, descriptor: descriptor, isInUse: try isInUse(), encryptionKey: encryptionKey)
    let folder = try DatabaseFile.makePrivateFolder(Self.temporaryFolder + "/openrealm-")
    let path = folder + "/converted.realm"
    defer {
      unlink(path)
      unlink(path + "-lock")
      rmdir(folder)
    }
    try copy.write(to: path)
    unlink(path + "-lock")
    return try DatabaseFile.openEntries(
      FileLocation(path: path, name: location.path), ExpectedFiles(), readOnly: true,
      encryptionKey: encryptionKey,
      mapSize: mapSize)
  }

  private static var temporaryFolder: String {
    guard let folder = getenv("TMPDIR"), folder.pointee != 0 else { return "/tmp" }
    return String(cString: folder)
  }
}
