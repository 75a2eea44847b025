import LibC

extension RecoveryRecord {
  /// Restores the last complete version if the system, or a sync, has failed since. The caller holds the writer lock, and LMDB
  /// has not opened the file yet. When it is not known which boot this is,
  /// there may have been another one since; who has the file open knows better.
  ///
  /// What a journal has is written again in the same boot as well, when it is there: a disk may have been gone and come back. A
  /// commit that was not in it yet when its process was killed is undone.
  ///
  /// - Throws: When the file would have to be written and cannot be; `unrecovered` also when its journal is missing.
  static func recover(descriptor: Int32, _ location: FileLocation, readOnly: Bool) throws(StorageError) {
    let path = location.path
    let pageSize = LMDBPage.size
    var pages = [UInt8](repeating: 0, count: 2 * pageSize)
    let size = pread(descriptor, &pages, pages.count, 0)
    if size < 0 { throw .system(errno, path: path) }
    let found =
      size == pages.count
      ? pages.withUnsafeBytes { RecoveryRecord($0.baseAddress!, pageSize: pageSize) } : nil
    // One that no record names is left by who died, or belongs to a file that was here before.
    if found?.journal == nil && !readOnly {
      Journal.removeLeftover(location.journalPath) { fdatasync(descriptor) == 0 }
    }
    guard var record = found, record.isPending,
      record.boot != Boot.current || record.journal != nil && !readOnly,
      try !isInUse(location, readOnly: readOnly)
    else { return }
    if record.boot == Boot.current, FileIdentity(path: location.journalPath) == nil { return }
    if readOnly {
      throw StorageError(
        .unrecovered, path: path,
        message:
          "Failed to open Realm file at path '\(path)': the system has failed while it was written: open it for writing once, to recover it."
      )
    }
    // Pages are written that a process without a slot among LMDB's readers may read.
    guard LockFile.takeAlone(data: descriptor) else {
      if try isInUse(location, readOnly: false) { return }
      throw LockFile.otherLock(location)
    }
    defer { LockFile.release(data: descriptor) }
    if let journal = record.journal {
      let newest = pages.withUnsafeBytes { MetaPage.Content.newest($0.baseAddress!, pageSize: pageSize) }
      do throws(StorageError) {
        record.meta = try JournalReplay(location, journal, pageSize: pageSize)
          .apply(after: record.meta, known: newest.version, to: descriptor)
      } catch {
        // Only the processes have died: the file itself has all that they wrote, and needs no journal.
        guard error.kind == .invalidDatabase, record.boot == Boot.current, newest.isPossible else {
          throw error
        }
        record.meta = newest
      }
    }
    var former = record.meta
    former.version -= 1
    // The record counts until everything before is on the disk.
    guard record.meta.write(to: descriptor, pageSize: pageSize),
      former.write(to: descriptor, pageSize: pageSize), fdatasync(descriptor) == 0
    else { throw .system(errno, path: path) }
    record.sequence += 1
    record.isPending = false
    guard record.write(to: descriptor, pageSize: pageSize), fdatasync(descriptor) == 0 else {
      throw .system(errno, path: path)
    }
    Journal.removeLeftover(location.journalPath) { true }
  }

  /// Whether any process has the file open. A process that may not even read the lock file takes it for unused: an open file
  /// has no record of an earlier boot.
  private static func isInUse(_ location: FileLocation, readOnly: Bool) throws(StorageError) -> Bool {
    do throws(StorageError) {
      return try LockFile.isInUse(path: location.lockPath)
    } catch {
      if readOnly && error.kind == .permissionDenied { return false }
      throw error
    }
  }
}
