import LibC

/// Looks at the branch and leaf pages of one version of an LMDB file before LMDB does: LMDB follows whatever page
/// numbers and offsets it finds.
///
/// Most pages of values that have pages of their own are not touched. What such a value's first page says of itself
/// is checked with the value (see `CheckedPlaces`).
///
/// LMDB does not write pages that a transaction took from the end of the file and gave back at once, so the file may
/// be shorter than its last page number says and yet be whole.
///
/// Invariant: `map` has `pageCount` pages, and those that the version shows stay as they are during the walk.
struct PageWalk {
  /// What is wrong.
  struct Fault: Error {
    let reason: String
    /// Whether what is missing lies behind the end of the file.
    var isBeyondEnd = false
  }

  /// Which pages are looked at.
  enum Extent {
    /// What is needed to read. Of the large trees only the branch pages are looked at, and that each of the leaf pages
    /// has one place: they are looked at when they are read (see `CheckedLeaves`). Which pages are free matters to who
    /// writes.
    case branches
    /// All branch and leaf pages, and the lists of free pages.
    case pages
    /// Also the first pages of values, of which there may be many.
    case values
  }

  /// The trees whose number of leaf pages grows with the number of objects.
  static let largeTrees = ["columns", "collections", "values", "indexes"]

  private var map: UnsafeRawPointer
  private let pageSize: Int
  let pageCount: UInt64
  private let lastPage: UInt64
  private let version: UInt64
  private let extent: Extent
  /// A bit for each page that has been found in use.
  private var used: [UInt64]
  /// A bit for each page that is said to be free.
  private var free: [UInt64]
  private var form: PageForm
  private var freeLists: [UnsafeRawBufferPointer] = []
  /// The pages that values have beyond those that they need, after the values' first pages.
  private var spares: [(first: UInt64, pages: Range<UInt64>)] = []
  /// The records of the large trees, in their order; nil until they are found.
  private(set) var records: [TreeRecord?] = largeTrees.map { _ in nil }
  private(set) var visitedPageCount = 0

  private enum Kind {
    case freePages, main, named, large
  }

  init(_ map: UnsafeRawPointer, pageSize: Int, pageCount: Int, meta: MetaPage, _ extent: Extent) {
    self.extent = extent
    self.map = map
    self.pageSize = pageSize
    self.pageCount = UInt64(pageCount)
    lastPage = meta.lastPage
    version = meta.version
    used = [UInt64](repeating: 0, count: pageCount / 64 + 1)
    free = used
    form = PageForm(pageSize: pageSize)
  }

  /// Checks all trees of the version.
  mutating func check(_ meta: MetaPage) throws(Fault) {
    if extent != .branches { try walk(meta.freePages, .freePages) }
    try walk(meta.main, .main)
    for list in freeLists { try check(freeList: list) }
    freeLists = []
    // They are freed with the value, and so must be unused.
    for spare in spares where spare.pages.contains(where: { isInUse($0) || isFree($0) }) {
      throw Fault(reason: "the header of page \(spare.first)")
    }
    spares = []
  }

  /// Goes on in another map of the same file.
  mutating func move(to map: UnsafeRawPointer) { self.map = map }

  /// Checks a leaf page that was left out, once. Its keys lie between two separators.
  mutating func check(
    leaf number: UInt64, from lower: UnsafeRawBufferPointer, before upper: UnsafeRawBufferPointer?
  ) throws(Fault) {
    var tree = Tree(kind: .named, depth: 1)
    tree.last = lower
    try look(at: number, level: 1, &tree)
    if let upper, TreePage.order(tree.last, upper) >= 0 {
      throw Fault(reason: "the order of the keys of page \(number)")
    }
  }

  /// LMDB hands out the pages of a free list to be written.
  private mutating func check(freeList value: UnsafeRawBufferPointer) throws(Fault) {
    guard let list = FreeList(value) else { throw Fault(reason: "a list of free pages") }
    var previous = UInt64.max
    for index in 0..<list.count {
      let page = list[index]
      guard page < previous, page >= 2, page <= lastPage else {
        throw Fault(reason: "a list of free pages")
      }
      previous = page
      guard page < pageCount else { continue }
      if isInUse(page) { throw Fault(reason: "page \(page) is free and in use") }
      if isFree(page) { throw Fault(reason: "page \(page) is free twice") }
      free[Int(page >> 6)] |= 1 << (page & 63)
    }
  }

  /// Whether a page has been found in use, by a tree or by a value as large as it says that it is.
  func isInUse(_ page: UInt64) -> Bool { page < pageCount && used[Int(page >> 6)] & 1 << (page & 63) != 0 }

  /// Whether a page is in a list of free pages.
  func isFree(_ page: UInt64) -> Bool { page < pageCount && free[Int(page >> 6)] & 1 << (page & 63) != 0 }

  /// Notes that a page is in use; false when it is already.
  private mutating func mark(_ page: UInt64) -> Bool {
    if isInUse(page) { return false }
    used[Int(page >> 6)] |= 1 << (page & 63)
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
      // LMDB goes on counting from what it finds.
      guard record.depth == 0, record.entries == 0, record.branchPages == 0, record.leafPages == 0 else {
        throw Fault(reason: "an empty tree with entries")
      }
      return
    }
    guard record.depth >= 1, record.depth < PageForm.deepest else {
      throw Fault(reason: "the depth of a tree")
    }
    var tree = Tree(kind: kind, depth: record.depth)
    try walk(page: record.root, level: 1, &tree)
    guard tree.branchPages == record.branchPages, tree.leafPages == record.leafPages,
      leavesOut(kind) || tree.overflowPages <= record.overflowPages && tree.entries == record.entries
    else { throw Fault(reason: "a tree has not the pages and entries that it should") }
  }

  private mutating func walk(page number: UInt64, level: Int, _ tree: inout Tree) throws(Fault) {
    guard number >= 2, number <= lastPage else { throw Fault(reason: "page number \(number)") }
    guard number < pageCount else { throw Fault(reason: "page \(number) is missing", isBeyondEnd: true) }
    guard mark(number) else { throw Fault(reason: "page \(number) is used twice") }
    if level == tree.depth && leavesOut(tree.kind) {
      tree.leafPages += 1
      return
    }
    try look(at: number, level: level, &tree)
  }

  private mutating func look(at number: UInt64, level: Int, _ tree: inout Tree) throws(Fault) {
    visitedPageCount += 1
    let page = TreePage(base: map + Int(number) * pageSize)
    let isBranch = level < tree.depth
    if let fault = form.fault(page, number, isBranch: isBranch) { throw Fault(reason: fault) }
    let count = page.count
    if isBranch {
      tree.branchPages += 1
      for index in 0..<count {
        let node = page.node(index)
        if index > 0 { try check(key: node.key, isSeparator: true, number, &tree) }
        try walk(page: node.child, level: level + 1, &tree)
      }
    } else {
      tree.leafPages += 1
      tree.entries += UInt64(count)
      for index in 0..<count {
        let node = page.node(index)
        try check(key: node.key, isSeparator: false, number, &tree)
        if node.flags != 0 || tree.kind == .freePages { try check(data: node, number, &tree) }
      }
    }
  }

  /// Whether the leaf pages of a tree are not looked at.
  private func leavesOut(_ kind: Kind) -> Bool { kind == .large && extent == .branches }

  /// Keys ascend, over all pages of a tree.
  @inline(__always)
  private func check(
    key: UnsafeRawBufferPointer, isSeparator: Bool, _ page: UInt64, _ tree: inout Tree
  ) throws(Fault) {
    let order: Int
    if tree.kind == .freePages {
      guard key.count == 8 else { throw Fault(reason: "a key of page \(page)") }
      let freeing = key.loadUnaligned(as: UInt64.self)
      guard freeing >= 1, freeing <= version else { throw Fault(reason: "a key of page \(page)") }
      let last = tree.last.count == 8 ? tree.last.loadUnaligned(as: UInt64.self) : 0
      order = tree.last.count < 8 || freeing > last ? 1 : freeing == last ? 0 : -1
    } else {
      guard !key.isEmpty else { throw Fault(reason: "a key of page \(page)") }
      order = TreePage.order(key, tree.last)
    }
    guard order > 0 || order == 0 && tree.includesLast && !isSeparator else {
      throw Fault(reason: "the order of the keys of page \(page)")
    }
    tree.last = key
    tree.includesLast = isSeparator
  }

  /// Values on pages of their own, records of other trees, lists of free pages.
  private mutating func check(
    data node: TreeNode, _ page: UInt64, _ tree: inout Tree
  ) throws(Fault) {
    let size = node.dataSize
    let data = node.data
    let flags = node.flags
    var value = UnsafeRawBufferPointer(start: data, count: size)
    switch flags {
    case 0: break
    case TreeNode.Flags.bigData:
      let first = data.loadUnaligned(as: UInt64.self)
      let pages = UInt64(LMDBPage.overflowCount(valueSize: size, pageSize: pageSize))
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
        start: map + Int(first) * pageSize + LMDBPage.headerSize, count: size)
    case TreeNode.Flags.subDatabase where tree.kind == .main && size == TreeRecord.size:
      let record = TreeRecord(data)
      guard record.flags == 0 else { throw Fault(reason: "the flags of a tree") }
      let name = String(decoding: node.key, as: UTF8.self)
      let place = Self.largeTrees.firstIndex(of: name)
      if let place { records[place] = record }
      try walk(record, place == nil ? .named : .large)
      return
    default: throw Fault(reason: "a node of page \(page)")
    }
    let isFreeList = tree.kind == .freePages
    if flags == TreeNode.Flags.bigData, isFreeList || extent == .values {
      let first = data.loadUnaligned(as: UInt64.self)
      guard
        CheckedPlaces.isSoundOverflow(value, page: first, pageSize: pageSize, pageLimit: lastPage + 1)
      else {
        throw Fault(reason: "the header of page \(first)")
      }
      let end = first + UInt64(LMDBPage(base: map + Int(first) * pageSize).overflowCount)
      let needed = first + UInt64(LMDBPage.overflowCount(valueSize: size, pageSize: pageSize))
      if end > needed && !isFreeList { spares.append((first, needed..<end)) }
    }
    if isFreeList { freeLists.append(value) }
  }
}
