/// The entries of one tree of LMDB in the order of their keys, as far as its pages are sound.
///
/// A page whose form is wrong is noted and left out, with all that is below it.
struct EntryIterator {
  struct Entry {
    let key: UnsafeRawBufferPointer
    /// As it is stored, with its seal.
    let value: UnsafeRawBufferPointer
    /// Whether it is the record of another tree.
    let isTree: Bool
  }

  /// What was wrong with pages and nodes, one line each.
  private(set) var faults: [String] = []
  private(set) var entryCount: UInt64 = 0
  /// Of the values so far.
  private(set) var sealSum: UInt64 = 0
  private let map: FileMap
  private let depth: Int
  private var form: PageForm
  private var visited: [UInt64]
  /// The way from the root to the present leaf, with the next node on each page.
  private var stack: [(page: TreePage, next: Int)] = []
  private var last: UnsafeRawBufferPointer?

  init(_ map: FileMap, _ tree: TreeRecord) {
    self.map = map
    depth = tree.depth
    form = PageForm(pageSize: map.pageSize)
    visited = [UInt64](repeating: 0, count: map.pageCount / 64 + 1)
    if tree.root == TreeRecord.noPage { return }
    if depth < 1 || depth >= PageForm.deepest {
      faults.append("the depth of a tree")
    } else {
      enter(tree.root)
    }
  }

  mutating func next() -> Entry? {
    while let (page, index) = stack.last {
      if index == page.count {
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      let node = page.node(index)
      if stack.count < depth {
        enter(node.child)
      } else if let entry = entry(node, LMDBPage(base: page.base).number) {
        return entry
      }
    }
    return nil
  }

  private mutating func enter(_ number: UInt64) {
    let level = stack.count + 1
    guard number >= 2, number < UInt64(map.pageCount) else {
      return faults.append("page \(number) is missing")
    }
    let (word, bit) = (Int(number >> 6), UInt64(1) << (number & 63))
    guard visited[word] & bit == 0 else { return faults.append("page \(number) is used twice") }
    visited[word] |= bit
    let page = TreePage(base: map.base + Int(number) * map.pageSize)
    if let fault = form.fault(page, number, isBranch: level < depth) { return faults.append(fault) }
    stack.append((page, 0))
  }

  private mutating func entry(_ node: TreeNode, _ page: UInt64) -> Entry? {
    let key = node.key
    if let last, TreePage.order(key, last) <= 0 {
      faults.append("the order of the keys of page \(page)")
      return nil
    }
    last = key
    entryCount += 1
    map.progress.note()
    switch node.flags {
    case 0, TreeNode.Flags.subDatabase:
      let value = UnsafeRawBufferPointer(start: node.data, count: node.dataSize)
      if node.flags == 0 { sealSum &+= SealSum.weight(value) }
      return Entry(key: key, value: value, isTree: node.flags != 0)
    case TreeNode.Flags.bigData:
      let first = node.data.loadUnaligned(as: UInt64.self)
      let count = UInt64(LMDBPage.overflowCount(valueSize: node.dataSize, pageSize: map.pageSize))
      guard first >= 2, first < UInt64(map.pageCount), count <= UInt64(map.pageCount) - first else {
        faults.append("page \(first) is missing")
        return nil
      }
      let start = map.base + Int(first) * map.pageSize + LMDBPage.headerSize
      let value = UnsafeRawBufferPointer(start: start, count: node.dataSize)
      // LMDB reads no more of the header than who frees the value.
      if !CheckedPlaces.isSoundOverflow(
        value, page: first, pageSize: map.pageSize, pageLimit: UInt64(map.pageCount))
      {
        faults.append("the header of page \(first)")
      }
      sealSum &+= SealSum.weight(value)
      return Entry(key: key, value: value, isTree: false)
    default:
      faults.append("a node of page \(page)")
      return nil
    }
  }
}
