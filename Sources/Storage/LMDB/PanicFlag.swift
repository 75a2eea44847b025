import CLMDB
import Synchronization

/// The mark in LMDB's environment that says that a meta page could not be written.
///
/// With the mark no transaction begins any more, until the environment is closed, although nothing is lost: a failed
/// commit leaves the last version, its meta page and its number in the lock file as they are. An environment cannot be
/// closed while there are readers, nor opened a second time beside it. So the mark is taken away here, which LMDB 0.9 has no
/// function for.
///
/// Invariant: `word` is `me_flags` of LMDB's `MDB_env` (see `EnvironmentWords`): when the file is opened it has the flags that
/// LMDB tells, and of its private ones just those that an open environment has. Where that is otherwise there is no such flag,
/// and the file has to be closed after a failed write.
final class PanicFlag: @unchecked Sendable {
  private let word: UnsafeMutablePointer<Atomic<UInt32>>
  /// Whether the mark was cleared, and no writer has verified the meta pages since.
  private let wasCleared = Atomic(false)

  // `MDB_FATAL_ERROR` and the others of LMDB's private flags.
  private static let fatal: UInt32 = 0x8000_0000
  private static let active: UInt32 = 0x2000_0000
  private static let harmless: UInt32 = 0x0800_0000

  /// For an environment that has just been opened.
  init?(_ environment: EntryStore, _ words: EnvironmentWords?) {
    var flags: UInt32 = 0
    guard let words, mdb_env_get_flags(environment.handle, &flags) == 0,
      words.flags.pointee & ~Self.harmless == flags | Self.active
    else { return nil }
    word = UnsafeMutableRawPointer(words.flags).assumingMemoryBound(to: Atomic<UInt32>.self)
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
