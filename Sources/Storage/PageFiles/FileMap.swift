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
  /// Verifies everything, also what this process has read before.
  fileprivate let version: PageVersion
  private let held: PageVersion
  private let file: DatabaseFile
  private var kept: [UnsafeMutableRawBufferPointer] = []

  /// Holds the newest version of a file.
  ///
  /// - Parameters:
  ///   - path: For messages.
  ///   - file: Nil when it is so damaged that it cannot be opened.
  /// - Throws: What hinders it.
  static func newest(
    path: String, _ file: DatabaseFile?, encryptionKey: [UInt8]?
  ) throws(StorageError) -> FileMap {
    if let file { return try FileMap(path, file) }
    return try FileMap(path, DatabaseFile.openToRead(path: path, encryptionKey: encryptionKey))
  }

  private init(_ path: String, _ file: DatabaseFile) throws(StorageError) {
    (self.path, self.file) = (path, file)
    (held, version) = try StorageError.describing(path) { () throws(EntryError) in
      try withPageErrors { () throws(PageError) in
        let held = try file.environment.hold()
        do throws(PageError) {
          // Where there are addresses for another map.
          if let verifier = try? held.makeVerifier() { return (held, verifier) }
          return (held, try held.makeReader())
        } catch {
          held.release()
          throw error
        }
      }
    }
    meta = Version(version: held.version)
    pageCount = file.size.total / EntryStore.pageSize
  }

  deinit {
    version.release()
    held.release()
    for bytes in kept {
      explicit_bzero(bytes.baseAddress!, bytes.count)
      bytes.deallocate()
    }
  }

  /// Copies a value to memory that lives as long as the map.
  func keep(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(value.count, 1), alignment: 16)
    copy.copyMemory(from: value)
    kept.append(copy)
    return UnsafeRawBufferPointer(start: copy.baseAddress, count: value.count)
  }
}

/// The entries of one tree in the order of their keys, but for those that cannot be read.
struct EntryIterator {
  struct Entry {
    /// Holds until several more entries have been read.
    let key: UnsafeRawBufferPointer
    /// Holds until the next entry but one has been read.
    let value: UnsafeRawBufferPointer
  }

  /// What was wrong with entries, one line each.
  var faults: [String] { walk.faults }
  private(set) var entryCount: UInt64 = 0
  private let map: FileMap
  private let tree: EntryTree
  private var walk: EntryWalk
  private let keys = KeyRing(size: PageCursor<PageVersion>.keyLimit)

  init(_ map: FileMap, _ tree: StoredTree, readsValues: Bool = true) {
    self.map = map
    self.tree = tree == .main ? .main : EntryTree(named: tree.rawValue)!
    walk = EntryWalk(map.version, from: [self.tree.number], readsValues: readsValues)
  }

  mutating func next() -> Entry? {
    guard let entry = walk.next(), entry.key.count > 1, entry.key[0] == tree.number else { return nil }
    entryCount += 1
    map.progress.note()
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
