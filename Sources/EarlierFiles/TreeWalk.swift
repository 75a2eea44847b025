import LibC

/// Reads the nodes of a tree in the order of their keys, and verifies each page before anything on it is used.
///
/// A page that occurs twice is damage: so a walk ends, whatever the file says.
struct TreeWalk {
  private let map: PageMap
  private let record: TreeRecord
  private var form: PageForm
  /// A bit for each page that belongs to the tree.
  private var used: [UInt64]
  /// The way from the root to the present leaf, with the next node on each page.
  private var stack: [(page: TreePage, next: Int)] = []
  private var former: UnsafeRawBufferPointer?
  private var entryCount: UInt64 = 0

  init(_ map: PageMap, _ record: TreeRecord) throws(EarlierFileError) {
    self.map = map
    self.record = record
    form = PageForm(pageSize: map.pageSize)
    used = [UInt64](repeating: 0, count: map.pageCount / 64 + 1)
    if record.root == TreeRecord.noPage {
      if record.depth != 0 || record.entryCount != 0 { throw .damaged("the record of a tree") }
      return
    }
    guard 1...TreeRecord.deepest ~= record.depth else { throw .damaged("the depth of a tree") }
    try enter(record.root)
  }

  /// The next node; nil after the last one.
  mutating func next() throws(EarlierFileError) -> TreeNode? {
    while let (page, index) = stack.last {
      if index == page.count {
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      let node = page.node(index)
      if stack.count < record.depth {
        try enter(node.child)
        continue
      }
      try checkOrder(node.key)
      entryCount += 1
      return node
    }
    if entryCount != record.entryCount {
      throw .damaged("a tree has \(entryCount) entries instead of \(record.entryCount)")
    }
    return nil
  }

  private mutating func checkOrder(_ key: UnsafeRawBufferPointer) throws(EarlierFileError) {
    if key.isEmpty { throw .damaged("a key is empty") }
    if let former {
      let order = memcmp(former.baseAddress!, key.baseAddress!, min(former.count, key.count))
      if order > 0 || order == 0 && former.count >= key.count { throw .damaged("the order of its keys") }
    }
    former = key
  }

  private mutating func enter(_ number: UInt64) throws(EarlierFileError) {
    try use(number, count: 1)
    let page = TreePage(base: map.page(number))
    if let fault = form.fault(page, number, isBranch: stack.count + 1 < record.depth) {
      throw .damaged(fault)
    }
    stack.append((page, 0))
  }

  /// Notes that pages belong to the tree.
  private mutating func use(_ first: UInt64, count: Int) throws(EarlierFileError) {
    guard first >= 2 else { throw .damaged("page \(first) is not one of a tree") }
    guard first < UInt64(map.pageCount), count <= map.pageCount - Int(first) else {
      throw .truncated("file is truncated (\(map.fileSize) bytes, and page \(first) is missing).")
    }
    for page in Int(first)..<Int(first) + count {
      if used[page >> 6] & (1 << UInt64(page & 63)) != 0 { throw .damaged("page \(page) is used twice") }
      used[page >> 6] |= 1 << UInt64(page & 63)
    }
  }

  /// The value of a node as it is stored, with its seal.
  mutating func value(of node: TreeNode) throws(EarlierFileError) -> UnsafeRawBufferPointer {
    let size = node.dataSize
    if node.flags == 0 { return UnsafeRawBufferPointer(start: node.data, count: size) }
    guard node.flags == TreeNode.Flags.longValue else { throw .damaged("the flags of an entry") }
    let first: UInt64 = number(node.data, 0)
    let count = (PageHeader.size - 1 + size) / map.pageSize + 1
    try use(first, count: count)
    let header = PageHeader(base: map.page(first))
    // It has more than it needs if the transaction that made it also made it smaller.
    guard header.number == first, header.kind == PageHeader.Kind.longValue, Int(header.pageCount) >= count,
      Int(header.pageCount) <= map.pageCount - Int(first)
    else { throw .damaged("the header of page \(first)") }
    return UnsafeRawBufferPointer(start: header.base + PageHeader.size, count: size)
  }
}
