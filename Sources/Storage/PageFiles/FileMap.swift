import LibC
import Pages

/// What an open file records of a tree.
struct TreeRecord {
  let tree: StoredTree
  /// Number of its entries.
  let entries: UInt64
}

/// A version of a file, as it is verified: what cannot be read is left out.
final class FileMap {
  /// What is known of the version.
  struct Version {
    let version: UInt64
  }

  let path: String
  let meta: Version
  let pageSize = EntryStore.pageSize
  let pageCount: Int
  /// Counts what is read of all trees.
  var progress = WorkProgress.Counter()
  fileprivate let held: PageVersion
  private let file: DatabaseFile

  /// Holds the newest version of a file.
  ///
  /// - Parameters:
  ///   - path: For messages.
  ///   - file: Nil when it is so damaged that it cannot be opened.
  /// - Throws: What hinders it.
  static func newest(path: String, _ file: DatabaseFile?) throws(StorageError) -> FileMap {
    if let file { return try FileMap(path, file) }
    return try FileMap(path, DatabaseFile.openToRead(path: path))
  }

  private init(_ path: String, _ file: DatabaseFile) throws(StorageError) {
    (self.path, self.file) = (path, file)
    held = try StorageError.describing(path) { () throws(EntryError) in
      try withPageErrors { () throws(PageError) in try file.environment.hold() }
    }
    meta = Version(version: held.version)
    pageCount = file.size.total / EntryStore.pageSize
  }

  deinit { held.release() }
}

/// The entries of one tree in the order of their keys, but for those that cannot be read.
struct EntryIterator {
  struct Entry {
    /// Holds until several more entries have been read.
    let key: UnsafeRawBufferPointer
    /// As it is stored, with its seal.
    let value: UnsafeRawBufferPointer
  }

  /// What was wrong with entries, one line each.
  var faults: [String] { walk.faults }
  private(set) var entryCount: UInt64 = 0
  /// Of the values so far.
  private(set) var sealSum: UInt64 = 0
  private let map: FileMap
  private let tree: EntryTree
  private var walk: EntryWalk
  private let keys = KeyRing(size: PageCursor<PageVersion>.keyLimit)

  init(_ map: FileMap, _ tree: StoredTree) {
    self.map = map
    self.tree = tree == .main ? .main : EntryTree(named: tree.rawValue)!
    walk = EntryWalk(map.held, from: [self.tree.number])
  }

  mutating func next() -> Entry? {
    guard let entry = walk.next(), entry.key.count > 1, entry.key[0] == tree.number else { return nil }
    entryCount += 1
    map.progress.note()
    sealSum &+= SealSum.weight(entry.value)
    let key = keys.add { place in
      entry.key.withUnsafeBytes { key in
        place.copyMemory(from: key.baseAddress! + 1, byteCount: key.count - 1)
        return key.count - 1
      }
    }
    return Entry(key: key, value: entry.value)
  }
}

/// The order of keys.
enum TreePage {
  static func order(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    let order = memcmp(first.baseAddress!, second.baseAddress!, min(first.count, second.count))
    return order != 0 ? Int(order) : first.count - second.count
  }
}
