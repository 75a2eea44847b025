import Glibc

/// Where a file says which of its versions the disk surely has, while there are newer ones of which that is not
/// known.
///
/// LMDB's two meta pages name the root pages of the last two versions. After commits without a synchronisation the
/// disk may have the meta page of a version and not its other pages; then neither meta page can be trusted after a
/// failure of the system. The record is a copy of the meta page of a version that is whole, and of the system's
/// boot: who opens the file in a later boot puts that meta page back. After the mere death of processes nothing has
/// to be put back, because the system writes what they have written.
///
/// The record is kept in the unused part of the meta pages, at an offset of its own sector, so that it moves with the
/// file: two copies, written in turn, each with a checksum; the valid one with the higher sequence counts. A compact
/// copy of the file has none, which says the same as one that is not pending.
///
/// A record whose boot is none says that a synchronisation has failed: what is newer than its version may be lost, in
/// this boot as well.
///
/// Layout in 64-bit words: magic, sequence, pending, boot (2), MDB_meta (17), checksum.
struct RecoveryRecord: Equatable {
  var sequence: UInt64
  var isPending: Bool
  var boot: Boot
  var meta: MetaPage.Content

  /// Whether the disk may never get what is newer.
  var isFailed: Bool { isPending && boot == .none }

  /// A boot of the system.
  struct Boot: Equatable {
    var high: UInt64
    var low: UInt64

    /// That of a record that counts in every boot.
    static let none = Boot(high: 0, low: 0)

    /// The present one; nil when the system does not tell.
    static let current: Boot? = {
      let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var text = [UInt8](repeating: 0, count: 64)
      let count = read(descriptor, &text, text.count)
      let digits = text.prefix(max(count, 0)).filter { $0 != UInt8(ascii: "-") && $0 > UInt8(ascii: " ") }
      guard digits.count == 32,
        let high = UInt64(String(decoding: digits.prefix(16), as: UTF8.self), radix: 16),
        let low = UInt64(String(decoding: digits.suffix(16), as: UTF8.self), radix: 16)
      else { return nil }
      return Boot(high: high, low: low)
    }()
  }

  // MARK: In the file

  private static let magic: UInt64 = 0x4F50_454E_5245_4353
  private static let offset = 512
  private static let wordCount = 6 + MetaPage.Content.wordCount
  static let size = wordCount * 8

  /// The valid copy with the highest sequence, from the first two pages of a file.
  init?(_ pages: UnsafeRawPointer, pageSize: Int) {
    let copies = (0..<2).compactMap { Self(copy: pages + $0 * pageSize + Self.offset) }
    guard let newest = copies.max(by: { $0.sequence < $1.sequence }) else { return nil }
    self = newest
  }

  init(sequence: UInt64, isPending: Bool, boot: Boot, meta: MetaPage.Content) {
    self.sequence = sequence
    self.isPending = isPending
    self.boot = boot
    self.meta = meta
  }

  /// False when neither copy says that it is pending, which is quickly seen.
  static func mayBePending(_ pages: UnsafeRawPointer, pageSize: Int) -> Bool {
    (0..<2).contains {
      pages.loadUnaligned(fromByteOffset: $0 * pageSize + offset + 2 * 8, as: UInt64.self) != 0
    }
  }

  private init?(copy: UnsafeRawPointer) {
    guard copy.loadUnaligned(as: UInt64.self) == Self.magic else { return nil }
    let words = (0..<Self.wordCount).map { copy.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
    guard words.last == Self.checksum(words.dropLast()) else { return nil }
    sequence = words[1]
    isPending = words[2] != 0
    boot = Boot(high: words[3], low: words[4])
    meta = MetaPage.Content(words: words[5..<5 + MetaPage.Content.wordCount])
  }

  private static func checksum(_ words: ArraySlice<UInt64>) -> UInt64 {
    // FNV-1a, by words.
    words.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ $1) &* 0x100_0000_01B3 }
  }

  /// Writes the record over the older copy. Returns whether that went well; on which disks it then is depends on the
  /// descriptor.
  func write(to descriptor: Int32, pageSize: Int) -> Bool {
    var words = [Self.magic, sequence, isPending ? 1 : 0, boot.high, boot.low] + meta.words
    words.append(Self.checksum(words[...]))
    return words.withUnsafeBytes {
      pwrite(descriptor, $0.baseAddress!, $0.count, off_t(Int(sequence & 1) * pageSize + Self.offset))
        == $0.count
    }
  }

  // MARK: After a failure of the system

  /// Puts the last version that is whole back when the system, or a synchronisation with the disk, has failed since.
  /// To be called before LMDB opens the file, by the holder of the right to write. When it is not known which boot this is,
  /// there may have been another one since; who has the file open knows better.
  ///
  /// - Throws: When the file would have to be written and can not be.
  static func recover(descriptor: Int32, path: String, lockPath: String, readOnly: Bool) throws(StorageError)
  {
    let pageSize = LMDBPage.size
    var pages = [UInt8](repeating: 0, count: 2 * pageSize)
    let size = pread(descriptor, &pages, pages.count, 0)
    if size < 0 { throw .system(errno, path: path) }
    guard size == pages.count,
      var record = pages.withUnsafeBytes({ RecoveryRecord($0.baseAddress!, pageSize: pageSize) }),
      record.isPending, record.boot != Boot.current, try !LockFile.isInUse(path: lockPath)
    else { return }
    if readOnly {
      throw StorageError(
        .unrecovered, path: path,
        message:
          "Failed to open Realm file at path '\(path)': the system has failed while it was written: open it for writing once, to recover it."
      )
    }
    var former = record.meta
    former.version -= 1
    // The record counts until both pages are on the disk.
    guard record.meta.write(to: descriptor, pageSize: pageSize),
      former.write(to: descriptor, pageSize: pageSize), fdatasync(descriptor) == 0
    else { throw .system(errno, path: path) }
    record.sequence += 1
    record.isPending = false
    guard record.write(to: descriptor, pageSize: pageSize), fdatasync(descriptor) == 0 else {
      throw .system(errno, path: path)
    }
  }
}
