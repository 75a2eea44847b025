import LibC

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
/// A record may name a journal, which has what became of that version: see `Journal`. Then the pages of the version need not
/// be as they were, and it is the journal's last version that is put back.
///
/// A record whose boot is none says that a synchronisation has failed: what is newer than its version may be lost, in
/// this boot as well.
///
/// Layout in 64-bit words: magic, sequence, pending (0: no; 1: yes; else the number of the journal), boot (2), MDB_meta (17),
/// checksum.
struct RecoveryRecord: Equatable {
  var sequence: UInt64
  var isPending: Bool
  /// The journal that goes on from the version; nil when there is none, or the record is not pending.
  var journal: JournalNumber?
  var boot: Boot
  var meta: MetaPage.Content

  /// Whether the disk may never get what is newer.
  var isFailed: Bool { isPending && boot == .none }

  /// A boot of the system.
  struct Boot: Equatable {
    var high: UInt64
    var low: UInt64

    /// The boot of a record that is valid in every boot.
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

  init(
    sequence: UInt64, isPending: Bool, journal: JournalNumber? = nil, boot: Boot, meta: MetaPage.Content
  ) {
    self.sequence = sequence
    self.isPending = isPending
    self.journal = journal
    self.boot = boot
    self.meta = meta
  }

  /// Whether the newest valid record is pending, which is quickly seen.
  static func isPending(_ pages: UnsafeRawPointer, pageSize: Int) -> Bool {
    let copies = (pages + offset, pages + pageSize + offset)
    func word(_ copy: UnsafeRawPointer, _ index: Int) -> UInt64 {
      copy.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
    }
    if word(copies.0, 2) | word(copies.1, 2) == 0 { return false }
    let isFirstNewer = word(copies.0, 1) > word(copies.1, 1)
    let (newer, older) = isFirstNewer ? copies : (copies.1, copies.0)
    return isValid(newer) ? word(newer, 2) != 0 : isValid(older) && word(older, 2) != 0
  }

  /// Whether a process could not bring to the disk what it has committed with a journal, which is quickly denied.
  static func hasJournalFailed(_ pages: UnsafeRawPointer, pageSize: Int) -> Bool {
    func mayHaveFailed(_ copy: UnsafeRawPointer) -> Bool {
      func word(_ index: Int) -> UInt64 { copy.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self) }
      return word(2) > 1 && word(3) | word(4) == 0
    }
    guard mayHaveFailed(pages + offset) || mayHaveFailed(pages + pageSize + offset),
      let record = RecoveryRecord(pages, pageSize: pageSize)
    else { return false }
    return record.isFailed && record.journal != nil
  }

  private init?(copy: UnsafeRawPointer) {
    guard Self.isValid(copy) else { return nil }
    let words = (0..<Self.wordCount).map { copy.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
    sequence = words[1]
    // No file has that many records.
    if sequence >> 62 != 0 { return nil }
    isPending = words[2] != 0
    journal = JournalNumber(rawValue: words[2])
    boot = Boot(high: words[3], low: words[4])
    meta = MetaPage.Content(words: words[5..<5 + MetaPage.Content.wordCount])
    if !meta.isPossible { return nil }
  }

  /// Whether the newest record is the pending one with a sequence and a journal, which is quickly seen.
  static func isNewest(
    _ sequence: UInt64, _ journal: JournalNumber, _ pages: UnsafeRawPointer, pageSize: Int
  ) -> Bool {
    func word(_ copy: UInt64, _ index: Int) -> UInt64 {
      pages.loadUnaligned(fromByteOffset: Int(copy & 1) * pageSize + offset + index * 8, as: UInt64.self)
    }
    return word(sequence, 1) == sequence && word(sequence, 2) == journal.rawValue
      && word(sequence + 1, 1) < sequence
  }

  private static func isValid(_ copy: UnsafeRawPointer) -> Bool {
    copy.loadUnaligned(as: UInt64.self) == magic
      && copy.loadUnaligned(fromByteOffset: (wordCount - 1) * 8, as: UInt64.self) == checksum(copy)
  }

  /// Returns the checksum of all words but the last one: FNV-1a, by words.
  private static func checksum(_ words: UnsafeRawPointer) -> UInt64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for place in stride(from: 0, to: (wordCount - 1) * 8, by: 8) {
      sum = (sum ^ words.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0x100_0000_01B3
    }
    return sum
  }

  /// Writes the record over the older copy. Returns whether that went well; on which disks it then is depends on the
  /// descriptor.
  func write(to descriptor: Int32, pageSize: Int) -> Bool {
    let pending = isPending ? journal?.rawValue ?? 1 : 0
    var words = [Self.magic, sequence, pending, boot.high, boot.low] + meta.words
    words.append(words.withUnsafeBytes { Self.checksum($0.baseAddress!) })
    return words.withUnsafeBytes {
      pwrite(descriptor, $0.baseAddress!, $0.count, off_t(Int(sequence & 1) * pageSize + Self.offset))
        == $0.count
    }
  }
}
