import LibC

/// Chooses the version of a file that no process has open: the newest one, or, when the system has failed since, the last one that the
/// disk surely has.
struct RecoveredFile {
  private let descriptor: Int32
  private let journalPath: String
  private let fileSize: Int
  private let pageSize: Int
  /// The first two pages.
  private let pages: [UInt8]

  static let systemPageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
  private static let smallestPageSize = 1024
  private static let largestPageSize = 65536

  init(_ descriptor: Int32, journalPath: String) throws(EarlierFileError) {
    (self.descriptor, self.journalPath) = (descriptor, journalPath)
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw .system(errno) }
    fileSize = Int(information.st_size)
    pageSize = Self.pageSize(descriptor)
    var pages = [UInt8](repeating: 0, count: 2 * pageSize)
    let count = pread(descriptor, &pages, pages.count, 0)
    if count < 0 { throw .system(errno) }
    if count < pages.count {
      throw .truncated("file is non-empty but too small (\(fileSize) bytes) to be a valid Realm.")
    }
    self.pages = pages
  }

  /// As the first page says; that of this system if it is damaged.
  private static func pageSize(_ descriptor: Int32) -> Int {
    var bytes = [UInt8](repeating: 0, count: MetaPage.size)
    guard pread(descriptor, &bytes, bytes.count, off_t(PageHeader.size)) == bytes.count else {
      return systemPageSize
    }
    let size = bytes.withUnsafeBytes { MetaPage($0.baseAddress!).pageSize }
    let isPossible = smallestPageSize...largestPageSize ~= size && size & (size - 1) == 0
    return isPossible ? size : systemPageSize
  }

  /// Maps the file with the pages of the version, and returns the meta page of that.
  func open() throws(EarlierFileError) -> (PageMap, MetaPage) {
    guard let record = RecoveryRecord(pages, pageSize: pageSize), record.isPending,
      record.boot != RecoveryRecord.Boot.current || record.journal != nil
    else { return try openNewest() }
    guard record.meta.isPossible(pageSize: pageSize) else { throw .damaged("its recovery record") }
    guard let number = record.journal else { return (try map(), record.meta) }
    // Only processes have died if it is the same boot: then the file itself has all that they wrote.
    let hasFailed = record.boot != RecoveryRecord.Boot.current
    do throws(EarlierFileError) {
      let journal = try Journal(path: journalPath, number: number, pageSize: pageSize)
      let known = (0..<2).map { meta($0).version }.max()!
      let records = try journal.records(after: record.meta, known: known)
      return (
        try PageMap(
          descriptor, fileSize: fileSize, pageSize: pageSize,
          pageCount: records.map(\.endPage).max() ?? 0
        ) { memory in
          for record in records { record.write(to: memory, pageSize: pageSize) }
        }, records.last?.meta ?? record.meta
      )
    } catch {
      switch error {
      case .journalIsMissing, .damaged: if !hasFailed { return try openNewest() }
      default: break
      }
      throw error
    }
  }

  /// Maps the file, and returns the meta page of its newest version.
  func openNewest() throws(EarlierFileError) -> (PageMap, MetaPage) { (try map(), try newest()) }

  private func map() throws(EarlierFileError) -> PageMap {
    try PageMap(descriptor, fileSize: fileSize, pageSize: pageSize)
  }

  private func meta(_ number: Int) -> MetaPage {
    pages.withUnsafeBytes { MetaPage($0.baseAddress! + number * pageSize + PageHeader.size) }
  }

  /// The newer one of the two meta pages, which both have to be sound: the damaged one may be the newer one.
  private func newest() throws(EarlierFileError) -> MetaPage {
    for page in 0..<2 {
      let header = pages.withUnsafeBytes { bytes in
        let header = PageHeader(base: bytes.baseAddress! + page * pageSize)
        return (header.number, header.kind)
      }
      let meta = meta(page)
      guard header == (UInt64(page), PageHeader.Kind.meta), meta.isPossible(pageSize: pageSize),
        meta.version == 0 || meta.version & 1 == UInt64(page)
      else { throw .damaged("meta page \(page)") }
    }
    return meta(0).version > meta(1).version ? meta(0) : meta(1)
  }
}

/// Says which version the disk surely has, while there are newer ones of which that is not known. After a failure of the system the
/// file has that version.
///
/// Two copies at offset 512 of the two first pages, of which the valid one with the higher sequence counts. In words of 8 bytes: magic,
/// sequence, pending (0: no; 1: yes; else the number of the journal that goes on from the version), boot of the system
/// (2; none: a synchronisation has failed), content of the version's meta page (17), checksum.
private struct RecoveryRecord {
  /// A boot of the system.
  struct Boot: Equatable {
    var high: UInt64
    var low: UInt64

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

  private static let magic: UInt64 = 0x4F50_454E_5245_4353
  private static let offset = 512
  private static let metaWord = 5
  private static let checksumWord = metaWord + MetaPage.wordCount

  private let sequence: UInt64
  private let pending: UInt64
  let boot: Boot?
  let meta: MetaPage

  var isPending: Bool { pending != 0 }
  /// The number of the journal; nil when there is none.
  var journal: UInt64? { pending > 1 ? pending : nil }

  /// Nil when there is none.
  init?(_ pages: [UInt8], pageSize: Int) {
    let copies = pages.withUnsafeBytes { bytes in
      (0..<2).compactMap { Self(copy: bytes.baseAddress! + $0 * pageSize + Self.offset) }
    }
    guard let newest = copies.max(by: { $0.sequence < $1.sequence }) else { return nil }
    self = newest
  }

  private init?(copy: UnsafeRawPointer) {
    func word(_ index: Int) -> UInt64 { number(copy, index * 8) }
    // FNV-1a, by words.
    let sum = (0..<Self.checksumWord).reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ word($1)) &* 0x100_0000_01B3 }
    guard word(0) == Self.magic, word(Self.checksumWord) == sum, word(1) >> 62 == 0 else { return nil }
    (sequence, pending, boot) = (word(1), word(2), Boot(high: word(3), low: word(4)))
    meta = MetaPage(copy + Self.metaWord * 8)
  }
}
