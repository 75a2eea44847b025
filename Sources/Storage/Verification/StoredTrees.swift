/// The trees of a version, as they can be read where some of their pages are damaged.
final class StoredTrees {
  typealias MainEntry = (key: [UInt8], value: UnsafeRawBufferPointer)

  private let map: FileMap
  private var records: [String: TreeRecord]
  /// Finds the entries where pages are damaged; nil when the trees are sound.
  private let search: EntrySearch?
  /// What is wrong with the first damaged page.
  let fault: String?

  /// Verifies the form of all pages.
  init(_ map: FileMap) {
    self.map = map
    var walk = PageWalk(map.base, pageSize: map.pageSize, pageCount: map.pageCount, meta: map.meta, .values)
    do throws(PageWalk.Fault) {
      try walk.check(map.meta)
      (search, fault, records) = (nil, nil, [:])
    } catch {
      let search = EntrySearch(map)
      (self.search, fault, records) = (search, error.reason, search.trees)
    }
  }

  /// The entries that may tell the format.
  private var formats: [UnsafeRawBufferPointer] {
    if let search { return search.candidates(FileFormat.key) }
    var main = EntryIterator(map, map.meta.main)
    while let entry = main.next() {
      if entry.key.elementsEqual(FileFormat.key) { return [entry.value] }
    }
    return []
  }

  /// Takes the seals off values as the first entry says that can be read.
  func opener(encryptionKey: [UInt8]?) throws(StorageError) -> ValueOpener {
    var failure = StorageError.damaged(path: map.path, "it has no format")
    for format in formats {
      do throws(StorageError) {
        return ValueOpener(
          try FileFormat.read(entry: format, encryptionKey: encryptionKey, path: map.path))
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Reads the main tree, and with it what it says of the others. To be called first.
  func readMain(_ opener: ValueOpener) -> (entries: [MainEntry], faults: [String]) {
    var main =
      search.map { EntryIterator(map, found: $0.entries(of: .main, opener)) }
      ?? EntryIterator(map, map.meta.main)
    var entries: [MainEntry] = []
    while let entry = main.next() {
      if entry.isTree {
        if entry.value.count == TreeRecord.size {
          records[String(decoding: entry.key, as: UTF8.self)] = TreeRecord(entry.value.baseAddress!)
        }
      } else {
        entries.append((Array(entry.key), entry.value))
      }
    }
    return (entries, faults(of: .main) + main.faults)
  }

  /// What is wrong with the pages of a tree.
  func faults(of tree: StoredTree) -> [String] { search?.faults[tree] ?? [] }

  /// Number of entries of a tree, as the file says; nil when it says nothing of it.
  func entryCount(of tree: StoredTree) -> UInt64? { records[tree.rawValue]?.entries }

  /// Number of entries of all trees but the main one.
  var entryCount: Int { records.values.reduce(0) { $0 + Int(clamping: $1.entries) } }

  /// Whether there are values, to which a catalogue and counts belong.
  var hasColumns: Bool { entryCount(of: .columns) ?? 0 > 0 }

  /// The entries of a tree that can be found.
  func entries(of tree: StoredTree, _ opener: ValueOpener) -> EntryIterator {
    if let search { return EntryIterator(map, found: search.entries(of: tree, opener)) }
    return records[tree.rawValue].map { EntryIterator(map, $0) } ?? EntryIterator(map, found: [])
  }
}
