import LibC

/// The mark of a lock file.
///
/// Without it, a file that has the name of one may be any other: a user who may change names in the folder can give the name to a
/// file that he cannot read, and a process of its owner would give it to the users of the data, or overwrite it. A user cannot put
/// the mark into a file that he may not write.
package enum LockFileMark {
  /// Offset of the mark in bytes, in the sector of the words: a power failure does not keep one without the other.
  static let offset = sectorSize - 8
  static let sectorSize = 512
  static let word = UInt64(littleEndian: 0x3173_6B63_6F4C_524F)  // "ORLocks1"
  /// Number of bytes that a power failure loses at once. Other files may begin with zeros, such as images of file systems.
  private static let block = 4096
  /// First bytes of a lock file of LMDB: files of formats 2 to 4 have one.
  private static let earlier: [UInt8] = [0xDE, 0xC0, 0xEF, 0xBE]

  package enum State {
    case marked
    /// A new file, one that a power failure has left without content, or one of LMDB: `LockMemory` marks it.
    case unmarked
    /// Any other file, which is left as it is.
    case foreign
  }

  /// Returns the state of a file; nil, with `errno`, when it cannot be read.
  package static func state(of descriptor: Int32) -> State? {
    var start = [UInt8](repeating: 0, count: block)
    if pread(descriptor, &start, block, 0) < 0 { return nil }
    if start[offset..<sectorSize].elementsEqual(withUnsafeBytes(of: word, Array.init)) { return .marked }
    return start.starts(with: earlier) || start.allSatisfy { $0 == 0 } ? .unmarked : .foreign
  }
}
