import CLMDB
import Synchronization

/// The leaf pages of a file's large trees, in the version at which it was opened: each is looked at before LMDB first
/// reads it. Looking at all of them when the file is opened would take time in proportion to the file.
///
/// That is enough for who reads, by key, from that version. A write transaction also deletes, moves nodes between
/// pages, and hands out pages that are said to be free; so whoever writes, in whichever process, first looks at all that
/// is left (see `DatabaseFile.checkRemainingPages`). Later versions are trusted therefore.
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
  private let columns: (database: MDB_dbi, record: TreeRecord)
  private let collections: (database: MDB_dbi, record: TreeRecord)
  private let values: (database: MDB_dbi, record: TreeRecord)
  /// One for each page.
  private let bits: AtomicBits
  private let completion = Atomic(false)

  private struct Walk: @unchecked Sendable { var pages: PageWalk }

  /// Nil when there is nothing left to look at.
  init?(
    _ trees: CheckedTrees?, _ databases: DatabaseFile.Databases, map: UnsafeRawPointer, pageSize: Int
  ) {
    guard let trees, !trees.isComplete, let columns = trees.records["columns"],
      let collections = trees.records["collections"], let values = trees.records["values"]
    else { return nil }
    var walk = trees.walk
    walk.move(to: map)
    let pages = Walk(pages: walk)
    self.walk = Mutex(pages)
    self.map = map
    self.pageSize = pageSize
    version = trees.version
    self.columns = (databases.columns, columns)
    self.collections = (databases.collections, collections)
    self.values = (databases.values, values)
    bits = AtomicBits(count: Int(walk.pageCount))
  }

  deinit { bits.deallocate() }

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
    _ transaction: OpaquePointer, _ database: MDB_dbi, _ key: UnsafeRawPointer, _ keySize: Int
  ) -> String? {
    if isComplete || UInt64(mdb_txn_id(transaction)) != version { return nil }
    return fault(database, UnsafeRawBufferPointer(start: key, count: keySize))
  }

  @inline(never)
  private func fault(_ database: MDB_dbi, _ key: UnsafeRawBufferPointer) -> String? {
    let record: TreeRecord
    switch database {
    case columns.database: record = columns.record
    case collections.database: record = collections.record
    case values.database: record = values.record
    default: return nil
    }
    if record.root == TreeRecord.noPage { return nil }
    let leaf = leaf(of: record, for: key)
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
    var leaf = Leaf(page: record.root)
    for _ in 1..<record.depth {
      let branch = TreePage(base: map + Int(leaf.page) * pageSize)
      // The first child has all keys before the second one's, whatever its own says.
      var low = 1
      var high = branch.count
      while low < high {
        let middle = (low + high) / 2
        if TreePage.order(branch.node(middle).key, key) <= 0 { low = middle + 1 } else { high = middle }
      }
      if low < branch.count { leaf.upper = branch.node(low).key }
      if low > 1 { leaf.lower = branch.node(low - 1).key }
      leaf.page = branch.node(low - 1).child
    }
    return leaf
  }
}
