import Glibc

/// Looks at every branch and leaf page of one version of an LMDB file, once, before LMDB does: LMDB follows whatever
/// page numbers and offsets it finds.
///
/// Pages of values that have pages of their own are not touched, so that the cost is that of the keys. What such a
/// value's first page says of itself is checked with the value (see `CheckedPlaces`).
///
/// LMDB does not write pages that a transaction took from the end of the file and gave back at once, so the file may
/// be shorter than its last page number says and yet be whole.
///
/// Layout from LMDB 0.9: a 16-byte page header (page number, pad, flags, and either the bounds of the free space or the
/// number of overflow pages), then 2-byte node offsets; a node is two halves of a size, flags, key size, key, data.
///
/// Invariant: `map` has `pageCount` pages, and those that the version shows stay as they are during the walk.
struct PageWalk {
  /// What is wrong.
  struct Fault: Error {
    let reason: String
    /// Whether what is missing lies behind the end of the file.
    var isBeyondEnd = false
  }

  private let map: UnsafeRawPointer
  private let pageSize: Int
  private let pageCount: UInt64
  private let lastPage: UInt64
  private let version: UInt64
  private let checksValues: Bool
  /// A bit for each page that a tree has.
  private var used: [UInt64]
  /// Where nodes begin on the present page: a bit for each two bytes.
  private var starts: [UInt64]
  private var freeLists: [UnsafeRawBufferPointer] = []
  private(set) var names: Set<String> = []

  private enum PageFlags {
    static let branch: UInt16 = 1
    static let leaf: UInt16 = 2
  }

  private enum NodeFlags {
    static let bigData: UInt16 = 1
    static let subDatabase: UInt16 = 2
  }

  private enum Kind {
    case freePages, main, named
  }

  private static let pageHeaderSize = 16
  private static let nodeHeaderSize = 8
  /// LMDB's cursors go no deeper.
  private static let deepest = 32
  private static let longestKey = 511

  init(_ map: UnsafeRawPointer, pageSize: Int, pageCount: Int, meta: MetaPage, checksValues: Bool) {
    self.checksValues = checksValues
    self.map = map
    self.pageSize = pageSize
    self.pageCount = UInt64(pageCount)
    lastPage = meta.lastPage
    version = meta.version
    used = [UInt64](repeating: 0, count: pageCount / 64 + 1)
    starts = [UInt64](repeating: 0, count: pageSize / 128)
  }

  /// Checks all trees of the version.
  mutating func check(_ meta: MetaPage) throws(Fault) {
    try walk(meta.freePages, .freePages)
    try walk(meta.main, .main)
    for list in freeLists { try check(freeList: list) }
  }

  /// LMDB hands out the pages of a free list to be written.
  private mutating func check(freeList list: UnsafeRawBufferPointer) throws(Fault) {
    guard list.count >= 8 else { throw Fault(reason: "a list of free pages") }
    let count = list.loadUnaligned(as: UInt64.self)
    guard count >= 1, count <= UInt64(list.count / 8 - 1) else { throw Fault(reason: "a list of free pages") }
    var previous = UInt64.max
    for index in 0..<Int(count) {
      let page = list.loadUnaligned(fromByteOffset: 8 + index * 8, as: UInt64.self)
      guard page < previous, page >= 2, page <= lastPage else {
        throw Fault(reason: "a list of free pages")
      }
      previous = page
      if page < pageCount && !mark(page) { throw Fault(reason: "page \(page) is free and in use") }
    }
  }

  /// Notes that a page is in use; false when it is already.
  private mutating func mark(_ page: UInt64) -> Bool {
    let bit: UInt64 = 1 << (page & 63)
    let word = Int(page >> 6)
    if used[word] & bit != 0 { return false }
    used[word] |= bit
    return true
  }

  // MARK: Trees

  /// What was found in a tree.
  private struct Tree {
    let kind: Kind
    let depth: Int
    var branchPages: UInt64 = 0
    var leafPages: UInt64 = 0
    var overflowPages: UInt64 = 0
    var entries: UInt64 = 0
    /// All keys that are still to come are after this one, or equal it when it is included.
    var last = UnsafeRawBufferPointer(start: nil, count: 0)
    var includesLast = true
  }

  private mutating func walk(_ record: TreeRecord, _ kind: Kind) throws(Fault) {
    if record.root == TreeRecord.noPage {
      guard record.depth == 0, record.entries == 0 else { throw Fault(reason: "an empty tree with entries") }
      return
    }
    guard record.depth >= 1, record.depth < Self.deepest else { throw Fault(reason: "the depth of a tree") }
    var tree = Tree(kind: kind, depth: record.depth)
    try walk(page: record.root, level: 1, &tree)
    guard tree.branchPages == record.branchPages, tree.leafPages == record.leafPages,
      tree.overflowPages == record.overflowPages, tree.entries == record.entries
    else { throw Fault(reason: "a tree has not the pages and entries that it should") }
  }

  private mutating func walk(page number: UInt64, level: Int, _ tree: inout Tree) throws(Fault) {
    guard number >= 2, number <= lastPage else { throw Fault(reason: "page number \(number)") }
    guard number < pageCount else { throw Fault(reason: "page \(number) is missing", isBeyondEnd: true) }
    guard mark(number) else { throw Fault(reason: "page \(number) is used twice") }
    let page = map + Int(number) * pageSize
    let flags = page.loadUnaligned(fromByteOffset: 10, as: UInt16.self)
    let isBranch = level < tree.depth
    let lower = Int(page.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
    let upper = Int(page.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
    guard page.loadUnaligned(as: UInt64.self) == number,
      flags == (isBranch ? PageFlags.branch : PageFlags.leaf),
      lower >= Self.pageHeaderSize + (isBranch ? 4 : 2), lower & 1 == 0, lower <= upper, upper <= pageSize,
      upper & 1 == 0
    else { throw Fault(reason: "the header of page \(number)") }
    let count = (lower - Self.pageHeaderSize) / 2
    guard isTiled(page, count: count, upper: upper, isBranch: isBranch) else {
      throw Fault(reason: "the nodes of page \(number)")
    }
    if isBranch {
      tree.branchPages += 1
      for index in 0..<count {
        let node = node(page, index)
        if index > 0 { try check(key: node, isSeparator: true, number, &tree) }
        let child =
          UInt64(node.loadUnaligned(as: UInt32.self))
          | UInt64(node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)) << 32
        try walk(page: child, level: level + 1, &tree)
      }
    } else {
      tree.leafPages += 1
      tree.entries += UInt64(count)
      for index in 0..<count {
        let node = node(page, index)
        try check(key: node, isSeparator: false, number, &tree)
        let flags = node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        if flags != 0 || tree.kind == .freePages { try check(data: node, flags, number, &tree) }
      }
    }
  }

  @inline(__always) private func node(_ page: UnsafeRawPointer, _ index: Int) -> UnsafeRawPointer {
    page + Int(page.loadUnaligned(fromByteOffset: Self.pageHeaderSize + index * 2, as: UInt16.self))
  }

  /// Whether the nodes lie side by side in what the page has behind its free space: LMDB moves them by their sizes.
  private mutating func isTiled(_ page: UnsafeRawPointer, count: Int, upper: Int, isBranch: Bool) -> Bool {
    for word in starts.indices { starts[word] = 0 }
    for index in 0..<count {
      let start = Int(page.loadUnaligned(fromByteOffset: Self.pageHeaderSize + index * 2, as: UInt16.self))
      guard start & 1 == 0, start >= upper, start < pageSize else { return false }
      starts[start >> 7] |= 1 << UInt64((start >> 1) & 63)
    }
    var place = upper
    for _ in 0..<count {
      guard place + Self.nodeHeaderSize <= pageSize,
        starts[place >> 7] & (1 << UInt64((place >> 1) & 63)) != 0
      else { return false }
      let node = page + place
      let keySize = Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
      if keySize > Self.longestKey { return false }
      var size = Self.nodeHeaderSize + keySize
      if !isBranch {
        let isBig = node.loadUnaligned(fromByteOffset: 4, as: UInt16.self) & NodeFlags.bigData != 0
        size += isBig ? 8 : Int(node.loadUnaligned(as: UInt32.self))
      }
      place += (size + 1) & ~1
    }
    return place == pageSize
  }

  /// Keys ascend, over all pages of a tree.
  @inline(__always)
  private func check(
    key node: UnsafeRawPointer, isSeparator: Bool, _ page: UInt64, _ tree: inout Tree
  ) throws(Fault) {
    let key = UnsafeRawBufferPointer(
      start: node + Self.nodeHeaderSize, count: Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self)))
    let order: Int
    if tree.kind == .freePages {
      guard key.count == 8 else { throw Fault(reason: "a key of page \(page)") }
      let freeing = key.loadUnaligned(as: UInt64.self)
      guard freeing >= 1, freeing <= version else { throw Fault(reason: "a key of page \(page)") }
      let last = tree.last.count == 8 ? tree.last.loadUnaligned(as: UInt64.self) : 0
      order = tree.last.count < 8 || freeing > last ? 1 : freeing == last ? 0 : -1
    } else {
      guard !key.isEmpty else { throw Fault(reason: "a key of page \(page)") }
      order = Self.order(key, tree.last)
    }
    guard order > 0 || order == 0 && tree.includesLast && !isSeparator else {
      throw Fault(reason: "the order of the keys of page \(page)")
    }
    tree.last = key
    tree.includesLast = isSeparator
  }

  @inline(__always)
  private static func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    if a.count >= 8 && b.count >= 8 {
      let (x, y) = (a.loadUnaligned(as: UInt64.self).bigEndian, b.loadUnaligned(as: UInt64.self).bigEndian)
      if x != y { return x < y ? -1 : 1 }
    }
    guard let start = a.baseAddress, let other = b.baseAddress else { return a.count - b.count }
    let order = memcmp(start, other, min(a.count, b.count))
    return order == 0 ? a.count - b.count : Int(order)
  }

  /// Values on pages of their own, records of other trees, lists of free pages.
  private mutating func check(
    data node: UnsafeRawPointer, _ flags: UInt16, _ page: UInt64, _ tree: inout Tree
  ) throws(Fault) {
    let size = Int(node.loadUnaligned(as: UInt32.self))
    let keySize = Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
    let data = node + Self.nodeHeaderSize + keySize
    var value = UnsafeRawBufferPointer(start: data, count: size)
    switch flags {
    case 0: break
    case NodeFlags.bigData:
      let first = data.loadUnaligned(as: UInt64.self)
      let pages = UInt64((Self.pageHeaderSize - 1 + size) / pageSize + 1)
      guard first >= 2, first <= lastPage, first + pages - 1 <= lastPage else {
        throw Fault(reason: "a page number on page \(page)")
      }
      guard first + pages <= pageCount else {
        throw Fault(reason: "page \(first + pages - 1) is missing", isBeyondEnd: true)
      }
      for number in first..<first + pages where !mark(number) {
        throw Fault(reason: "page \(number) is used twice")
      }
      tree.overflowPages += pages
      value = UnsafeRawBufferPointer(
        start: map + Int(first) * pageSize + Self.pageHeaderSize, count: size)
    case NodeFlags.subDatabase where tree.kind == .main && size == TreeRecord.size:
      let record = TreeRecord(data)
      guard record.flags == 0 else { throw Fault(reason: "the flags of a tree") }
      names.insert(
        String(
          decoding: UnsafeRawBufferPointer(start: node + Self.nodeHeaderSize, count: keySize), as: UTF8.self))
      try walk(record, .named)
      return
    default: throw Fault(reason: "a node of page \(page)")
    }
    let isFreeList = tree.kind == .freePages
    if flags == NodeFlags.bigData, isFreeList || checksValues {
      let first = data.loadUnaligned(as: UInt64.self)
      guard CheckedPlaces.isSoundOverflow(value, page: first, pageSize: pageSize) else {
        throw Fault(reason: "the header of page \(first)")
      }
    }
    if isFreeList { freeLists.append(value) }
  }
}
