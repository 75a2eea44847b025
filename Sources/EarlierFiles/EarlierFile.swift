import LibC

// Files of the formats 2 to 6 are files of LMDB 0.9. This module reads them without LMDB; nothing in it writes.
//
// Numbers are little-endian, but in keys, where they are big-endian.
//
// Pages. The file is an array of pages of one size (that of the system that made it). A page begins with 16 bytes: number (8), pad (2),
// kind (2: 1 branch, 2 leaf, 4 first page of a long value, 8 meta), and the bounds of its free space (2, 2), or for a long
// value the number of its pages (4). Behind the header of a branch or leaf page are the 2-byte offsets of its nodes in the order
// of their keys; the nodes fill the end of the page. A node: two halves of a size (2, 2), flags (2), size of the key (2), key, data, and
// a byte if the size is odd. In a branch page the first three are the number of a child, 48 bits, and there is no data. In a leaf page, flag 1
// says that the data is the number of the first page of a long value (8), and flag 2 that it is the record of a tree (`TreeRecord`). A long
// value follows the header of its first page and goes on through the pages behind it.
//
// Metas. Pages 0 and 1 are meta pages: version n has page n mod 2. See `MetaPage`. A version of LMDB's is a commit. No page that one of
// the last two versions shows is ever written again.
//
// Trees. The main tree has what is one of a kind, and the records of the trees `columns`, `collections`, `indexes` and `values`. Another
// tree, of free pages, says nothing that a reader needs.
//
// Format. The entry `openrealm` of the main tree: number of the format (4), how values are sealed (4; 0: with a checksum,
// 1: encrypted), in an encrypted file 32 bytes of salt, and a seal. Format 1 had nothing but the number, and values without seals.
// What else the formats differ in is the form of values, which files of later formats may have, too: 3 brought attributes of columns
// and indexes over several columns, 4 scaled numbers, 5 identities of nested values, 6 is 5 in a synced file.
//
// Seals. Each value ends with one: see `Seals.swift`. In an encrypted file keys are not encrypted, and those of index blocks are
// ordinals instead of pairs.
//
// Content checksum. The last entry of the change log (key `log`, 0, version) may end with the sum of what all seals weigh, but those of the log and of
// the format: see `Seal.weight`. So values that are missing are found, and older ones in their places.
//
// Recovery. At offset 512 of both meta pages is a copy of a record that says which version the disk surely has; see `RecoveryRecord`. It may name
// a journal beside the file, which has the pages of later versions; see `Journal`.
//
// Locks. A process that has a file open holds a shared lock on byte 0 of its lock file, `name.realm-lock`, and on a byte of the
// file itself from 3 · 2⁶¹ on, whose number is that of the lock file's inode modulo 2⁶⁰. A writer holds `flock` on the file.

/// A file of the formats 2 to 6, in its newest version that is whole.
///
/// Everything that it says of places is verified before it is used: a file that was made to do harm is told as damaged.
package final class EarlierFile {
  /// The trees that have the file's entries.
  package enum Tree: String, CaseIterable, Sendable {
    case main, columns, collections, indexes, values
  }

  package let version: UInt64
  /// The number of the format.
  package let format: UInt32
  package var isEncrypted: Bool { opener.isEncrypted }
  /// In bytes.
  package var fileSize: Int { pages.fileSize }
  let pages: PageMap
  let opener: ValueOpener
  private let roots: [Tree: TreeRecord]

  /// The key of the entry that says the format.
  package static let formatKey = Array("openrealm".utf8)

  /// Opens a file that no process changes as long as it is used.
  ///
  /// - Parameters:
  ///   - descriptor: Is open to read, and stays the caller's.
  ///   - journalPath: Where its journal is if it has one.
  ///   - isInUse: Whether processes have it open that may have written it: then its newest version is whole.
  ///   - encryptionKey: 64 bytes; nil for a file that is not encrypted.
  package init(
    descriptor: Int32, journalPath: String, isInUse: Bool, encryptionKey: [UInt8]?
  ) throws(EarlierFileError) {
    let file = try RecoveredFile(descriptor, journalPath: journalPath)
    let (pages, meta) = isInUse ? try file.openNewest() : try file.open()
    self.pages = pages
    version = meta.version
    var roots: [Tree: TreeRecord] = [.main: meta.main]
    var stored: UnsafeRawBufferPointer?
    var nodes = try TreeWalk(pages, meta.main)
    while let node = try nodes.next() {
      if node.flags == TreeNode.Flags.tree {
        guard let tree = Tree(rawValue: String(decoding: node.key, as: UTF8.self)), tree != .main,
          node.dataSize == TreeRecord.size
        else { throw .damaged("the record of a tree") }
        roots[tree] = TreeRecord(node.data)
      } else if node.key.elementsEqual(Self.formatKey) {
        stored = try nodes.value(of: node)
      }
    }
    guard let stored else { throw .damaged("it has no format") }
    (format, opener) = try ValueOpener.read(format: stored, encryptionKey: encryptionKey)
    // All were made at once.
    if roots.count != Tree.allCases.count { throw .damaged("a tree is missing") }
    self.roots = roots
  }

  /// The entries of a tree in the order of their keys, but for that of the format.
  package func entries(of tree: Tree) throws(EarlierFileError) -> EarlierEntries {
    try EarlierEntries(self, roots[tree]!, isMain: tree == .main)
  }

  // MARK: Recognising

  /// Whether a file begins as one of LMDB's.
  package static func isEarlier(descriptor: Int32) -> Bool {
    // The first page may be damaged.
    MetaPage.begins(descriptor, at: 0) || MetaPage.begins(descriptor, at: RecoveredFile.systemPageSize)
  }

  /// Whether the creation of a file failed: it has no version, because its two first pages were not written, or not synced.
  package static func isUnfinished(descriptor: Int32) -> Bool { UnfinishedFile.isOne(descriptor) }

  /// Whether a file is the journal of such a file.
  package static func isJournal(descriptor: Int32) -> Bool { Journal.begins(descriptor: descriptor) }
}

/// Why a file cannot be read.
package enum EarlierFileError: Error, Equatable {
  /// A call of the system failed, with this error number.
  case system(Int32)
  /// Something in the file is not what it was when it was written.
  case damaged(String)
  /// It is too short to be such a file, or shorter than it was.
  case truncated(String)
  /// The number of a format that cannot be read.
  case unsupportedFormat(UInt32)
  case keyIsMissing
  case keyIsWrong
  case keyIsUnneeded
  /// The system failed, and the journal, which has what is needed then, is not there.
  case journalIsMissing
}
