/// The trees of a version, as they can be read where some of their nodes are damaged.
final class StoredTrees {
  typealias MainEntry = (key: [UInt8], value: UnsafeRawBufferPointer)

  private let map: FileMap
  /// Of the trees that were counted.
  private var counts: [StoredTree: UInt64] = [:]

  /// What is wrong is told with the entries.
  var fault: String? { nil }

  init(_ map: FileMap) { self.map = map }

  /// Throws unless the file has a format that can be read.
  ///
  /// - Parameter encryptionKey: With which the file has been opened.
  func opener(encryptionKey: [UInt8]?) throws(StorageError) -> ValueOpener {
    var main = EntryIterator(map, .main)
    while let entry = main.next() {
      if !entry.key.elementsEqual(FileFormat.key) { continue }
      try FileFormat.check(entry.value, path: map.path)
      return ValueOpener()
    }
    throw .damaged(path: map.path, "it has no format")
  }

  /// Reads the main tree. Its values are copied.
  func readMain(_ opener: ValueOpener) -> (entries: [MainEntry], faults: [String]) {
    var main = EntryIterator(map, .main)
    var entries: [MainEntry] = []
    while let entry = main.next() {
      entries.append((Array(entry.key), map.keep(entry.value)))
    }
    return (entries, main.faults)
  }

  /// They are found when the entries are read.
  func faults(of tree: StoredTree) -> [String] { [] }

  /// Number of entries of a tree, as they can be read.
  func entryCount(of tree: StoredTree) -> UInt64? {
    if let known = counts[tree] { return known }
    var entries = EntryIterator(map, tree, readsValues: false)
    while entries.next() != nil {}
    counts[tree] = entries.entryCount
    return entries.entryCount
  }

  /// Number of entries of all trees but the main one.
  var entryCount: Int {
    StoredTree.allCases.reduce(0) { $1 == .main ? $0 : $0 + Int(clamping: entryCount(of: $1) ?? 0) }
  }

  /// Whether there are values, to which a catalogue and counts belong.
  var hasColumns: Bool { entryCount(of: .columns) ?? 0 > 0 }

  /// The entries of a tree that can be found.
  func entries(of tree: StoredTree, _ opener: ValueOpener) -> EntryIterator { EntryIterator(map, tree) }
}
