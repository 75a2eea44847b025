import CSystemCalls
import LibC

/// Sees what reaches a file and the memory that its users share before it does, and can let it fail: for tests.
package protocol StoreWatcher: AnyObject {
  func willWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(PageError)
  func willSynchronise() throws(PageError)
  func didSynchronise()
  /// Something is about to be stored in the shared memory.
  func willStore()
}

/// The file on the disk: the only place that writes to it.
///
/// Safe from several threads: the descriptor, the watcher and, after `findCipher`, the cipher stay what they are.
final class DiskFile: @unchecked Sendable {
  let owned: OwnedDescriptor
  /// Of an encrypted file. It is set once, before anything else looks at it.
  var cipher: PageCipher?
  private var descriptor: Int32 { owned.number }
  private let watcher: (any StoreWatcher)?

  /// Size in bytes of the aligned parts of the file in which much is written. Linux keeps what one call writes in folios, as large
  /// as the alignment allows. Many small folios cost time when they are allocated and written back; in a larger one, each later
  /// write to a part costs in proportion to the whole.
  private static let piece = 64 << 10

  init(_ descriptor: OwnedDescriptor, watcher: (any StoreWatcher)?) {
    owned = descriptor
    self.watcher = watcher
  }

  /// Opens a file; see `OwnedDescriptor.open`.
  convenience init(
    path: String, _ flags: Int32, expecting expected: FileIdentity? = nil, watcher: (any StoreWatcher)?
  ) throws(PageError) {
    self.init(try OwnedDescriptor.open(path, flags, expecting: expected), watcher: watcher)
  }

  /// Throws in a child of `fork`, to which a file that its parent has opened does not belong.
  @inline(__always)
  func checkOwner() throws(PageError) { if !owned.isOwn { throw .forked } }

  /// Its size in bytes.
  ///
  /// Not by `fstat`: from Linux 6.13 on, the first write after one changes the times of the file, and the next `fdatasync` then writes
  /// the inode as well. Nothing uses the position that this moves.
  var size: Int {
    get throws(PageError) {
      try checkOwner()
      let end = lseek(descriptor, 0, SEEK_END)
      if end < 0 { throw .system(errno) }
      return Int(end)
    }
  }

  /// Tells this file from its copies.
  var identity: FileIdentity {
    get throws(PageError) {
      guard let identity = FileIdentity(descriptor: descriptor) else { throw .system(errno) }
      return identity
    }
  }

  /// When the file was made, in nanoseconds; 0 where the system does not say. A file that was deleted and restored may get its former
  /// inode.
  var created: UInt64 {
    var identity = openrealm_identity()
    return openrealm_identify(descriptor, "", &identity) == 0 ? identity.created : 0
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(PageError) {
    try watcher?.willWrite(bytes, at: offset)
    var done = 0
    while done < bytes.count {
      let (place, left) = (offset + done, bytes.count - done)
      let size = left <= Self.piece ? left : Self.piece - place % Self.piece
      let count = pwrite(descriptor, bytes.baseAddress! + done, size, off_t(place))
      if count < 0 && errno != EINTR { throw .system(errno) }
      // POSIX does not exclude it, and whoever tries again may do so for ever.
      if count == 0 { throw .system(ENOSPC) }
      if count > 0 { done += count }
    }
  }

  /// Makes the file empty, as far as the system allows it.
  func removeAll() { _ = ftruncate(descriptor, 0) }

  /// Lets the system drop what it has of the file in memory, as far as nothing maps it: what is read next is what the disk has.
  func forgetCached() { _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) }

  /// Lets the kernel write a part of the file to the disk while the caller goes on, so that `synchronise` has less to wait for.
  ///
  /// The kernel reports an error of the disk when the file is synchronised.
  func startWriteback(_ count: Int, at offset: Int) {
    _ = openrealm_start_writeback(descriptor, offset, count)
  }

  /// The bytes that are there, at most `count`.
  func bytes(_ count: Int, at offset: Int) throws(PageError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let done = try read(count, at: offset, to: &bytes)
    bytes.removeLast(count - done)
    return bytes
  }

  /// Reads the bytes that are there, at most `count`. Returns their number.
  func read(_ count: Int, at offset: Int, to target: UnsafeMutableRawPointer) throws(PageError) -> Int {
    try checkOwner()
    var done = 0
    while done < count {
      let read = pread(descriptor, target + done, count - done, off_t(offset + done))
      if read < 0 && errno != EINTR { throw .system(errno) }
      if read == 0 { break }
      if read > 0 { done += read }
    }
    return done
  }

  /// Returns when the disk has everything that was written before.
  func synchronise() throws(PageError) {
    try watcher?.willSynchronise()
    while fdatasync(descriptor) != 0 { if errno != EINTR { throw .system(errno) } }
    watcher?.didSynchronise()
  }

  // MARK: Records

  func record(atUnit unit: UInt64) throws(PageError) -> VersionRecord? {
    if unit > UInt64(Int.max / FileLayout.unit - 1) { return nil }
    let bytes = try bytes(VersionRecord.size, at: Int(unit) * FileLayout.unit)
    if bytes.count < VersionRecord.size { return nil }
    return bytes.withUnsafeBytes { VersionRecord(at: $0.baseAddress!, cipher) }
  }

  /// Whether a header slot has something that is no record.
  func isUnreadable(slot: Int) throws(PageError) -> Bool {
    let bytes = try bytes(VersionRecord.size, at: slot * FileLayout.block)
    if bytes.allSatisfy({ $0 == 0 }) { return false }
    return try record(atUnit: UInt64(slot * FileLayout.unitsPerBlock)) == nil
  }

  /// Whether the record of a version of the file is there. It is not verified.
  func hasRecord(of version: UInt64, fileNumber: UInt64, atUnit unit: UInt64) throws(PageError) -> Bool {
    try withUnsafeTemporaryAllocation(byteCount: VersionRecord.headSize, alignment: 8) {
      (head) throws(PageError) in
      let start = head.baseAddress!
      return try read(head.count, at: Int(unit) * FileLayout.unit, to: start) == head.count
        && VersionRecord.isHead(start, fileNumber: fileNumber, version: version)
    }
  }

  func write(_ record: VersionRecord, atUnit unit: UInt64) throws(PageError) {
    try withUnsafeTemporaryAllocation(byteCount: VersionRecord.size, alignment: 8) {
      (bytes) throws(PageError) in
      record.store(at: bytes.baseAddress!, cipher)
      try write(UnsafeRawBufferPointer(bytes), at: Int(unit) * FileLayout.unit)
    }
  }

  /// Overwrites a record, so that it never counts again.
  func eraseRecord(atUnit unit: UInt64) throws(PageError) {
    try withUnsafeTemporaryAllocation(byteCount: VersionRecord.size, alignment: 8) {
      (zeros) throws(PageError) in
      memset(zeros.baseAddress!, 0, zeros.count)
      try write(UnsafeRawBufferPointer(zeros), at: Int(unit) * FileLayout.unit)
    }
  }
}
