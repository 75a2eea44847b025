import LibC

/// Finds the entries of a version whose trees are damaged, page by page.
///
/// A damaged branch page hides the pages below it, and a damaged key the entries behind it. So the trees serve only to learn
/// which pages are in use. A leaf page to which no tree leads is part of the version if it is not free, since each page of a
/// file is either in use or in a list of free pages. The key of an entry tells its tree (`StoredTree`), and its checksum
/// tells whether it is sound.
///
/// Memory: eight bytes for each entry of the file, and two bits for each page.
final class EntrySearch {
  private let map: FileMap
  private var form: PageForm
  /// A bit for each page that a sound branch page or value leads to.
  private var used: [UInt64]
  /// A bit for each page in a list of free pages.
  private var free: [UInt64]
  private var nodes: [StoredTree: [TreeNode]] = [:]
  /// The pages whose form or order is wrong: an entry of theirs counts only if its checksum is right.
  private var doubtfulPages: Set<UInt64> = []
  private var isSorted: Set<StoredTree> = []
  /// The descriptions of the damaged pages of each tree.
  private(set) var faults: [StoredTree: [String]] = [:]
  /// What is wrong with the lists of free pages; nil when they can be read.
  private(set) var freeListFault: String?
  /// The records of the named trees.
  private(set) var trees: [String: TreeRecord] = [:]

  init(_ map: FileMap) {
    self.map = map
    form = PageForm(pageSize: map.pageSize)
    used = [UInt64](repeating: 0, count: map.pageCount / 64 + 1)
    free = used
    walk(map.meta.freePages, nil)
    walk(map.meta.main, .main)
    for (name, record) in trees {
      if let tree = StoredTree(rawValue: name) { walk(record, tree) }
    }
    // Where only the lists of free pages are damaged, the trees lead to everything.
    if freeListFault == nil || !faults.isEmpty || trees.count < StoredTree.allCases.count - 1 { scan() }
  }

  // MARK: Pages

  private func page(_ number: UInt64) -> TreePage {
    TreePage(base: map.base + Int(number) * map.pageSize)
  }

  private static func contains(_ pages: [UInt64], _ page: UInt64) -> Bool {
    pages[Int(page >> 6)] & 1 << (page & 63) != 0
  }

  private func note(_ fault: String, _ tree: StoredTree?) {
    if let tree { faults[tree, default: []].append(fault) } else { freeListFault = freeListFault ?? fault }
  }

  /// - Parameter tree: Nil for the tree of free pages.
  private func walk(_ record: TreeRecord, _ tree: StoredTree?) {
    if record.root == TreeRecord.noPage { return }
    guard record.depth >= 1, record.depth < PageForm.deepest else { return note("the depth of a tree", tree) }
    walk(page: record.root, levelsBelow: record.depth - 1, tree)
  }

  private func walk(page number: UInt64, levelsBelow: Int, _ tree: StoredTree?) {
    guard number >= 2, number < UInt64(map.pageCount) else {
      return note("page \(number) is missing", tree)
    }
    if Self.contains(used, number) { return note("page \(number) is used twice", tree) }
    if Self.contains(free, number) { note("page \(number) is free and in use", tree) }
    let page = page(number)
    if let fault = form.fault(page, number, isBranch: levelsBelow > 0) {
      note(fault, tree)
      // A page of another kind may be another tree's, to which a damaged branch page leads.
      if levelsBelow == 0, tree != nil { collect(page, number, isDoubtful: true) }
      return
    }
    used[Int(number >> 6)] |= 1 << (number & 63)
    if levelsBelow > 0 {
      for index in 0..<page.count {
        walk(page: page.node(index).child, levelsBelow: levelsBelow - 1, tree)
      }
    } else if let tree {
      let isOrdered = isOrdered(page)
      if !isOrdered { note("the order of the keys of page \(number)", tree) }
      collect(page, number, isDoubtful: !isOrdered)
    } else {
      for index in 0..<page.count { readFreeList(page.node(index)) }
    }
  }

  private func isOrdered(_ page: TreePage) -> Bool {
    for index in 1..<max(1, page.count)
    where TreePage.order(page.node(index - 1).key, page.node(index).key) >= 0 { return false }
    return true
  }

  private func readFreeList(_ node: TreeNode) {
    guard node.key.count == 8, let value = map.value(of: node), let list = FreeList(value) else {
      return note("a list of free pages", nil)
    }
    markPages(of: node, value)
    for index in 0..<list.count where list[index] < UInt64(map.pageCount) {
      free[Int(list[index] >> 6)] |= 1 << (list[index] & 63)
    }
  }

  /// Marks the pages that a value has for itself.
  private func markPages(of node: TreeNode, _ value: UnsafeRawBufferPointer) {
    guard node.flags == TreeNode.Flags.bigData else { return }
    let first = node.data.loadUnaligned(as: UInt64.self)
    guard
      CheckedPlaces.isSoundOverflow(
        value, page: first, pageSize: map.pageSize, pageLimit: UInt64(map.pageCount))
    else { return }
    let count = LMDBPage.overflowCount(valueSize: value.count, pageSize: map.pageSize)
    for page in first..<first + UInt64(count) { used[Int(page >> 6)] |= 1 << (page & 63) }
  }

  /// Looks for the leaf pages to which no tree leads.
  private func scan() {
    for number in 2..<UInt64(max(2, map.pageCount)) where number <= map.meta.lastPage {
      if Self.contains(used, number) || Self.contains(free, number) { continue }
      let page = page(number)
      let header = LMDBPage(base: page.base)
      // What lies within a value that has pages of its own does not begin with its place in the file.
      guard header.number == number, header.kind == LMDBPage.Kind.leaf else { continue }
      let isSound = form.fault(page, number, isBranch: false) == nil && isOrdered(page)
      collect(page, number, isDoubtful: freeListFault != nil || !isSound)
    }
  }

  /// Notes the entries of a leaf page, as far as they lie within it.
  private func collect(_ page: TreePage, _ number: UInt64, isDoubtful: Bool) {
    if isDoubtful { doubtfulPages.insert(number) }
    let count = (min(page.lower, map.pageSize) - LMDBPage.headerSize) / 2
    for index in 0..<max(0, count) {
      let offset = page.nodeOffset(index)
      guard offset >= LMDBPage.headerSize, offset <= map.pageSize - TreeNode.headerSize else { continue }
      let node = page.node(index)
      let isLarge = node.flags == TreeNode.Flags.bigData
      let end = offset + TreeNode.headerSize + node.keySize + (isLarge ? 8 : node.dataSize)
      guard node.keySize > 0, end <= map.pageSize else { continue }
      if node.flags == TreeNode.Flags.subDatabase {
        let name = String(decoding: node.key, as: UTF8.self)
        if node.dataSize == TreeRecord.size, PageWalk.largeTrees.contains(name) {
          trees[name] = TreeRecord(node.data)
        }
      } else if node.flags == 0 || isLarge {
        if let value = map.value(of: node) { markPages(of: node, value) }
        nodes[StoredTree(of: node.key), default: []].append(node)
      }
    }
  }

  // MARK: Entries

  /// All that was found with a key of the main tree, before it is known how values are sealed.
  func candidates(_ key: [UInt8]) -> [UnsafeRawBufferPointer] {
    (nodes[.main] ?? []).filter { $0.key.elementsEqual(key) }.compactMap { map.value(of: $0) }
  }

  /// The entries of a tree in the order of their keys, each key once.
  func entries(of tree: StoredTree, _ opener: ValueOpener) -> [TreeNode] {
    if isSorted.contains(tree) { return nodes[tree] ?? [] }
    isSorted.insert(tree)
    var sorted = nodes[tree] ?? []
    if !doubtfulPages.isEmpty { sorted.removeAll { isDoubtful($0) && !isSound($0, opener) } }
    sorted.sort { TreePage.order($0.key, $1.key) < 0 }
    var kept = 0
    for node in sorted {
      if kept > 0, TreePage.order(sorted[kept - 1].key, node.key) == 0 {
        sorted[kept - 1] = better(sorted[kept - 1], node, opener)
      } else {
        sorted[kept] = node
        kept += 1
      }
    }
    sorted.removeSubrange(kept...)
    nodes[tree] = sorted
    return sorted
  }

  private func isDoubtful(_ node: TreeNode) -> Bool {
    doubtfulPages.contains(UInt64((node.base - map.base) / map.pageSize))
  }

  private func isSound(_ node: TreeNode, _ opener: ValueOpener) -> Bool {
    defer { opener.forget() }
    return map.value(of: node).flatMap { opener.open($0, key: node.key) } != nil
  }

  /// Returns the sound one of two entries with the same key, and the newer one of two sound ones.
  private func better(_ first: TreeNode, _ second: TreeNode, _ opener: ValueOpener) -> TreeNode {
    if first.base == second.base || !isSound(second, opener) { return first }
    if !isSound(first, opener) { return second }
    /// The number of versions since an entry was written, whose lowest bits are known.
    func age(_ node: TreeNode) -> UInt16 {
      UInt16(truncatingIfNeeded: map.meta.version)
        &- (map.value(of: node).map { opener.version(of: $0) } ?? 0)
    }
    return age(second) < age(first) ? second : first
  }
}

extension FileMap {
  /// The stored value of an entry; nil when pages of its own are not in the file.
  func value(of node: TreeNode) -> UnsafeRawBufferPointer? {
    guard node.flags == TreeNode.Flags.bigData else {
      return UnsafeRawBufferPointer(start: node.data, count: node.dataSize)
    }
    let first = node.data.loadUnaligned(as: UInt64.self)
    let count = UInt64(LMDBPage.overflowCount(valueSize: node.dataSize, pageSize: pageSize))
    guard first >= 2, first < UInt64(pageCount), count <= UInt64(pageCount) - first else { return nil }
    return UnsafeRawBufferPointer(
      start: base + Int(first) * pageSize + LMDBPage.headerSize, count: node.dataSize)
  }
}
