/// The pages that a commit wrote: those that its version shows and the one before does not.
///
/// LMDB never writes to a page that one of the last two versions shows, so a page with the same number in both is the same.
/// The trees of both versions are walked side by side, from the roots down, wherever they differ: at each height above the leaf
/// pages, what became of the pages that are gone are the pages that are new. So the cost is that of the pages that the commit
/// wrote, times their entries.
///
/// Invariants: `map` shows both versions, whose pages were looked at before (see `PageWalk`), as they are before the next
/// write; and there is no write meanwhile.
struct CommittedPages {
  /// Pages side by side that belong together: one page of a tree, or all pages of a value that has its own.
  struct Run: Equatable {
    let number: UInt64
    let pageCount: Int
    /// How many bytes are in use at the beginning and at the end. What is between them is free.
    let head: Int
    let tail: Int

    var size: Int { head + tail }
  }

  private(set) var runs: [Run] = []
  /// How many bytes are in use on all of them.
  private(set) var size = 0

  private let map: UnsafeRawPointer
  private let pageSize: Int
  private let limit: Int

  /// - Parameter limit: So many bytes are wanted at most, so that no more is looked at when there are more.
  init(map: UnsafeRawPointer, pageSize: Int, limit: Int) {
    self.map = map
    self.pageSize = pageSize
    self.limit = limit
  }

  /// Finds the pages of a commit. Returns false when there are too many.
  mutating func find(from old: MetaPage.Content, to new: MetaPage.Content) -> Bool {
    compare(old.freePages, new.freePages, isMain: false)
    compare(old.main, new.main, isMain: true)
    return size <= limit
  }

  /// What is found on leaf pages that only one of the versions has.
  private struct Leaves {
    var values: [Value] = []
    var trees: [(name: UnsafeRawBufferPointer, record: TreeRecord)] = []

    struct Value {
      let page: UInt64
      let size: Int
    }
  }

  private mutating func compare(_ old: TreeRecord?, _ new: TreeRecord, isMain: Bool) {
    let oldDepth = old.map { $0.root == TreeRecord.noPage ? 0 : $0.depth } ?? 0
    let newDepth = new.root == TreeRecord.noPage ? 0 : new.depth
    if newDepth == 0 || old?.root == new.root { return }
    var oldPages: [UInt64] = []
    var newPages: [UInt64] = []
    for height in stride(from: max(oldDepth, newDepth), through: 1, by: -1) {
      if height == oldDepth, let old { oldPages.append(old.root) }
      if height == newDepth { newPages.append(new.root) }
      Self.removeCommon(&oldPages, &newPages)
      for page in newPages { add(treePage: page) }
      if size > limit { return }
      if height > 1 {
        oldPages = children(oldPages)
        newPages = children(newPages)
      }
    }
    compareLeaves(oldPages, newPages, isMain: isMain)
  }

  private mutating func compareLeaves(_ oldPages: [UInt64], _ newPages: [UInt64], isMain: Bool) {
    let old = leaves(oldPages, isMain: isMain)
    let new = leaves(newPages, isMain: isMain)
    if !new.values.isEmpty {
      var oldValues = old.values.map(\.page)
      var newValues = new.values.map(\.page)
      Self.removeCommon(&oldValues, &newValues)
      var place = 0
      // Both are in ascending order of what is left.
      for value in new.values.sorted(by: { $0.page < $1.page }) where place < newValues.count {
        if value.page != newValues[place] { continue }
        place += 1
        add(value: value)
      }
    }
    for (name, record) in new.trees {
      let former = old.trees.first { TreePage.order($0.name, name) == 0 }
      compare(former?.record, record, isMain: false)
      if size > limit { return }
    }
  }

  private mutating func add(treePage number: UInt64) {
    let page = page(number)
    precondition(LMDBPage(base: page.base).number == number && page.upper <= pageSize)
    add(Run(number: number, pageCount: 1, head: page.lower, tail: pageSize - page.upper))
  }

  private mutating func add(value: Leaves.Value) {
    let count = LMDBPage.overflowCount(valueSize: value.size, pageSize: pageSize)
    add(Run(number: value.page, pageCount: count, head: LMDBPage.headerSize + value.size, tail: 0))
  }

  private mutating func add(_ run: Run) {
    runs.append(run)
    size += run.size
  }

  private func page(_ number: UInt64) -> TreePage { TreePage(base: map + Int(number) * pageSize) }

  private func children(_ pages: [UInt64]) -> [UInt64] {
    var all: [UInt64] = []
    for number in pages {
      let page = page(number)
      let count = page.count
      all.reserveCapacity(all.count + count)
      for index in 0..<count { all.append(page.node(index).child) }
    }
    return all
  }

  private func leaves(_ pages: [UInt64], isMain: Bool) -> Leaves {
    var leaves = Leaves()
    for number in pages {
      let page = page(number)
      for index in 0..<page.count {
        let node = page.node(index)
        if node.flags & TreeNode.Flags.bigData != 0 {
          leaves.values.append(.init(page: node.data.loadUnaligned(as: UInt64.self), size: node.dataSize))
        } else if isMain, node.flags & TreeNode.Flags.subDatabase != 0 {
          leaves.trees.append((node.key, TreeRecord(node.data)))
        }
      }
    }
    return leaves
  }

  /// Removes what is in both. What is left is in ascending order.
  static func removeCommon(_ a: inout [UInt64], _ b: inout [UInt64]) {
    // Usually one of many differs.
    var start = 0
    let shorter = min(a.count, b.count)
    while start < shorter && a[start] == b[start] { start += 1 }
    var end = 0
    while end < shorter - start && a[a.count - 1 - end] == b[b.count - 1 - end] { end += 1 }
    let left = a[start..<a.count - end].sorted()
    let right = b[start..<b.count - end].sorted()
    a.removeAll(keepingCapacity: true)
    b.removeAll(keepingCapacity: true)
    var (i, j) = (0, 0)
    while i < left.count || j < right.count {
      if j == right.count || i < left.count && left[i] < right[j] {
        a.append(left[i])
        i += 1
      } else if i == left.count || right[j] < left[i] {
        b.append(right[j])
        j += 1
      } else {
        i += 1
        j += 1
      }
    }
  }
}
