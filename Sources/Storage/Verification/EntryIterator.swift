/// The entries of one tree of LMDB in the order of their keys.
///
/// They come from the pages of a tree that a `PageWalk` has found sound, or from an `EntrySearch`.
struct EntryIterator {
  struct Entry {
    let key: UnsafeRawBufferPointer
    /// As it is stored, with its seal.
    let value: UnsafeRawBufferPointer
    /// Whether it is the record of another tree.
    let isTree: Bool
  }

  /// What was wrong with entries, one line each.
  private(set) var faults: [String] = []
  private(set) var entryCount: UInt64 = 0
  /// Of the values so far.
  private(set) var sealSum: UInt64 = 0
  private let map: FileMap
  private let depth: Int
  /// The way from the root to the present leaf, with the next node on each page.
  private var stack: [(page: TreePage, next: Int)] = []
  /// What a search has found, the next one first.
  private var found: ArraySlice<TreeNode> = []

  /// Reads a tree whose pages are sound.
  init(_ map: FileMap, _ tree: TreeRecord) {
    self.map = map
    depth = tree.depth
    if tree.root != TreeRecord.noPage { enter(tree.root) }
  }

  /// Reads what a search has found.
  init(_ map: FileMap, found: [TreeNode]) {
    self.map = map
    depth = 0
    self.found = found[...]
  }

  mutating func next() -> Entry? {
    while let node = nextNode() {
      if let entry = entry(node) { return entry }
    }
    return nil
  }

  private mutating func nextNode() -> TreeNode? {
    while let (page, index) = stack.last {
      if index == page.count {
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      let node = page.node(index)
      if stack.count == depth { return node }
      enter(node.child)
    }
    return found.popFirst()
  }

  private mutating func enter(_ number: UInt64) {
    stack.append((TreePage(base: map.base + Int(number) * map.pageSize), 0))
  }

  private mutating func entry(_ node: TreeNode) -> Entry? {
    entryCount += 1
    map.progress.note()
    if node.flags == TreeNode.Flags.subDatabase {
      return Entry(
        key: node.key, value: UnsafeRawBufferPointer(start: node.data, count: node.dataSize), isTree: true)
    }
    guard let value = map.value(of: node) else {
      faults.append("page \(node.data.loadUnaligned(as: UInt64.self)) is missing")
      return nil
    }
    // LMDB reads no more of the header than is needed to free the value.
    if node.flags == TreeNode.Flags.bigData {
      let first = node.data.loadUnaligned(as: UInt64.self)
      if !CheckedPlaces.isSoundOverflow(
        value, page: first, pageSize: map.pageSize, pageLimit: UInt64(map.pageCount))
      {
        faults.append("the header of page \(first)")
      }
    }
    sealSum &+= SealSum.weight(value)
    return Entry(key: node.key, value: value, isTree: false)
  }
}
