import LibC
import Pages

/// The lock file, which is stored beside the data and has to be the same for all processes that have a file open.
///
/// It is found by its name and trusted. So it is verified first (`LockFileOwner`), and `Pages` opens no other file than the one
/// that was verified. And it must belong to the data, which the names do not prove after one of the two was deleted, moved or
/// replaced. Therefore each process that has a file open holds a shared lock on a byte of the data file, whose number is that of the lock file. A process that finds
/// another of these bytes locked, or the lock file in use and its byte not locked, does not open the file.
enum LockFile {
  /// Where the bytes begin; far behind the end of any file.
  private static let firstByte: off_t = 3 << 61
  private static let byteCount: off_t = 1 << 60

  /// Makes sure that there is a lock file that can be used, and marks the data with it until the descriptor is
  /// closed. No other open file of the process may have the lock file.
  ///
  /// - Returns: The identity of the lock file; nil when the opening process only reads, and may not write the lock file, or there
  ///   is none and it may not write the data or has no space for one. Without space, the data is marked so that no process can
  ///   open it for writing.
  static func prepare(
    _ location: FileLocation, data descriptor: Int32, readOnly: Bool
  ) throws(StorageError) -> FileIdentity? {
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    // Some systems do not let O_CREAT open what another user has made.
    var file = openBesidesStandard(location.lockPath, flags)
    if file < 0 && errno == ENOENT {
      // A lock file of a user who may not write the data would keep the owner of the data out.
      if readOnly && !isWritable(location) { return nil }
      file = make(location, flags, data: descriptor)
    }
    guard file >= 0 else {
      let code = errno
      if readOnly && [EACCES, EPERM, EROFS].contains(code) { return nil }
      if readOnly && isOutOfSpace(code) {
        try takeWithoutLockFile(location, data: descriptor, otherLock(location))
        return nil
      }
      throw openingError(code, location)
    }
    // Only while no other code of the process has it open: closing it ends all locks in the name of the process.
    defer { close(file) }
    var information = stat()
    guard fstat(file, &information) == 0 else { throw .system(errno, path: location.path) }
    if let fault = LockFileOwner(location, data: descriptor).fault(of: information) {
      throw foreign(location, fault)
    }
    try claim(file, information, location, data: descriptor, readOnly: readOnly)
    try mark(location, data: descriptor, lock: file, number: information.st_ino)
    return FileIdentity(information)
  }

  /// Makes sure that a file is a lock file, and for the users of the data.
  private static func claim(
    _ file: Int32, _ information: stat, _ location: FileLocation, data descriptor: Int32, readOnly: Bool
  ) throws(StorageError) {
    guard let state = LockFileMark.state(of: file) else { throw openingError(errno, location) }
    if state == .foreign {
      throw foreign(
        location,
        "was not made by this library. Move it away, or delete it while no process has the realm open")
    }
    guard let permissions = FilePermissions(descriptor: descriptor) else { return }
    // They may have changed, or the process that made the lock file was killed before it set any. A file without content that the
    // administrator has made is not given to others: it need not be a lock file.
    let isGiven = state == .marked || permissions.isOwner(information.st_uid)
    let isOwn = information.st_uid == geteuid() || geteuid() == 0
    if isOwn && isGiven && (!readOnly || isWritable(location)) { permissions.keep(on: file) }
  }

  private static func isWritable(_ location: FileLocation) -> Bool {
    faccessat(AT_FDCWD, location.resolved, W_OK, AT_EACCESS) == 0
  }

  /// Makes a lock file for the users of the data. Returns its descriptor, or that of one that another process has made; -1 with `errno`.
  ///
  /// Where the file system allows that, it gets its name when it is for them: otherwise, if this process was killed in between, it
  /// would keep them out.
  private static func make(_ location: FileLocation, _ flags: Int32, data: Int32) -> Int32 {
    let unnamed = FileLocation.openUnnamed(beside: location.lockPath)
    if unnamed >= 0 {
      let isForUsers = FilePermissions(descriptor: data)?.pass(toCopy: unnamed) ?? false
      let place = "/proc/self/fd/\(unnamed)"
      if isForUsers, linkat(AT_FDCWD, place, AT_FDCWD, location.lockPath, AT_SYMLINK_FOLLOW) == 0 {
        return unnamed
      }
      close(unnamed)
    }
    return openBesidesStandard(location.lockPath, flags | O_CREAT, 0o600)
  }

  /// Whether what is in the lock file of this descriptor can be believed by a process that only reads.
  static func isTrusted(_ lock: Int32, _ location: FileLocation, data: Int32) -> Bool {
    var information = stat()
    return fstat(lock, &information) == 0
      && LockFileOwner(location, data: data).fault(of: information) == nil
  }

  private static func openingError(_ code: Int32, _ location: FileLocation) -> StorageError {
    switch code {
    // What a link, a folder, a socket or a device gives instead of a descriptor.
    case ELOOP, EISDIR, ENXIO, ENODEV: return foreign(location, "is not an ordinary file")
    case EACCES, EPERM:
      var information = stat()
      if lstat(location.lockPath, &information) != 0 { break }
      return StorageError(
        .permissionDenied, path: location.lockPath,
        message:
          "Failed to open Realm file at path '\(location.path)': this user may not write its lock file '\(location.lockPath)', which belongs to user number \(information.st_uid) (\(String(cString: strerror(code)))). Change its permissions, or delete it while no process has the realm open."
      )
    default: break
    }
    return .system(code, path: location.path)
  }

  private static func isOutOfSpace(_ code: Int32) -> Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

  /// Marks the data as if there were a lock file that other processes cannot use: readers without a lock file share the mark,
  /// and all other processes refuse to open the file, so that nothing is written meanwhile.
  ///
  /// - Throws: The given error when another process has the file open in the normal way.
  private static func takeWithoutLockFile(
    _ location: FileLocation, data descriptor: Int32, _ inUse: StorageError
  ) throws(StorageError) {
    let byte = firstByte + byteCount - 1
    do throws(EntryError) {
      try OpenFileLock.share(descriptor, byte: byte)
      if try !OpenFileLock.isHeldByOthers(descriptor, firstByte..<byte) { return }
      OpenFileLock.unlock(descriptor, byte: byte)
    } catch {
      throw .locking(error.code, path: location.path)
    }
    throw inUse
  }

  private static func byte(of lock: ino_t) -> off_t {
    firstByte + off_t(truncatingIfNeeded: lock) & (byteCount - 1)
  }

  /// Locks all of these bytes exclusively, for the holder of the writer lock, unless another process has the file open. Opening
  /// processes wait until `shareAgain`, or until the descriptor is closed. Returns whether the bytes are locked.
  static func tryTakeAlone(data descriptor: Int32) -> Bool {
    OpenFileLock.tryLock(descriptor, bytes: firstByte..<firstByte + byteCount)
  }

  /// Ends what `takeAlone` has begun, for a process that does not have the file open.
  static func release(data descriptor: Int32) {
    OpenFileLock.unlock(descriptor, firstByte..<firstByte + byteCount)
  }

  /// Holds all of these bytes alone, as `tryTakeAlone` does, and first waits a moment for processes that are closing the
  /// file: threads that announce commits may take a moment for that, and so may a program that another thread is just starting.
  static func takeAlone(data descriptor: Int32) -> Bool {
    for _ in 0..<patienceWithClosing {
      if tryTakeAlone(data: descriptor) { return true }
      usleep(1000)
    }
    return false
  }

  /// So many milliseconds they may take.
  private static let patienceWithClosing = 50

  static func shareAgain(data descriptor: Int32, lock: FileIdentity) {
    let byte = byte(of: ino_t(lock.inode))
    // What is held already is only given away.
    try? OpenFileLock.share(descriptor, byte: byte)
    for others in [firstByte..<byte, byte + 1..<firstByte + byteCount] where !others.isEmpty {
      OpenFileLock.unlock(descriptor, others)
    }
  }

  /// Maximum time that other processes may take between closing one of the two files and the other, in milliseconds. The
  /// kernel closes the files of killed processes.
  private static let patience = 500

  private enum Conflict { case otherLock, otherData }

  private static func mark(
    _ location: FileLocation, data: Int32, lock: Int32, number: ino_t
  ) throws(StorageError) {
    let byte = byte(of: number)
    do throws(EntryError) {
      try OpenFileLock.share(data, byte: byte)
    } catch {
      throw .locking(error.code, path: location.path)
    }
    var waited = 0
    while let conflict = try conflict(location, data: data, lock: lock, byte: byte) {
      if waited == patience {
        OpenFileLock.unlock(data, byte: byte)
        throw conflict == .otherData ? otherData(location) : otherLock(location)
      }
      waited += 1
      usleep(1000)
    }
  }

  private static func conflict(
    _ location: FileLocation, data: Int32, lock: Int32, byte: off_t
  ) throws(StorageError) -> Conflict? {
    do throws(EntryError) {
      // Not from a list, whose type the runtime would have to look for each time a program begins.
      if try OpenFileLock.isHeldByOthers(data, firstByte..<byte) { return .otherLock }
      if try OpenFileLock.isHeldByOthers(data, byte + 1..<firstByte + byteCount) { return .otherLock }
      let isLockInUse = try OpenFileLock.isHeldByOthers(lock, memoryByte)
      let isMarked = try OpenFileLock.isHeldByOthers(data, byte..<byte + 1)
      return isLockInUse && !isMarked ? .otherData : nil
    } catch {
      throw .locking(error.code, path: location.path)
    }
  }

  /// The error when the processes that have the file open have another lock file.
  static func otherLock(_ location: FileLocation) -> StorageError {
    StorageError(
      .access, path: location.path,
      message:
        "Failed to open Realm file at path '\(location.path)': another process has it open with another lock file, because one of the two was deleted, moved or replaced meanwhile, or reads it without a lock file, which it may not write."
    )
  }

  /// The error when the lock file belongs to processes that have another file open.
  static func otherData(_ location: FileLocation) -> StorageError {
    StorageError(
      .access, path: location.path,
      message:
        "Failed to open Realm file at path '\(location.path)': it was deleted or replaced while it was open, and the former file is still in use."
    )
  }

  private static func foreign(_ location: FileLocation, _ reason: String) -> StorageError {
    StorageError(
      .access, path: location.path,
      message:
        "Failed to open Realm file at path '\(location.path)': its lock file '\(location.lockPath)' \(reason)."
    )
  }

  /// What the processes that use the memory of a lock file hold of it: see `FileUsers` of Pages.
  private static let memoryByte = 1 << 60..<1 << 60 + 1 as Range<off_t>
}
