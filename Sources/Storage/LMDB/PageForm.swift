/// Looks whether a branch or leaf page can be read: its header, and where its nodes lie.
struct PageForm {
  /// LMDB's cursors go no deeper.
  static let deepest = 32
  private static let longestKey = 511

  private let pageSize: Int
  /// Where nodes begin on the present page: a bit for each two bytes.
  private var starts: [UInt64]

  init(pageSize: Int) {
    self.pageSize = pageSize
    starts = [UInt64](repeating: 0, count: pageSize / 128)
  }

  /// What is wrong with a page, or nil.
  mutating func fault(_ page: TreePage, _ number: UInt64, isBranch: Bool) -> String? {
    if !isHeaderSound(page, number, isBranch: isBranch) { return "the header of page \(number)" }
    return isTiled(page, isBranch: isBranch) ? nil : "the nodes of page \(number)"
  }

  private func isHeaderSound(_ page: TreePage, _ number: UInt64, isBranch: Bool) -> Bool {
    let (lower, upper) = (page.lower, page.upper)
    let header = LMDBPage(base: page.base)
    return header.number == number
      && header.kind == (isBranch ? LMDBPage.Kind.branch : LMDBPage.Kind.leaf)
      && lower >= LMDBPage.headerSize + (isBranch ? 4 : 2) && lower & 1 == 0 && lower <= upper
      && upper <= pageSize && upper & 1 == 0
  }

  /// Whether the nodes lie side by side in what the page has behind its free space: LMDB moves them by their sizes.
  private mutating func isTiled(_ page: TreePage, isBranch: Bool) -> Bool {
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
      if !isBranch { size += node.flags & TreeNode.Flags.bigData != 0 ? 8 : node.dataSize }
      place += (size + 1) & ~1
    }
    return place == pageSize
  }
}
