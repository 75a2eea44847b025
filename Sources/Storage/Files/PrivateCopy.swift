import CSystemCalls
import LibC

/// A copy in memory of the newest version of a file, for a process that may read the file and may not write its lock file:
/// one of another user, or with the file on a read-only mount.
///
/// Such a process has no slot in LMDB's table of readers, so that writers overwrite the pages that it reads. A copy needs no
/// slot. LMDB 0.9 reuses in transaction T only pages that transactions up to T − 2 have freed (`mdb_find_oldest` is T − 1
/// without readers, and pages freed by an older transaction are taken), so that it never writes to a page of versions T − 2 and
/// T − 1. When version V was the newest before the copy was made, and V or V + 1 is after it, no transaction later than V + 2
/// has written meanwhile, and all pages of V are whole.
///
/// While other processes commit faster than the file can be copied, the copy is made under the writer lock, which a process
/// that only reads can share; writers wait that long.
///
/// The recovery from a journal does not follow LMDB's rule. While pages are written then, all marks of the file are held
/// alone (`LockFile`), and the recovery record is another one afterwards.
final class PrivateCopy {
  let descriptor: Int32

  /// Files of which more is in use are not copied, in bytes.
  static let sizeLimit = 256 << 20
  /// Number of copies that are made without the writer lock, before it is tried for.
  private static let optimisticAttempts = 2
  private static let attempts = 20
  /// Number of times that the writer lock is tried for before each further copy, 10 µs apart or more.
  private static let lockAttempts = 2_000

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// The path by which LMDB opens the copy.
  var path: String { "/proc/self/fd/\(descriptor)" }

  /// Copies the newest version of a file.
  ///
  /// - Parameters:
  ///   - descriptor: An open descriptor of the file, through which it can be read.
  ///   - sizeLimit: Files of which more is in use are not copied, in bytes.
  ///   - triesLock: Whether the writer lock is tried for when others commit too fast.
  ///   - copied: Called after each copy, before the file is found unchanged or not.
  /// - Returns: Nil when too much is in use, or the system has no files in memory that can be opened by a path.
  /// - Throws: `access` when other processes commit too fast.
  static func take(
    _ location: FileLocation, data descriptor: Int32, sizeLimit: Int = sizeLimit, triesLock: Bool = true,
    copied: () -> Void = {}
  ) throws(StorageError) -> PrivateCopy? {
    for attempt in 0..<attempts {
      let isLocked = triesLock && attempt >= optimisticAttempts && tryLock(descriptor)
      defer { if isLocked { flock(descriptor, LOCK_UN) } }
      try LockFile.waitForExclusiveHolder(location, data: descriptor)
      let before = try FirstPages(descriptor, location)
      let size = before.usedSize
      if size > sizeLimit { return nil }
      guard let copy = try copy(before, size: size, of: descriptor, location) else { return nil }
      copied()
      let after = try FirstPages(descriptor, location)
      if before.isWhole(after), try !LockFile.isHeldAlone(location, data: descriptor) { return copy }
    }
    throw StorageError(
      .access, path: location.path,
      message:
        "Failed to open Realm file at path '\(location.path)': other processes write to it faster than it can be copied, and this user may not write its lock file '\(location.lockPath)', without which it can only be read from a copy: give the user write permission for the lock file, or try again later."
    )
  }

  /// Shares the writer lock unless other processes hold it all the time.
  private static func tryLock(_ descriptor: Int32) -> Bool {
    for _ in 0..<lockAttempts {
      if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return true }
      if errno != EWOULDBLOCK && errno != EINTR { return false }
      usleep(10)
    }
    return false
  }

  private static func copy(
    _ first: FirstPages, size: Int, of source: Int32, _ location: FileLocation
  ) throws(StorageError) -> PrivateCopy? {
    let descriptor = openrealm_memory_file("realm")
    if descriptor < 0 {
      if errno == ENOSYS || errno == EACCES || errno == EPERM { return nil }
      throw .system(errno, path: location.path)
    }
    let copy = PrivateCopy(descriptor: descriptor)
    guard access(copy.path, R_OK) == 0 else { return nil }
    let isBegun = first.bytes.withUnsafeBytes { DiskCalls.write($0, descriptor, 0) }
    if !isBegun { throw .system(errno, path: location.path) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    var place = first.bytes.count
    while place < size {
      let count = pread(source, buffer.baseAddress!, min(buffer.count, size - place), off_t(place))
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw .system(errno, path: location.path) }
      // A file that is cut off is reported when its trees are verified.
      if count == 0 { break }
      guard DiskCalls.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), descriptor, place) else {
        throw .system(errno, path: location.path)
      }
      place += count
    }
    seal(descriptor)
    return copy
  }

  /// No process can change the copy from now on. Where the system has no seals, no other process has the copy anyhow.
  private static func seal(_ descriptor: Int32) {
    // `F_ADD_SEALS`; no more seals, no shrinking, no growing, no writing.
    _ = fcntl(descriptor, 1033, 1 | 2 | 4 | 8)
  }
}

/// The first two pages of a file at one moment: LMDB's meta pages and the recovery record.
private struct FirstPages {
  let bytes: [UInt8]

  init(_ descriptor: Int32, _ location: FileLocation) throws(StorageError) {
    var bytes = [UInt8](repeating: 0, count: 2 * LMDBPage.size)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    if count < 0 { throw .system(errno, path: location.path) }
    guard count == bytes.count else { throw .invalid(path: location.path, "file is too small.") }
    self.bytes = bytes
  }

  private func meta(of version: UInt64) -> MetaPage.Content {
    bytes.withUnsafeBytes {
      MetaPage.Content($0.baseAddress!, version: version, pageSize: LMDBPage.size)
    }
  }

  private var newest: MetaPage.Content {
    let metas = (meta(of: 0), meta(of: 1))
    return metas.0.version > metas.1.version ? metas.0 : metas.1
  }

  private var record: RecoveryRecord? {
    bytes.withUnsafeBytes { RecoveryRecord($0.baseAddress!, pageSize: LMDBPage.size) }
  }

  /// The size of the newest version, in bytes.
  var usedSize: Int { Int(clamping: newest.lastPage &+ 1) &* LMDBPage.size }

  /// Whether the pages of the newest version were whole from this moment to a later one.
  func isWhole(_ after: FirstPages) -> Bool {
    let version = newest.version
    // A meta page that was being written when it was read is another one now.
    guard after.meta(of: version) == newest, after.newest.version <= version + 1 else { return false }
    return record?.journal == nil || record == after.record
  }
}
