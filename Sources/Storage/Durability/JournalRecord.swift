import LibC

/// The number of a journal: a random one, so that no record of an earlier journal in the same file is taken for one of it.
struct JournalNumber: Hashable, Sendable, RawRepresentable {
  let rawValue: UInt64

  /// Nil for what says something else in a recovery record.
  init?(rawValue: UInt64) {
    if rawValue < 2 { return nil }
    self.rawValue = rawValue
  }

  static func random() -> JournalNumber { JournalNumber(rawValue: .random(in: 2...UInt64.max))! }
}

/// What one commit has written, in a journal: the pages of LMDB's file as they are then, and the content of the meta page that
/// shows them.
///
/// Layout, in words of 64 bits: magic, number of the journal, version, size of the whole in bytes, number of runs, checksum;
/// the 17 words of the meta page; for each run of pages 3 words (number of its first page; how many pages; in 32 bits each, how
/// many bytes are in use at its beginning and at its end); then these bytes of each run. The checksum (see `Checksum`) is
/// that of everything behind it, and of the words before it. A record begins at a multiple of `alignment`, so that writing one
/// touches no sector of another one.
struct JournalRecord {
  static let magic: UInt64 = 0x4F50_454E_4A4F_5552
  static let alignment = 4096
  private static let headerWordCount = 6
  private static let wordsPerRun = 3
  private static let fixedSize = (headerWordCount + MetaPage.Content.wordCount) * 8

  let journal: JournalNumber
  let meta: MetaPage.Content
  let pages: CommittedPages

  var version: UInt64 { meta.version }
  /// How many bytes it has.
  var size: Int { Self.fixedSize + pages.runs.count * Self.wordsPerRun * 8 + pages.size }
  /// How many it takes up.
  var alignedSize: Int { Self.aligned(size) }

  private static func aligned(_ size: Int) -> Int { (size + alignment - 1) & ~(alignment - 1) }

  // MARK: Writing

  /// Writes the record to memory of `size` bytes.
  ///
  /// - Parameter map: Where LMDB's map begins, which shows the pages.
  func write(to memory: UnsafeMutableRawPointer, map: UnsafeRawPointer, pageSize: Int) {
    var words =
      [Self.magic, journal.rawValue, version, UInt64(size), UInt64(pages.runs.count), 0] + meta.words
    for run in pages.runs {
      words += [run.number, UInt64(run.pageCount), UInt64(run.head) | UInt64(run.tail) << 32]
    }
    words.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    var place = memory + words.count * 8
    for run in pages.runs {
      let start = map + Int(run.number) * pageSize
      place.copyMemory(from: start, byteCount: run.head)
      place += run.head
      place.copyMemory(from: start + run.pageCount * pageSize - run.tail, byteCount: run.tail)
      place += run.tail
    }
    let sum = Self.checksum(UnsafeRawBufferPointer(start: memory, count: size))
    memory.storeBytes(of: sum, toByteOffset: (Self.headerWordCount - 1) * 8, as: UInt64.self)
  }

  private static func checksum(_ record: UnsafeRawBufferPointer) -> UInt64 {
    let header = (headerWordCount - 1) * 8
    return UInt64(
      Checksum.of(
        UnsafeRawBufferPointer(rebasing: record[(header + 8)...]), key: record.baseAddress!, header,
        version: 0))
  }

  // MARK: Reading

  /// A record as it was read from a journal, with nothing in it believed before it was checked.
  struct Read {
    let meta: MetaPage.Content
    /// The size that it takes up.
    let alignedSize: Int
    fileprivate let runs: [CommittedPages.Run]
    fileprivate let bytes: UnsafeRawPointer

    /// Calls the body with the pages of each run, their free bytes zero, and where they belong in the file.
    func forEachRun(
      pageSize: Int, _ body: (UnsafeRawBufferPointer, Int) throws(EntryError) -> Void
    ) throws(EntryError) {
      var place = bytes
      for run in runs {
        let pages = UnsafeMutableRawBufferPointer.allocate(
          byteCount: run.pageCount * pageSize, alignment: 16)
        defer { pages.deallocate() }
        pages.initializeMemory(as: UInt8.self, repeating: 0)
        pages.baseAddress!.copyMemory(from: place, byteCount: run.head)
        (pages.baseAddress! + pages.count - run.tail).copyMemory(from: place + run.head, byteCount: run.tail)
        place += run.size
        try body(UnsafeRawBufferPointer(pages), Int(run.number) * pageSize)
      }
    }
  }

  /// Whether a record of a version after one seems to begin at a place.
  static func isBeginning(_ place: UnsafeRawPointer, _ number: JournalNumber, after version: UInt64) -> Bool {
    place.loadUnaligned(as: UInt64.self) == magic
      && place.loadUnaligned(fromByteOffset: 8, as: UInt64.self) == number.rawValue
      && place.loadUnaligned(fromByteOffset: 16, as: UInt64.self) > version
  }

  /// The record of a version, which a journal begins with; nil when it is another one, or not whole.
  static func read(
    _ journal: UnsafeRawBufferPointer, _ number: JournalNumber, version: UInt64, pageSize: Int
  ) -> Read? {
    func word(_ index: Int) -> UInt64 {
      UInt64(littleEndian: journal.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }
    guard journal.count >= fixedSize, word(0) == magic, word(1) == number.rawValue, word(2) == version,
      word(3) >= UInt64(fixedSize), word(3) <= UInt64(journal.count),
      word(4) <= (word(3) - UInt64(fixedSize)) / UInt64(wordsPerRun * 8)
    else { return nil }
    let record = UnsafeRawBufferPointer(rebasing: journal[..<Int(word(3))])
    guard word(headerWordCount - 1) == checksum(record) else { return nil }
    let meta = MetaPage.Content(words: (0..<MetaPage.Content.wordCount).map { word(headerWordCount + $0) })
    guard meta.version == version, meta.isPossible else { return nil }
    var runs: [CommittedPages.Run] = []
    var size = fixedSize + Int(word(4)) * wordsPerRun * 8
    for index in 0..<Int(word(4)) {
      let first = headerWordCount + MetaPage.Content.wordCount + index * wordsPerRun
      let (page, count, used) = (word(first), word(first + 1), word(first + 2))
      guard page >= 2, page <= meta.lastPage, count >= 1, count <= meta.lastPage - page + 1 else {
        return nil
      }
      let run = CommittedPages.Run(
        number: page, pageCount: Int(count), head: Int(used & 0xFFFF_FFFF), tail: Int(used >> 32))
      // A page of a tree, or as many pages as a value needs.
      guard run.tail == 0 ? run.pageCount == (run.head + pageSize - 1) / pageSize : run.pageCount == 1,
        run.size <= run.pageCount * pageSize
      else { return nil }
      runs.append(run)
      size += run.size
    }
    guard size == record.count else { return nil }
    let bytes = record.baseAddress! + fixedSize + runs.count * wordsPerRun * 8
    return Read(meta: meta, alignedSize: aligned(size), runs: runs, bytes: bytes)
  }
}
