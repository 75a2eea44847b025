import Synchronization

/// The leaf pages of a file's large trees, in the version at which it was opened: each is looked at before LMDB first
/// reads it. Looking at all of them when the file is opened would take time in proportion to the file.
///
/// That is enough for readers of that version, which look entries up by key. A write transaction also deletes, moves nodes
/// between pages, and reuses pages that are listed as free; so the first writer, in any process, verifies all remaining
/// pages first (see `DatabaseFile.checkRemainingPages`). Later versions are trusted therefore.
///
/// Invariants: `map` is LMDB's own and has the pages of the version, which stay as they are while a transaction reads
/// it. The branch pages of the trees have been found sound. The bit of a page is set, by any thread, when it has been
/// found sound, by one thread at a time: the walk notes which pages of values are in use, so that no two values that
/// are read share one.
final class CheckedLeaves: @unchecked Sendable {
  let version: UInt64
  private let map: UnsafeRawPointer
  private let pageSize: Int
  private let walk: Mutex<Walk>
  private let trees: [(database: EntryTree, record: TreeRecord)]
  /// One for each page that has been found sound.
  private let bits: AtomicBits
  /// One for each page of which the pages before and after it, too, have been found sound.
  private let surroundedBits: AtomicBits
  private let completion = Atomic(false)

  private struct Walk: @unchecked Sendable { var pages: PageWalk }

  /// Nil when there is nothing left to look at.
  init?(
    _ trees: CheckedTrees?, _ databases: DatabaseFile.Databases, map: UnsafeRawPointer, pageSize: Int
  ) {
    guard let trees, !trees.isComplete else { return nil }
    let handles = [databases.columns, databases.collections, databases.values, databases.indexes]
    let records = PageWalk.largeTrees.compactMap { trees.record(of: $0) }
    guard records.count == handles.count else { return nil }
    self.trees = zip(handles, records).map { (database: $0, record: $1) }
    var walk = trees.walk
    walk.move(to: map)
    let pages = Walk(pages: walk)
    self.walk = Mutex(pages)
    self.map = map
    self.pageSize = pageSize
    version = trees.version
    bits = AtomicBits(count: Int(walk.pageCount))
    surroundedBits = AtomicBits(count: Int(walk.pageCount))
  }

  deinit {
    bits.deallocate()
    surroundedBits.deallocate()
  }

  /// Whether nothing need be looked at any more.
  var isComplete: Bool { completion.load(ordering: .relaxed) }
  func noteCompletion() { completion.store(true, ordering: .relaxed) }

  /// How many pages have been looked at, since the file is being opened.
  var visitedPageCount: Int { walk.withLock { $0.pages.visitedPageCount } }

  /// What is wrong with the leaf page on which a key is, or would be; nil when LMDB may read it.
  ///
  /// Finding the page takes about as long as LMDB takes for it once more.
  @inline(__always)
  func fault(
    _ transaction: EntryTransaction, _ database: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int
  ) -> String? {
    if isComplete || transaction.version != version { return nil }
    return fault(database, UnsafeRawBufferPointer(start: key, count: keySize))
  }

  /// Verifies the leaf pages for a cursor, which may also move to the page before or after that of the key.
  @inline(__always)
  func fault(
    around key: UnsafeRawBufferPointer, _ transaction: EntryTransaction, _ database: EntryTree
  ) -> String? {
    if isComplete || transaction.version != version { return nil }
    return fault(around: key, database)
  }

  @inline(never)
  private func fault(_ database: EntryTree, _ key: UnsafeRawBufferPointer) -> String? {
    guard let record = record(of: database) else { return nil }
    return fault(in: leaf(of: record, for: key))
  }

  @inline(never)
  private func fault(around key: UnsafeRawBufferPointer, _ database: EntryTree) -> String? {
    guard let record = record(of: database) else { return nil }
    let leaf = leaf(of: record, for: key)
    if surroundedBits.isSet(UInt(leaf.page)) { return nil }
    if let fault = fault(in: leaf) { return fault }
    if !leaf.lower.isEmpty, let fault = fault(in: self.leaf(of: record, before: leaf.lower)) { return fault }
    if let upper = leaf.upper, let fault = fault(in: self.leaf(of: record, for: upper)) { return fault }
    surroundedBits.set(UInt(leaf.page))
    return nil
  }

  private func record(of database: EntryTree) -> TreeRecord? {
    guard let tree = trees.first(where: { $0.database == database }),
      tree.record.root != TreeRecord.noPage
    else { return nil }
    return tree.record
  }

  private func fault(in leaf: Leaf) -> String? {
    if bits.isSet(UInt(leaf.page)) { return nil }
    return walk.withLock { walk in
      // Another thread may have been here.
      if bits.isSet(UInt(leaf.page)) { return nil }
      do throws(PageWalk.Fault) {
        try walk.pages.check(leaf: leaf.page, from: leaf.lower, before: leaf.upper)
      } catch {
        return error.reason
      }
      bits.set(UInt(leaf.page))
      return nil
    }
  }

  /// A leaf page, and the separators around it.
  private struct Leaf {
    var page: UInt64
    var lower = UnsafeRawBufferPointer(start: nil, count: 0)
    var upper: UnsafeRawBufferPointer?
  }

  private func leaf(of record: TreeRecord, for key: UnsafeRawBufferPointer) -> Leaf {
    leaf(of: record) { TreePage.order($0, key) <= 0 }
  }

  /// The last one with keys before a separator.
  private func leaf(of record: TreeRecord, before key: UnsafeRawBufferPointer) -> Leaf {
    leaf(of: record) { TreePage.order($0, key) < 0 }
  }

  /// - Parameter isNotAfter: Whether a separator begins what is looked for, or something before that.
  @inline(__always)
  private func leaf(of record: TreeRecord, _ isNotAfter: (UnsafeRawBufferPointer) -> Bool) -> Leaf {
    var leaf = Leaf(page: record.root)
    for _ in 1..<record.depth {
      let branch = TreePage(base: map + Int(leaf.page) * pageSize)
      // The first child has all keys before the second one's, whatever its own says.
      let next = (1..<max(1, branch.count)).partitioningIndex { !isNotAfter(branch.node($0).key) }
      if next < branch.count { leaf.upper = branch.node(next).key }
      if next > 1 { leaf.lower = branch.node(next - 1).key }
      leaf.page = branch.node(next - 1).child
    }
    return leaf
  }
}
