/// The entries of one tree, their seals verified and taken off.
package struct EarlierEntries {
  package struct Entry {
    package let key: UnsafeRawBufferPointer
    /// Holds until the next entry is read.
    package let value: UnsafeRawBufferPointer
  }

  /// What the seals of the entries weigh, as the content checksum counts them.
  package private(set) var weight: UInt64 = 0
  private let file: EarlierFile
  private let isMain: Bool
  private var walk: TreeWalk

  init(_ file: EarlierFile, _ record: TreeRecord, isMain: Bool) throws(EarlierFileError) {
    (self.file, self.isMain) = (file, isMain)
    walk = try TreeWalk(file.pages, record)
  }

  /// The next entry; nil after the last one.
  package mutating func next() throws(EarlierFileError) -> Entry? {
    while let node = try walk.next() {
      let key = node.key
      if isMain && (node.flags == TreeNode.Flags.tree || key.elementsEqual(EarlierFile.formatKey)) {
        continue
      }
      let stored = try walk.value(of: node)
      guard let value = file.opener.open(stored, key: key) else {
        throw .damaged("the checksum of a value is wrong")
      }
      if !(isMain && Self.isOfLog(key)) { weight &+= Seal.weight(stored) }
      return Entry(key: key, value: value)
    }
    return nil
  }

  /// Whether a key of the main tree is one of the change log.
  private static func isOfLog(_ key: UnsafeRawBufferPointer) -> Bool {
    (key.count == 12 || key.count == 16) && key.starts(with: [0x6C, 0x6F, 0x67, 0])
  }
}
