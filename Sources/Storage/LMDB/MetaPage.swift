import LibC

/// One of the two first pages of an LMDB file, read from a copy of it. Each names the roots of one of the last two
/// versions.
///
/// Layout from LMDB 0.9, after the header of the page, called `MDB_meta` there: magic (4), data version (4), address (8),
/// map size (8), the records of two databases (free pages and main, see `TreeRecord`), last page (8), version (8).
struct MetaPage {
  /// How many bytes of the page are looked at.
  static let size = contentOffset + contentSize
  private static let contentSize = 136

  /// Within the page.
  private static let contentOffset = LMDBPage.headerSize
  private static let magicOffset = contentOffset
  private static let dataVersionOffset = contentOffset + 4
  private static let addressOffset = contentOffset + 8
  private static let freePagesOffset = contentOffset + 24
  private static let mainOffset = freePagesOffset + TreeRecord.size
  private static let lastPageOffset = mainOffset + TreeRecord.size
  private static let versionOffset = lastPageOffset + 8

  private static let magic: UInt32 = 0xBEEF_C0DE
  private static let dataVersion: UInt32 = 1
  /// Of the free pages' database: keys are integers. The other bits are how LMDB was opened.
  private static let integerKeys: UInt16 = 8
  /// That the file is no folder, which LMDB notes and never asks for; and the same of how a map is synchronised.
  private static let environmentFlags: UInt16 = 0x4000

  /// A thousand commits a second take 8,900 years to get there.
  private static let latestVersion: UInt64 = 1 << 48

  let version: UInt64
  let lastPage: UInt64
  let freePages: TreeRecord
  let main: TreeRecord
  let isLMDB: Bool
  /// What cannot be in a file that LMDB wrote on this machine; nil when all is well.
  let fault: String?

  /// - Parameter number: Which of the two meta pages it is.
  init(_ bytes: UnsafeRawBufferPointer, number: Int, pageSize: Int) {
    func load<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
      Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
    isLMDB = load(Self.magicOffset, UInt32.self) == Self.magic
    freePages = TreeRecord(bytes.baseAddress! + Self.freePagesOffset)
    main = TreeRecord(bytes.baseAddress! + Self.mainOffset)
    lastPage = load(Self.lastPageOffset, UInt64.self)
    version = load(Self.versionOffset, UInt64.self)
    let header = LMDBPage(base: bytes.baseAddress!)
    if header.number != UInt64(number) || header.kind != LMDBPage.Kind.meta {
      fault = "the header of meta page \(number)"
    } else if load(Self.dataVersionOffset, UInt32.self) != Self.dataVersion {
      fault = "the data version of meta page \(number)"
    } else if freePages.pageSize != UInt32(pageSize) {
      fault = "the page size of meta page \(number)"
    } else if freePages.flags & ~Self.environmentFlags != Self.integerKeys || main.flags != 0 {
      fault = "the flags of meta page \(number)"
    } else if version != 0 && version & 1 != UInt64(number) || version > Self.latestVersion {
      fault = "the version of meta page \(number)"
    } else if !Self.isPossible(lastPage: lastPage, pageSize: pageSize) {
      fault = "the last page of meta page \(number)"
    } else {
      fault = nil
    }
  }

  private static func isPossible(lastPage: UInt64, pageSize: Int) -> Bool {
    lastPage >= 1 && lastPage <= UInt64(Int.max) / UInt64(pageSize) / 2
  }

  /// Whether a page, or the beginning of one, is a meta page without a transaction.
  static func isInitial(_ page: UnsafeRawBufferPointer, number: Int) -> Bool {
    guard page.count >= size, let base = page.baseAddress else { return false }
    // What says that there is nothing yet: no address, no root pages, two pages in use, version 0.
    let meta = MetaPage(page, number: number, pageSize: LMDBPage.size)
    let header = LMDBPage(base: base)
    return header.number == UInt64(number) && header.kind == LMDBPage.Kind.meta && meta.isLMDB
      && page.loadUnaligned(fromByteOffset: dataVersionOffset, as: UInt32.self) == dataVersion
      && page.loadUnaligned(fromByteOffset: addressOffset, as: UInt64.self) == 0
      && meta.freePages.root == TreeRecord.noPage && meta.main.root == TreeRecord.noPage
      && meta.lastPage == 1 && meta.version == 0
  }

  // MARK: In a file

  /// Where the meta page of a version begins, which is also that of the version two before and two after it.
  static func offset(of version: UInt64, pageSize: Int) -> Int { Int(version & 1) * pageSize }

  /// Reads one of them from a file.
  init(descriptor: Int32, number: Int) throws(EntryError) {
    var bytes = [UInt8](repeating: 0, count: Self.size)
    guard pread(descriptor, &bytes, bytes.count, off_t(number * LMDBPage.size)) == bytes.count else {
      throw EntryError(code: errno)
    }
    self = bytes.withUnsafeBytes { MetaPage($0, number: number, pageSize: LMDBPage.size) }
  }

  /// The number in the meta page that a version has, or had, or will have.
  static func readVersion(at version: UInt64, descriptor: Int32) throws(EntryError) -> UInt64 {
    var stored: UInt64 = 0
    let place = off_t(offset(of: version, pageSize: LMDBPage.size) + versionOffset)
    guard pread(descriptor, &stored, 8, place) == 8 else { throw EntryError(code: errno == 0 ? EIO : errno) }
    return stored
  }

  static func writeVersion(_ new: UInt64, at version: UInt64, descriptor: Int32) throws(EntryError) {
    var new = new
    let place = off_t(offset(of: version, pageSize: LMDBPage.size) + versionOffset)
    guard pwrite(descriptor, &new, 8, place) == 8 else { throw EntryError(code: errno == 0 ? EIO : errno) }
  }

  /// Whether a version is where it belongs in the first two pages of a file.
  static func holds(_ pages: UnsafeRawPointer, version: UInt64, pageSize: Int) -> Bool {
    let place = offset(of: version, pageSize: pageSize) + versionOffset
    return pages.load(fromByteOffset: place, as: UInt64.self) == version
  }

  // MARK: The whole content

  /// What a meta page has after its header, to be kept and put back.
  struct Content: Equatable {
    static let size = MetaPage.contentSize
    static let wordCount = size / 8
    private static let versionWord = (MetaPage.versionOffset - MetaPage.contentOffset) / 8

    private(set) var words: [UInt64]

    var version: UInt64 {
      get { words[Self.versionWord] }
      set { words[Self.versionWord] = newValue }
    }

    /// Whether it can be that of a version.
    var isPossible: Bool {
      version >= 1 && version <= MetaPage.latestVersion
        && MetaPage.isPossible(lastPage: lastPage, pageSize: LMDBPage.size)
    }

    private static let wordsPerTree = TreeRecord.size / 8
    private static let freePagesWord = (MetaPage.freePagesOffset - MetaPage.contentOffset) / 8

    var freePages: TreeRecord { tree(Self.freePagesWord) }
    var main: TreeRecord { tree(Self.freePagesWord + Self.wordsPerTree) }
    /// Of the version: the last page that is in use, or free between others.
    var lastPage: UInt64 { words[Self.versionWord - 1] }

    private func tree(_ word: Int) -> TreeRecord {
      words.withUnsafeBytes { TreeRecord($0.baseAddress! + word * 8) }
    }

    /// Reads the meta page of a version from the first two pages of a file.
    init(_ pages: UnsafeRawPointer, version: UInt64, pageSize: Int) {
      let place = MetaPage.offset(of: version, pageSize: pageSize) + MetaPage.contentOffset
      words = (0..<Self.wordCount).map {
        pages.loadUnaligned(fromByteOffset: place + $0 * 8, as: UInt64.self)
      }
    }

    init(words: some Sequence<UInt64>) { self.words = Array(words) }

    /// Reads the meta page of the newest version from the first two pages of a file.
    static func newest(_ pages: UnsafeRawPointer, pageSize: Int) -> Content {
      let metas = (0..<2).map { Content(pages, version: $0, pageSize: pageSize) }
      return metas[1].version > metas[0].version ? metas[1] : metas[0]
    }

    /// Writes it to the meta page of its version.
    func write(to descriptor: Int32, pageSize: Int) -> Bool {
      let place = MetaPage.offset(of: version, pageSize: pageSize) + MetaPage.contentOffset
      return words.withUnsafeBytes { pwrite(descriptor, $0.baseAddress!, $0.count, off_t(place)) == $0.count }
    }
  }
}

/// What LMDB notes of one of its trees.
struct TreeRecord {
  static let size = 48
  static let noPage = UInt64.max

  /// Only in the record of the free pages; it says nothing in others.
  let pageSize: UInt32
  let flags: UInt16
  let depth: Int
  let branchPages: UInt64
  let leafPages: UInt64
  let overflowPages: UInt64
  let entries: UInt64
  let root: UInt64

  init(_ bytes: UnsafeRawPointer) {
    func load<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
      Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
    pageSize = load(0, UInt32.self)
    flags = load(4, UInt16.self)
    depth = Int(load(6, UInt16.self))
    branchPages = load(8, UInt64.self)
    leafPages = load(16, UInt64.self)
    overflowPages = load(24, UInt64.self)
    entries = load(32, UInt64.self)
    root = load(40, UInt64.self)
  }
}
