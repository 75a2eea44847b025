import LibC

// The layout of LMDB's pages: see `EarlierFile.swift`.

/// Reads a number that is stored little-endian.
@inline(__always)
func number<Number: FixedWidthInteger>(
  _ bytes: UnsafeRawPointer, _ offset: Int, _: Number.Type = Number.self
) -> Number {
  Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
}

/// The beginning of each page.
struct PageHeader {
  static let size = 16

  enum Kind {
    static let branch: UInt16 = 1
    static let leaf: UInt16 = 2
    static let longValue: UInt16 = 4
    static let meta: UInt16 = 8
  }

  let base: UnsafeRawPointer

  var number: UInt64 { EarlierFiles.number(base, 0) }
  var kind: UInt16 { EarlierFiles.number(base, 10) }
  /// Of a long value's first page: how many it has.
  var pageCount: UInt32 { EarlierFiles.number(base, 12) }
}

/// What is noted of a tree.
///
/// Page size (4; only of the free pages), flags (2), depth (2), numbers of branch pages (8), leaf pages (8), pages of long values (8) and entries (8),
/// root page (8).
struct TreeRecord {
  static let size = 48
  static let noPage = UInt64.max
  /// As many levels as there may be.
  static let deepest = 32

  let pageSize: UInt32
  let flags: UInt16
  let depth: Int
  let entryCount: UInt64
  let root: UInt64

  init(_ bytes: UnsafeRawPointer) {
    pageSize = number(bytes, 0)
    flags = number(bytes, 4)
    depth = Int(number(bytes, 6, UInt16.self))
    entryCount = number(bytes, 32)
    root = number(bytes, 40)
  }
}

/// The content of a meta page, which names the roots of a version.
///
/// Behind the page's header: magic (4), data version (4), address (8), map size (8), records of the tree of free pages and of the main one,
/// last page (8), version (8).
struct MetaPage {
  static let magic: UInt32 = 0xBEEF_C0DE
  /// Without the page's header.
  static let size = 136
  static let wordCount = size / 8
  private static let dataVersion: UInt32 = 1
  private static let freePagesOffset = 24
  private static let mainOffset = freePagesOffset + TreeRecord.size
  private static let lastPageOffset = mainOffset + TreeRecord.size
  /// The tree of free pages has numbers as keys; the other bits are how the file was opened.
  private static let integerKeys: UInt16 = 8
  private static let environmentFlags: UInt16 = 0x4000
  private static let latestVersion: UInt64 = 1 << 48

  let version: UInt64
  let lastPage: UInt64
  let main: TreeRecord
  let isLMDB: Bool
  private let address: UInt64
  private let hasRightForm: Bool
  private let freePages: TreeRecord

  init(_ bytes: UnsafeRawPointer) {
    isLMDB = number(bytes, 0) == Self.magic
    address = number(bytes, 8)
    freePages = TreeRecord(bytes + Self.freePagesOffset)
    main = TreeRecord(bytes + Self.mainOffset)
    lastPage = number(bytes, Self.lastPageOffset)
    version = number(bytes, Self.lastPageOffset + 8)
    hasRightForm =
      isLMDB && number(bytes, 4) == Self.dataVersion
      && freePages.flags & ~Self.environmentFlags == Self.integerKeys && main.flags == 0
  }

  var pageSize: Int { Int(freePages.pageSize) }

  /// Whether it may be that of a version.
  func isPossible(pageSize: Int) -> Bool {
    hasRightForm && self.pageSize == pageSize && version <= Self.latestVersion && lastPage >= 1
      && lastPage <= UInt64(Int.max / pageSize / 2)
  }

  /// Whether it says that nothing was ever written.
  var isInitial: Bool {
    hasRightForm && address == 0 && freePages.root == TreeRecord.noPage && main.root == TreeRecord.noPage
      && lastPage == 1 && version == 0
  }

  /// Whether a meta page begins at an offset of a file. In files of other kinds the magic number may be a part of another one.
  static func begins(_ descriptor: Int32, at offset: Int) -> Bool {
    var bytes = [UInt8](repeating: 0, count: PageHeader.size + 4)
    guard pread(descriptor, &bytes, bytes.count, off_t(offset)) == bytes.count else { return false }
    return bytes.withUnsafeBytes {
      PageHeader(base: $0.baseAddress!).number <= 1 && number($0.baseAddress!, PageHeader.size) == magic
    }
  }
}

/// A branch or leaf page whose form was verified.
struct TreePage {
  let base: UnsafeRawPointer

  var lower: Int { Int(number(base, 12, UInt16.self)) }
  var upper: Int { Int(number(base, 14, UInt16.self)) }
  var count: Int { (lower - PageHeader.size) / 2 }

  func nodeOffset(_ index: Int) -> Int { Int(number(base, PageHeader.size + index * 2, UInt16.self)) }
  func node(_ index: Int) -> TreeNode { TreeNode(base: base + nodeOffset(index)) }
}

/// An entry of such a page.
struct TreeNode {
  static let headerSize = 8

  enum Flags {
    static let longValue: UInt16 = 1
    static let tree: UInt16 = 2
  }

  let base: UnsafeRawPointer

  var keySize: Int { Int(number(base, 6, UInt16.self)) }
  var flags: UInt16 { number(base, 4) }
  var dataSize: Int { Int(number(base, 0, UInt32.self)) }
  var key: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base + Self.headerSize, count: keySize) }
  var data: UnsafeRawPointer { base + Self.headerSize + keySize }
  var child: UInt64 { UInt64(number(base, 0, UInt32.self)) | UInt64(flags) << 32 }
}

/// Verifies the form of branch and leaf pages.
struct PageForm {
  private static let longestKey = 511
  private let pageSize: Int
  /// Where nodes begin on the present page: a bit for each two bytes.
  private var starts: [UInt64]

  init(pageSize: Int) {
    self.pageSize = pageSize
    starts = [UInt64](repeating: 0, count: pageSize / 128)
  }

  /// What is wrong with a page; nil for nothing.
  mutating func fault(_ page: TreePage, _ number: UInt64, isBranch: Bool) -> String? {
    let header = PageHeader(base: page.base)
    let (lower, upper) = (page.lower, page.upper)
    guard header.number == number, header.kind == (isBranch ? PageHeader.Kind.branch : PageHeader.Kind.leaf),
      lower >= PageHeader.size + (isBranch ? 4 : 2), lower & 1 == 0, lower <= upper, upper <= pageSize,
      upper & 1 == 0
    else { return "the header of page \(number)" }
    return isFilled(page, isBranch: isBranch) ? nil : "the nodes of page \(number)"
  }

  /// Whether the nodes lie side by side from the end of the free space to that of the page.
  private mutating func isFilled(_ page: TreePage, isBranch: Bool) -> Bool {
    let (count, upper) = (page.count, page.upper)
    for word in starts.indices { starts[word] = 0 }
    for index in 0..<count {
      let start = page.nodeOffset(index)
      guard start & 1 == 0, start >= upper, start < pageSize else { return false }
      starts[start >> 7] |= 1 << UInt64((start >> 1) & 63)
    }
    var place = upper
    for _ in 0..<count {
      guard place + TreeNode.headerSize <= pageSize,
        starts[place >> 7] & (1 << UInt64((place >> 1) & 63)) != 0
      else { return false }
      let node = TreeNode(base: page.base + place)
      if node.keySize > Self.longestKey { return false }
      var size = TreeNode.headerSize + node.keySize
      if !isBranch { size += node.flags & TreeNode.Flags.longValue != 0 ? 8 : node.dataSize }
      place += (size + 1) & ~1
    }
    return place == pageSize
  }
}
