import LibC

/// What has become of a version since, `name.realm-journal`: a record for each commit, which begins at a multiple of 4,096 bytes. A record is of the journal
/// if it has its number, and the first one that is not whole was never said to be on the disk.
///
/// A record, in words of 8 bytes: magic, number of the journal, version, size of the whole in bytes, number of runs, checksum;
/// the content of the meta page (17); for each run of pages: number of its first page, number of pages, and in 32 bits each the numbers of
/// bytes that are in use at its beginning and at its end. Then these bytes of each run. The checksum is that of everything behind
/// it with the words before it as the key (see `Checksum`).
struct Journal {
  private static let magic: UInt64 = 0x4F50_454E_4A4F_5552
  private static let alignment = 4096
  private static let sizeLimit = 1 << 26
  fileprivate static let headerWordCount = 6
  fileprivate static let wordsPerRun = 3
  fileprivate static let fixedWordCount = headerWordCount + MetaPage.wordCount

  private let number: UInt64
  private let pageSize: Int
  private let content: [UInt8]

  init(path: String, number: UInt64, pageSize: Int) throws(EarlierFileError) {
    (self.number, self.pageSize) = (number, pageSize)
    let descriptor = LibC.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw errno == ENOENT ? .journalIsMissing : .system(errno) }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw .system(errno) }
    guard information.st_mode & S_IFMT == S_IFREG else { throw .journalIsMissing }
    guard information.st_size <= Self.sizeLimit else { throw .damaged("its journal '\(path)' is too large") }
    var content = [UInt8](repeating: 0, count: Int(information.st_size))
    var place = 0
    while place < content.count {
      let count = content.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + place, $0.count - place, off_t(place))
      }
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw .system(errno) }
      if count == 0 { break }
      place += count
    }
    self.content = content
  }

  /// Whether a file is a journal.
  static func begins(descriptor: Int32) -> Bool {
    var found: UInt64 = 0
    return pread(descriptor, &found, 8, 0) == 8 && UInt64(littleEndian: found) == magic
  }

  /// The records of all versions after one.
  ///
  /// - Parameter known: The newest version that the file has heard of: the one before it was on the disk when its commit began.
  /// - Throws: `damaged` when there must have been more.
  func records(
    after base: MetaPage, known: UInt64
  ) throws(EarlierFileError) -> [JournalRecord] {
    var records: [JournalRecord] = []
    var place = 0
    while let record = record(at: place, version: base.version + UInt64(records.count) + 1) {
      records.append(record)
      place += (record.size + Self.alignment - 1) & ~(Self.alignment - 1)
    }
    let newest = base.version + UInt64(records.count)
    if known > newest + 1 || hasRecord(from: place, after: newest + 1) {
      throw .damaged("its journal is not whole after version \(newest)")
    }
    return records
  }

  /// Whether a later version was written behind a record that is not whole, which was never done.
  private func hasRecord(from place: Int, after version: UInt64) -> Bool {
    content.withUnsafeBytes { bytes in
      stride(from: place, to: bytes.count - Self.alignment + 1, by: Self.alignment).contains {
        let start = bytes.baseAddress! + $0
        return EarlierFiles.number(start, 0) == Self.magic && EarlierFiles.number(start, 8) == number
          && EarlierFiles.number(start, 16) > version
      }
    }
  }

  /// The record of a version at a place; nil when it is another one, or not whole.
  private func record(at place: Int, version: UInt64) -> JournalRecord? {
    content.withUnsafeBytes { bytes -> JournalRecord? in
      guard bytes.count - place >= Self.fixedWordCount * 8 else { return nil }
      let start = bytes.baseAddress! + place
      func word(_ index: Int) -> UInt64 { EarlierFiles.number(start, index * 8) }
      let runWords = UInt64(Self.wordsPerRun * 8)
      guard word(0) == Self.magic, word(1) == number, word(2) == version,
        word(3) >= UInt64(Self.fixedWordCount * 8), word(3) <= UInt64(bytes.count - place),
        word(4) <= (word(3) - UInt64(Self.fixedWordCount * 8)) / runWords
      else { return nil }
      let size = Int(word(3))
      let header = (Self.headerWordCount - 1) * 8
      let sum = Checksum.of(
        UnsafeRawBufferPointer(start: start + header + 8, count: size - header - 8),
        key: UnsafeRawBufferPointer(start: start, count: header), version: 0)
      guard word(Self.headerWordCount - 1) == UInt64(sum) else { return nil }
      return JournalRecord(Array(bytes[place..<place + size]), runCount: Int(word(4)), pageSize: pageSize)
    }
  }
}

/// What one commit has written: pages, and the meta page that shows them.
struct JournalRecord {
  let meta: MetaPage
  private let runs: [Run]
  private let content: [UInt8]

  /// Pages side by side that belong together.
  private struct Run {
    let page: Int
    let pageCount: Int
    let head: Int
    let tail: Int
  }

  /// Nil when it says something that no commit writes.
  fileprivate init?(_ content: [UInt8], runCount: Int, pageSize: Int) {
    self.content = content
    func word(_ index: Int) -> UInt64 {
      content.withUnsafeBytes { number($0.baseAddress!, index * 8) }
    }
    meta = content.withUnsafeBytes { MetaPage($0.baseAddress! + Journal.headerWordCount * 8) }
    guard meta.isPossible(pageSize: pageSize), meta.version == word(2) else { return nil }
    var runs: [Run] = []
    var size = (Journal.fixedWordCount + runCount * Journal.wordsPerRun) * 8
    for index in 0..<runCount {
      let first = Journal.fixedWordCount + index * Journal.wordsPerRun
      let (page, count, used) = (word(first), word(first + 1), word(first + 2))
      guard page >= 2, page <= meta.lastPage, count >= 1, count <= meta.lastPage - page + 1 else {
        return nil
      }
      let (head, tail) = (Int(used & 0xFFFF_FFFF), Int(used >> 32))
      // A page of a tree, or as many pages as a value needs.
      guard tail == 0 ? Int(count) == (head + pageSize - 1) / pageSize : count == 1,
        head + tail <= Int(count) * pageSize
      else { return nil }
      runs.append(Run(page: Int(page), pageCount: Int(count), head: head, tail: tail))
      size += head + tail
    }
    guard size == content.count else { return nil }
    self.runs = runs
  }

  /// In bytes.
  var size: Int { content.count }

  /// The page behind the last one that the record has.
  var endPage: Int { runs.map { $0.page + $0.pageCount }.max() ?? 0 }

  /// Writes the pages over those of a file in memory, their unused bytes zero.
  func write(to memory: UnsafeMutableRawPointer, pageSize: Int) {
    content.withUnsafeBytes { bytes in
      var source = bytes.baseAddress! + (Journal.fixedWordCount + runs.count * Journal.wordsPerRun) * 8
      for run in runs {
        let start = memory + run.page * pageSize
        let count = run.pageCount * pageSize
        start.copyMemory(from: source, byteCount: run.head)
        memset(start + run.head, 0, count - run.head - run.tail)
        (start + count - run.tail).copyMemory(from: source + run.head, byteCount: run.tail)
        source += run.head + run.tail
      }
    }
  }
}
