import LibC

/// What tells a lock file from any other file that has its name: a user who may change names in the folder can give the name to a file
/// that another user has made, and that a process of that user would then give to the users of the data, or overwrite.
///
/// A user cannot put the mark into a file that he may not write.
enum LockFileMark {
  /// In the part of the lock file that `LockMemory` of Pages leaves alone, and in the page of the words that count.
  private static let offset = 3584
  private static let mark = Array("ORLocks1".utf8)
  private static let pageSize = 4096
  /// With which lock files of LMDB begin: files of formats 2 to 4 have them.
  private static let earlier: [UInt8] = [0xDE, 0xC0, 0xEF, 0xBE]

  enum State {
    case marked
    /// A new file, one that a power failure has left without content, or one of an earlier version: it may be made a lock file.
    case unmarked
    case foreign
  }

  /// Nil, with `errno`, when the file cannot be read.
  static func state(of descriptor: Int32) -> State? {
    var page = [UInt8](repeating: 0, count: pageSize)
    let count = pread(descriptor, &page, pageSize, 0)
    if count < 0 { return nil }
    if page[offset...].starts(with: mark) { return .marked }
    return page.starts(with: earlier) || page.allSatisfy { $0 == 0 } ? .unmarked : .foreign
  }

  /// Makes a file a lock file. Returns false, with `errno`, when the system refuses it.
  static func write(to descriptor: Int32) -> Bool {
    pwrite(descriptor, mark, mark.count, off_t(offset)) == mark.count
  }
}
