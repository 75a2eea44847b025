import LibC

/// What tells a lock file from any other file that has its name: a user who may change names in the folder can give the name to a file
/// that another user has made, and that a process of that user would then give to the users of the data, or overwrite.
///
/// A user cannot put the mark into a file that he may not write.
package enum LockFileMark {
  /// Where it is, in the page of the words: one is not written to the disk without the other.
  static let offset = 3584
  static let word = UInt64(littleEndian: 0x3173_6B63_6F4C_524F)  // "ORLocks1"
  private static let pageSize = 4096
  /// With which lock files of LMDB begin: files of formats 2 to 4 have them.
  private static let earlier: [UInt8] = [0xDE, 0xC0, 0xEF, 0xBE]

  package enum State {
    case marked
    /// A new file, one that a power failure has left without content, or one of an earlier version: `LockMemory` marks it.
    case unmarked
    case foreign
  }

  /// Nil, with `errno`, when the file cannot be read.
  package static func state(of descriptor: Int32) -> State? {
    var page = [UInt8](repeating: 0, count: pageSize)
    let count = pread(descriptor, &page, pageSize, 0)
    if count < 0 { return nil }
    if page[offset..<offset + 8].elementsEqual(withUnsafeBytes(of: word, Array.init)) { return .marked }
    return page.starts(with: earlier) || page.allSatisfy { $0 == 0 } ? .unmarked : .foreign
  }
}
