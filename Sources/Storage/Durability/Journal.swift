import LibC
import Synchronization

/// The file beside a realm's that has what small commits have written, one record after the other, so that the disk has a commit
/// with one synchronisation instead of two, and of one place instead of many. See `JournalRecord` for its form.
///
/// How a commit gets to the disk with it:
///  1. Before the first one, the disk has a version S as LMDB made it, and the recovery record names S and the number of the
///     journal, which is empty. From then on it is the record that counts after a failure of the system.
///  2. A commit writes to LMDB's file without a sync; the system writes the pages back at any time. The pages
///     that it wrote are appended to the journal (`CommittedPages`, `JournalRecord`), and the journal is synchronised. Then the
///     disk has the commit.
///  3. When the journal is full, or a commit is too large for it, LMDB's file is synchronised, and the recovery record names the
///     newest version and another number, so that the journal is empty again: a checkpoint.
///  4. When no commits come for a second, before a commit that does without the journal, and when the file is closed, the
///     checkpoint ends it: the recovery record says that there is none, LMDB's own commits with their two synchronisations count
///     again, and the file is whole by itself.
///
/// After a failure of the system, all pages that commits have written since S are written again, from the journal
/// (`JournalReplay`). Nothing else is needed: what S shows and a later version shows as well was on the disk before, and LMDB
/// never writes to it; the commit that was under way writes only to pages that the version before it does not show. So,
/// unlike a record without a journal, one with a journal pins nothing, and free pages are used again at once.
///
/// The death of processes loses nothing that the system has in memory. The first opener of the file after it writes
/// the pages of the journal again all the same: the disk may have been gone in between. A program that ends without closing
/// its files ends their journals (`atexit`).
///
/// LMDB publishes a commit a little before it is durable, as with deferred commits. The readers of the process are not shown it
/// before that (`WithheldVersion`).
///
/// One process uses it, which has made several durable commits quickly, one after the other, without another one's between
/// them. A commit of another process, a relaxed or a deferred one ends it first. So does a commit when the disk has little
/// space left. Without a thread that would look for the pause of step 4, no journal is begun.
///
/// The process that uses a journal holds a lock on it, so that no other process takes it for one of a dead process and deletes it.
///
/// Invariants: only the holder of the writer lock touches it. Everything before `end` is durable, and `capacity` bytes of
/// the file were written before, so that writing to them changes no metadata, which would be a second synchronisation.
final class Journal {
  let path: String
  private(set) var number: JournalNumber
  /// The version that it begins with, as the recovery record has it.
  private(set) var base: MetaPage.Content
  /// The last version that it has, or that it begins with.
  private(set) var version: UInt64
  private let descriptor: Int32
  private let calls: DiskCalls
  private let generation = Fork.generation
  private var capacity = 0
  private var end = 0
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Makes the file, or takes one that is there; nil when that cannot be done.
  ///
  /// - Parameters:
  ///   - base: The version that it begins with.
  ///   - data: The descriptor of the realm's file. Who may use that may use the journal.
  init?(path: String, base: MetaPage.Content, data: Int32, calls: DiskCalls) {
    self.path = path
    self.base = base
    self.calls = calls
    number = .random()
    version = base.version
    descriptor = LibC.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if descriptor < 0 { return nil }
    Fork.add(descriptor: descriptor)
    guard isTaken(data: data) else { return nil }
    guard makeReady(to: JournalCapacity.bytes.load(ordering: .relaxed)) else {
      // No process may find half a journal.
      remove()
      return nil
    }
  }

  deinit {
    if descriptor >= 0 { Fork.close(descriptor: descriptor, generation: generation) }
    buffer.deallocate()
  }

  /// Takes the lock on the file, which lies beside the realm's, belongs to who may write that, and is a journal or empty. Returns
  /// whether that could be done: who has a file open that is not at its place any more may still use the one that is there.
  private func isTaken(data: Int32) -> Bool {
    var realm = stat()
    var own = stat()
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.isOne(descriptor), fstat(data, &realm) == 0,
      fstat(descriptor, &own) == 0, own.st_uid == geteuid() || own.st_uid == realm.st_uid,
      // Where the files lie on different disks, one may be there without the other.
      own.st_dev == realm.st_dev
    else { return false }
    return FileIdentity(path: path) == FileIdentity(own)
      && FilePermissions(descriptor: data)?.restore(on: descriptor) == true
  }

  private func makeReady(to size: Int) -> Bool {
    var limit = rlimit()
    // A program that writes beyond that is ended.
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, limit.rlim_cur >= size else {
      return false
    }
    return grow(to: size) && (try? FileLocation.synchroniseFolder(of: path)) == true
  }

  /// Whether a file that has the name of a journal is one: a plain file with this name only, which begins as one or is empty.
  private static func isOne(_ descriptor: Int32) -> Bool {
    var information = stat()
    var word: UInt64 = 0
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
      information.st_nlink == 1
    else { return false }
    return information.st_size == 0 || pread(descriptor, &word, 8, 0) == 8 && word == JournalRecord.magic
  }

  /// Deletes the journal of a file whose record names none, if a former process has left one.
  ///
  /// - Parameter isDurable: Makes that record durable; called only if there is a journal.
  static func removeLeftover(_ path: String, isDurable: () -> Bool) {
    let descriptor = LibC.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0 { return }
    defer { close(descriptor) }
    // Who uses it has a lock on it.
    guard isOne(descriptor), flock(descriptor, LOCK_EX | LOCK_NB) == 0, isDurable() else { return }
    unlink(path)
  }

  var isEmpty: Bool { end == 0 }

  /// Whether the file still has a name. Without one recovery would not find its content.
  var isNamed: Bool { FileIdentity.isNamed(descriptor) }

  /// How many bytes of pages a commit may have.
  var room: Int { capacity - end - JournalRecord.alignment }

  /// Writes zeros to the file until it is so large, and brings them to the disk. Returns whether that went well.
  private func grow(to size: Int) -> Bool {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { return false }
    // What was there before was written when it became so large.
    var place = min(Int(information.st_size), size) & ~(JournalRecord.alignment - 1)
    var block = [UInt8](repeating: 0, count: min(1 << 20, max(size - place, 8)))
    // The first bytes say what it is.
    if place == 0 { withUnsafeBytes(of: JournalRecord.magic) { block.replaceSubrange(..<8, with: $0) } }
    while place < size {
      let isWritten = block.withUnsafeBytes {
        calls.writeJournal(UnsafeRawBufferPointer(rebasing: $0.prefix(size - place)), descriptor, place)
      }
      guard isWritten else { return false }
      if place == 0 { block.replaceSubrange(..<8, with: repeatElement(0, count: 8)) }
      place += block.count
    }
    if information.st_size > size, ftruncate(descriptor, off_t(size)) != 0 { return false }
    guard calls.synchronise(descriptor) else { return false }
    capacity = size
    return true
  }

  /// Brings a commit to the disk. When it throws, the disk may have it or not.
  ///
  /// - Returns: False when it is too large, and nothing was done.
  func append(_ record: JournalRecord, map: UnsafeRawPointer, pageSize: Int) throws(EntryError) -> Bool {
    let size = record.alignedSize
    if end + size > capacity { return false }
    if buffer.count < size {
      buffer.deallocate()
      buffer = .allocate(byteCount: size * 2, alignment: JournalRecord.alignment)
    }
    let memory = UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
    record.write(to: memory.baseAddress!, map: map, pageSize: pageSize)
    memset(memory.baseAddress! + record.size, 0, size - record.size)
    errno = 0
    guard calls.writeJournal(UnsafeRawBufferPointer(memory), descriptor, end), calls.synchronise(descriptor)
    else { throw EntryError(code: errno == 0 ? EIO : errno) }
    end += size
    version = record.version
    return true
  }

  /// Removes what an `append` that threw may have left, so that no opener replays it. The disk may not take that, either:
  /// then a crash of the system may bring the commit back.
  func discardFailedRecord() {
    let nothing = [UInt8](repeating: 0, count: JournalRecord.alignment)
    let isWritten =
      end + nothing.count > capacity
      || nothing.withUnsafeBytes { calls.writeJournal($0, descriptor, end) }
    if !isWritten { _ = ftruncate(descriptor, off_t(end)) }
    _ = calls.synchronise(descriptor)
  }

  /// Empties it, when the recovery record names the new number.
  func begin(_ number: JournalNumber, base: MetaPage.Content) {
    self.number = number
    self.base = base
    version = base.version
    end = 0
  }

  /// Deletes the file, unless another one has its name. For when no recovery record names it.
  func remove() {
    guard let own = FileIdentity(descriptor: descriptor), FileIdentity(path: path) == own else { return }
    unlink(path)
  }
}

/// How many bytes a journal has: enough for some hundred small commits.
package enum JournalCapacity {
  static let bytes = Atomic(4 << 20)

  /// For tests, which want less.
  package static func set(_ bytes: Int) { Self.bytes.store(bytes, ordering: .relaxed) }
}
