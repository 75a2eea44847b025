import LibC
import Pages

/// A version of a file, as it is verified: what cannot be read is left out.
final class FileMap {
  let path: String
  let pageSize = EntryStore.pageSize
  let pageCount: Int
  /// Why the version is perhaps not the file's newest.
  let headerFault: String?
  /// Counts what is read of all trees.
  var progress = WorkProgress.Counter()
  /// Verifies everything, also what this process has read before.
  let version: PageVersion
  /// Finds what is below nodes that are damaged.
  fileprivate let search: NodeSearch
  private let held: PageVersion
  /// Nil when it is too damaged to be opened.
  private let file: DatabaseFile?
  private var kept: [UnsafeMutableRawBufferPointer] = []

  /// Holds the newest version of a file; of one that is too damaged to be opened, the newest that is found in it.
  ///
  /// - Throws: The errors of opening the file, if no version is found.
  static func newest(path: String, encryptionKey: [UInt8]?) throws(StorageError) -> FileMap {
    let location = FileLocation(path: path).resolved
    let isUnreadable = try? PageVersion.hasUnreadableSlot(ofFile: location, key: encryptionKey)
    let durable = (try? PageVersion.statedDurable(ofFile: location, key: encryptionKey)) ?? 0
    do throws(StorageError) {
      let file = try DatabaseFile.open(path: path, readOnly: true, encryptionKey: encryptionKey)
      let held = try StorageError.describing(path) { () throws(EntryError) in
        try withPageErrors { () throws(PageError) in try file.entries.hold() }
      }
      let fault =
        held.version < durable
        ? lost(held.version, durable) : isUnreadable == true ? Self.unreadableSlot : nil
      return try FileMap(path, held, file, headerFault: fault)
    } catch {
      guard error.kind == .invalidDatabase,
        let found = try? PageVersion.newest(ofDamagedFile: location, key: encryptionKey)
      else { throw error }
      return try FileMap(path, found.version, nil, headerFault: found.isOfHeader ? nil : Self.noVersion)
    }
  }

  private static let noVersion = "its header leads to no version that is whole and was the newest durable one"
  private static let unreadableSlot =
    "a part of its header cannot be read: unless a power failure interrupted its writing, the newest version may be lost"

  private static func lost(_ version: UInt64, _ durable: UInt64) -> String {
    "a record says that version \(durable) was on the disk, and nothing leads to it: the file opens as version \(version)"
  }

  /// - Parameter held: A version, which is released with the map.
  private init(
    _ path: String, _ held: PageVersion, _ file: DatabaseFile?, headerFault: String?
  ) throws(StorageError) {
    (self.path, self.file, self.held, self.headerFault) = (path, file, held, headerFault)
    let (version, size) = try StorageError.describing(path) { () throws(EntryError) in
      try withPageErrors { () throws(PageError) in
        do throws(PageError) {
          let size = try held.fileSize
          // Where there are addresses for another map.
          if let verifier = try? held.makeVerifier() { return (verifier, size) }
          return (try held.makeReader(), size)
        } catch {
          held.release()
          throw error
        }
      }
    }
    self.version = version
    search = NodeSearch(version)
    pageCount = (file?.size.total ?? size) / EntryStore.pageSize
  }

  deinit {
    version.release()
    held.release()
    for bytes in kept {
      explicit_bzero(bytes.baseAddress!, bytes.count)
      bytes.deallocate()
    }
  }

  /// The entries of the main tree, whose values are copied, and what is wrong with its nodes.
  func mainEntries() -> (entries: [[UInt8]: UnsafeRawBufferPointer], faults: [String]) {
    var main = EntryIterator(self, .main)
    var entries: [[UInt8]: UnsafeRawBufferPointer] = [:]
    // Of those with one key the first is the newest.
    while let entry = main.next() {
      let key = Array(entry.key)
      if entries[key] == nil { entries[key] = keep(entry.value) }
    }
    return (entries, main.faults)
  }

  /// Number of entries of a tree, as they can be read.
  func entryCount(of tree: EntryTree) -> Int {
    var entries = EntryIterator(self, tree, readsValues: false)
    while entries.next() != nil {}
    return entries.entryCount
  }

  /// Copies a value to memory that lives as long as the map.
  private func keep(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
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
  private(set) var entryCount = 0
  private let map: FileMap
  private let tree: EntryTree
  private var walk: EntryWalk
  private let keys = KeyRing(size: PageCursor.keyLimit)

  init(_ map: FileMap, _ tree: EntryTree, readsValues: Bool = true) {
    self.map = map
    self.tree = tree
    walk = EntryWalk(
      map.version, from: [tree.number], readsValues: readsValues, search: map.search,
      findsOlder: tree == .main)
  }

  mutating func next() -> Entry? {
    var next = walk.next()
    while let entry = next, entry.isOlder || entry.isFound, !isUsable(entry) { next = walk.next() }
    guard let entry = next, entry.key.count > 1, entry.key[0] == tree.number else { return nil }
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

  /// Whether what an older version says, or may say, is better than nothing where the newest cannot be read: which classes there are.
  /// Numbers of rows, which change with each commit, are not: rows that were added later would be left out.
  private func isUsable(_ entry: EntryWalk.Entry) -> Bool {
    let key = entry.key.dropFirst()
    if tree != .main { return true }
    return entry.isOlder
      ? [FileFormat.key, Catalogue.key].contains { key.elementsEqual($0) }
      : !key.elementsEqual(Snapshot.rowCountsKey)
  }
}

extension EntryTree {
  /// The order of keys: below 0 when the first one comes first.
  static func order(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    let order = memcmp(first.baseAddress!, second.baseAddress!, min(first.count, second.count))
    return order != 0 ? Int(order) : first.count - second.count
  }
}
