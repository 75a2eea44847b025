import CLMDB
import Glibc
import Synchronization

/// The mark in LMDB's environment that says that a meta page could not be written.
///
/// With the mark no transaction begins any more, until the environment is closed, although nothing is lost: a failed
/// commit leaves the last version, its meta page and its number in the lock file as they are. An environment can not be
/// closed while anybody reads, nor opened a second time beside it. So the mark is taken away here, which LMDB 0.9 has no
/// function for.
///
/// Invariants: `word` is `me_flags`, the fourth word of LMDB's `MDB_env`. That is found out when the file is opened:
/// the version is 0.9, the first three words are the descriptors (of the file, of the lock file, and of the file once
/// more), and the fourth has the flags that LMDB tells, and of its private ones just those that an open environment has.
/// Where any of it is otherwise there is no such flag, and the file has to be closed after a failed write. LMDB
/// changes the word only for the holder of the right to write.
final class PanicFlag: @unchecked Sendable {
  private let word: UnsafeMutablePointer<Atomic<UInt32>>
  /// Whether it was taken away, and nobody who may write has looked at the meta pages since.
  private let wasCleared = Atomic(false)

  // `MDB_FATAL_ERROR` and the others of LMDB's private flags.
  private static let fatal: UInt32 = 0x8000_0000
  private static let active: UInt32 = 0x2000_0000
  private static let harmless: UInt32 = 0x0800_0000
  private static let wordIndex = 3

  /// For an environment that has just been opened.
  init?(_ environment: LMDBEnvironment) {
    var major: Int32 = -1
    var minor: Int32 = -1
    _ = mdb_version(&major, &minor, nil)
    var flags: UInt32 = 0
    guard major == 0, minor == 9, let descriptor = try? environment.descriptor,
      mdb_env_get_flags(environment.handle, &flags) == 0
    else { return nil }
    let words = UnsafePointer<UInt32>(environment.handle)
    guard words[0] == UInt32(bitPattern: descriptor), Self.isSameFile(words[0], words[2]),
      !Self.isSameFile(words[0], words[1]),
      words[Self.wordIndex] & ~Self.harmless == flags | Self.active
    else { return nil }
    word = UnsafeMutableRawPointer(environment.handle)
      .advanced(by: Self.wordIndex * MemoryLayout<UInt32>.size)
      .assumingMemoryBound(to: Atomic<UInt32>.self)
  }

  private static func isSameFile(_ first: UInt32, _ second: UInt32) -> Bool {
    var one = stat()
    var other = stat()
    return fstat(Int32(bitPattern: first), &one) == 0 && fstat(Int32(bitPattern: second), &other) == 0
      && one.st_ino == other.st_ino && one.st_dev == other.st_dev
  }

  var isSet: Bool { word.pointee.load(ordering: .relaxed) & Self.fatal != 0 }

  /// Whether there may be something to be put right.
  var wasSet: Bool { isSet || wasCleared.load(ordering: .acquiring) }

  /// Takes the mark away, for readers and for who puts right what it stands for. Returns true, so that what failed can be
  /// tried again.
  func clear() -> Bool {
    wasCleared.store(true, ordering: .releasing)
    word.pointee.bitwiseAnd(~Self.fatal, ordering: .relaxed)
    return true
  }

  /// What it stood for has been put right.
  func forget() { wasCleared.store(false, ordering: .releasing) }

  func set() { word.pointee.bitwiseOr(Self.fatal, ordering: .relaxed) }
}
