import LibC
import Pages

/// The files that this process has open, is opening or is closing.
///
/// A file is open once in a process. The registry is never held while something is waited for: who opens a
/// file, which may have to wait for another process, leaves a note meanwhile, for which only those wait who want the
/// same file.
final class FileRegistry: @unchecked Sendable {
  private struct WeakFile { weak var file: DatabaseFile? }

  private enum Entry {
    /// By a thread that has promised to call `finish`.
    case opening
    /// Nil when its last reference has gone and it is being closed.
    case open(WeakFile, lock: FileIdentity?)
  }

  enum Claim {
    case known(DatabaseFile)
    /// The caller opens it, and then calls `finish`.
    case new(NewFile)
  }

  /// A file that is to be opened.
  struct NewFile {
    let file: OwnedDescriptor
    let identity: FileIdentity
    /// How many files the process has open already.
    let openCount: Int
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // Guarded by the mutex. Those that are looked for are compared one by one: a dictionary's keys must be hashable, and to
  // find out that they are takes the runtime a tenth of the time in which a program opens its first file.
  private var entries: [(identity: FileIdentity, entry: Entry)] = []

  static let shared = FileRegistry()

  private init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
    Fork.observe()
    Forks.observe()
    pthread_atfork(
      { FileRegistry.shared.lockBeforeFork() }, { FileRegistry.shared.unlockAfterFork() },
      { FileRegistry.shared.forgetInChild() })
  }

  private subscript(_ identity: FileIdentity) -> Entry? {
    get { entries.first { $0.identity == identity }?.entry }
    set {
      let index = entries.firstIndex { $0.identity == identity }
      switch (index, newValue) {
      case (let index?, let entry?): entries[index].entry = entry
      case (let index?, nil): entries.remove(at: index)
      case (nil, let entry?): entries.append((identity, entry))
      case (nil, nil): break
      }
    }
  }

  private func withMutex<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// The file at a place, if it is open, or the right to open it.
  func claim(_ location: FileLocation, readOnly: Bool) throws(StorageError) -> Claim {
    try withMutex { () throws(StorageError) in
      while true {
        if let identity = try FileCheck.identity(location, readOnly: readOnly), let entry = self[identity] {
          if case .open(let weak, _) = entry, let file = weak.file { return .known(file) }
          pthread_cond_wait(changed, mutex)
          continue
        }
        // The path has no links, unless another user makes one of it just now.
        let mode = (readOnly ? O_RDONLY : O_RDWR | O_CREAT) | O_NOFOLLOW
        guard let file = OwnedDescriptor.open(location.resolved, mode | O_NONBLOCK) else {
          throw FileCheck.openingError(errno, path: location.path)
        }
        // Otherwise another file has come to its place just now.
        guard let identity = FileIdentity(descriptor: file.number), self[identity] == nil else { continue }
        let count = entries.count
        self[identity] = .opening
        return .new(NewFile(file: file, identity: identity, openCount: count))
      }
    }
  }

  /// Claims a file that no other opener can have found yet.
  func reserve(_ identity: FileIdentity) { try! withMutex { self[identity] = .opening } }

  /// Ends what `claim` or `reserve` has begun: the file, or nil when it could not be opened.
  func finish(_ identity: FileIdentity, _ file: DatabaseFile?) {
    try! withMutex {
      self[identity] = file.map { .open(WeakFile(file: $0), lock: $0.lockIdentity) }
      pthread_cond_broadcast(changed)
    }
  }

  /// Whether a file is open, or is just being opened.
  func isOpen(_ identity: FileIdentity) -> Bool {
    // Released outside the lock: the last release closes the file, which takes the lock.
    let (file, isOpening) = try! withMutex {
      switch self[identity] {
      case .open(let weak, _): (weak.file, false)
      case .opening: (nil as DatabaseFile?, true)
      case nil: (nil, false)
      }
    }
    return file != nil || isOpening
  }

  /// Whether a file that this process has open has a lock file. Waits for one that is being closed.
  func isLockInUse(_ lock: FileIdentity) -> Bool {
    // As above.
    let users = try! withMutex {
      while true {
        let known = entries.compactMap { _, entry in
          if case .open(let weak, lock) = entry { weak } else { nil as WeakFile? }
        }
        let files = known.compactMap(\.file)
        if files.count == known.count { return files }
        pthread_cond_wait(changed, mutex)
      }
    }
    return !users.isEmpty
  }

  // MARK: fork()

  // A child has its parent's memory, and none of its threads: no other thread may change the entries during the fork.
  private func lockBeforeFork() { pthread_mutex_lock(mutex) }
  private func unlockAfterFork() { pthread_mutex_unlock(mutex) }

  /// The files are the parent's, and so are those who wait.
  private func forgetInChild() {
    entries = []
    pthread_cond_init(changed, nil)
    pthread_mutex_init(mutex, nil)
  }
}
