import CLMDB
import LibC

/// The first words of LMDB's `MDB_env`, for what LMDB 0.9 has no functions for.
///
/// Layout in 32-bit words: descriptor of the file (0), of the lock file or -1 (1), of the file once more, or -1 when it is
/// only read (2), flags (3), page size (4), the system's page size (5), number of reader slots (6), slots that closing clears (7), number of databases (8),
/// its limit (9), process number (10).
///
/// Invariant: the words are those. When an environment has just been opened, each of them that is known otherwise is
/// compared; where one differs there is no value of this type, and callers do without.
struct EnvironmentWords {
  private let base: UnsafeMutablePointer<UInt32>

  /// `MDB_env.me_flags`. LMDB changes it only for the holder of the writer lock.
  var flags: UnsafeMutablePointer<UInt32> { base + 3 }
  /// `MDB_env.me_pid`.
  var processNumber: UnsafeMutablePointer<Int32> {
    UnsafeMutableRawPointer(base + 10).assumingMemoryBound(to: Int32.self)
  }
  /// Nil when the environment was opened without a lock file.
  var lockDescriptor: Int32? {
    let descriptor = Int32(bitPattern: base[1])
    return descriptor < 0 ? nil : descriptor
  }

  /// For an environment that has just been opened.
  init?(_ environment: EntryStore) {
    let words = UnsafeMutableRawPointer(environment.handle).assumingMemoryBound(to: UInt32.self)
    var (readerLimit, flags) = (UInt32(0), UInt32(0))
    guard LMDBVersion.loaded.isSupported, let descriptor = try? environment.descriptor,
      mdb_env_get_maxreaders(environment.handle, &readerLimit) == 0,
      mdb_env_get_flags(environment.handle, &flags) == 0,
      words[0] == UInt32(bitPattern: descriptor),
      Self.isSameFile(words[0], words[2]) || words[2] == .max && flags & UInt32(MDB_RDONLY) != 0,
      !Self.isSameFile(words[0], words[1]), words[4] == UInt32(environment.pageSize),
      words[5] == UInt32(LMDBPage.size), words[6] == readerLimit,
      words[10] == UInt32(bitPattern: getpid())
    else { return nil }
    base = words
  }

  private static func isSameFile(_ first: UInt32, _ second: UInt32) -> Bool {
    var one = stat()
    var other = stat()
    return fstat(Int32(bitPattern: first), &one) == 0 && fstat(Int32(bitPattern: second), &other) == 0
      && one.st_ino == other.st_ino && one.st_dev == other.st_dev
  }
}
