import LibC
import Synchronization

/// What is asked of the operating system to bring a file to the disk. Tests let it fail.
struct DiskCalls: Sendable {
  var synchronise: @Sendable (Int32) -> Bool = { fdatasync($0) == 0 }
  var write: @Sendable (RecoveryRecord, Int32, Int) -> Bool = { $0.write(to: $1, pageSize: $2) }
  var writeJournal: @Sendable (UnsafeRawBufferPointer, Int32, Int) -> Bool = Self.write
  /// The number of bytes that a program may still write to the disk of a file.
  var availableSpace: @Sendable (Int32) -> Int = FileSpace.available
  var startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool = Thread.start

  /// Writes all of some bytes to a place in a file. Returns whether that went well.
  @Sendable static func write(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32, _ place: Int) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress! + written, bytes.count - written, off_t(place + written))
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return false }
      written += count
    }
    return true
  }
}

/// The recovery record of an open file, as all processes see it.
///
/// Invariants: `pages` maps the file's first two pages, shared, so that it shows the writes of all processes at
/// once, durable or not. The record changes only under the lock. A reader without the lock may see a record that is being
/// replaced, or the one before it when the newer is half written: the checksum shows that. The descriptor is LMDB's, that
/// of the lock is the one of the writer lock, and both live as long as the environment does.
final class RecordFile: @unchecked Sendable {
  let descriptor: Int32
  private let lockDescriptor: Int32
  /// Writes to it are synchronisations of themselves; -1 when it could not be had.
  private let syncingDescriptor: Int32
  private let pages: UnsafeRawPointer
  private let pageSize = LMDBPage.size
  private let calls: DiskCalls
  /// Guards the record within the process, and a lock on this byte of the file between processes.
  private let mutex = Mutex(())
  private static let lockByte: off_t = 1 << 62

  init(
    path: String, environment: EntryStore, lockDescriptor: Int32, calls: DiskCalls
  ) throws(EntryError) {
    let descriptor = try environment.descriptor
    guard let mapped = mmap(nil, 2 * pageSize, PROT_READ, MAP_SHARED, descriptor, 0), mapped != MAP_FAILED
    else { throw EntryError(code: errno) }
    self.descriptor = descriptor
    self.lockDescriptor = lockDescriptor
    self.calls = calls
    pages = UnsafeRawPointer(mapped)
    syncingDescriptor = Self.openSyncing(path: path, sameAs: descriptor)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: pages), 2 * pageSize)
    if syncingDescriptor >= 0 { close(syncingDescriptor) }
  }

  /// Opens the file again with `O_DSYNC`. Returns -1 if there are no more descriptors, or another file has replaced it.
  private static func openSyncing(path: String, sameAs descriptor: Int32) -> Int32 {
    let new = open(path, O_RDWR | O_DSYNC | O_CLOEXEC)
    if new < 0 { return -1 }
    var wanted = stat()
    var found = stat()
    if fstat(descriptor, &wanted) == 0, fstat(new, &found) == 0, wanted.st_ino == found.st_ino,
      wanted.st_dev == found.st_dev
    {
      return new
    }
    close(new)
    return -1
  }

  // MARK: Reading

  /// Whether a record of any process is pending: a quick check.
  var isPending: Bool { RecoveryRecord.isPending(pages, pageSize: pageSize) }

  var record: RecoveryRecord? { RecoveryRecord(pages, pageSize: pageSize) }

  /// Whether the newest record is the pending one with a sequence and a journal.
  func isNewest(_ sequence: UInt64, _ journal: JournalNumber) -> Bool {
    RecoveryRecord.isNewest(sequence, journal, pages, pageSize: pageSize)
  }

  /// The meta page of one of the last two versions.
  func meta(of version: UInt64) -> MetaPage.Content {
    MetaPage.Content(pages, version: version, pageSize: pageSize)
  }

  // MARK: Writing

  func withLock<Result>(_ body: () throws(EntryError) -> Result) throws(EntryError) -> Result {
    try mutex.withLock { (_) throws(EntryError) in
      try OpenFileLock.lock(lockDescriptor, byte: Self.lockByte)
      defer { OpenFileLock.unlock(lockDescriptor, byte: Self.lockByte) }
      return try body()
    }
  }

  /// Brings everything that was written to the file to the disk.
  func synchronise() throws(EntryError) {
    if !calls.synchronise(descriptor) { throw .system() }
  }

  /// Brings a record to the disk; what else was written need not get there.
  func write(_ record: RecoveryRecord) throws(EntryError) {
    if syncingDescriptor < 0 { return try writeWithEverything(record) }
    if !calls.write(record, syncingDescriptor, pageSize) { throw .system() }
  }

  /// Brings a record to the disk, and everything else.
  func writeWithEverything(_ record: RecoveryRecord) throws(EntryError) {
    if !calls.write(record, descriptor, pageSize) { throw .system() }
    try synchronise()
  }
}

extension EntryError {
  /// The error of the system call that has just failed.
  fileprivate static func system() -> EntryError { EntryError(code: errno == 0 ? EIO : errno) }
}
