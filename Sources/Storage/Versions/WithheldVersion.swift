import LibC
import Synchronization

/// The newest version of a file while readers in this process must not see it.
///
/// LMDB publishes a commit before its journal is durable, and cannot take it back. So the writer withholds the new version
/// from the readers of its process until the commit is durable: they are given the version before. When neither the journal
/// nor the file can be synced, the commit throws, and its version stays withheld until the file is closed; the first process
/// that opens the file afterwards restores the version before (`RecoveryRecord.recover`). Readers in other processes see a
/// version that is not durable yet; when the sync fails, the recovery record tells them, and they read no version any more
/// that they have not read already.
///
/// Invariants: a writer withholds a version before LMDB publishes it. The lease of a version that is being committed is the
/// writer's, which waits in the commit. A transaction that is kept belongs to the file, so that no lease keeps the file open.
final class WithheldVersion: Sendable {
  private enum State {
    case nothing
    /// A commit on top of the version of the lease is not durable yet.
    case commit(VersionLease)
    /// A commit on top of the version of the transaction never will be durable.
    case failure(EntryTransaction, StorageError)
  }
  private struct Guarded: @unchecked Sendable { var state = State.nothing }

  private let guarded = Mutex(Guarded())
  private let isWithholding = Atomic(false)
  private let pages = AtomicLazyReference<MetaPages>()

  /// The first two pages of the file, as all processes see them.
  ///
  /// Invariant: `base` maps both until the object is gone.
  private final class MetaPages: @unchecked Sendable {
    let base: UnsafeRawPointer

    init?(_ environment: EntryStore) {
      guard let descriptor = try? environment.descriptor,
        let map = mmap(nil, 2 * LMDBPage.size, PROT_READ, MAP_SHARED, descriptor, 0), map != MAP_FAILED
      else { return nil }
      base = UnsafeRawPointer(map)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: base), 2 * LMDBPage.size) }
  }

  /// Why the newest version is not shown any more, if so.
  var failure: StorageError? {
    if !isWithholding.load(ordering: .sequentiallyConsistent) { return nil }
    return guarded.withLock { if case .failure(_, let failure) = $0.state { failure } else { nil } }
  }

  /// Withholds the version that a writer is about to publish on top of the one that it reads.
  func begin(_ lease: VersionLease) {
    guarded.withLock { $0.state = .commit(lease) }
    isWithholding.store(true, ordering: .sequentiallyConsistent)
  }

  /// Shows the newest version again.
  func end() {
    isWithholding.store(false, ordering: .sequentiallyConsistent)
    guarded.withLock { $0.state = .nothing }
  }

  /// Withholds the newest version from now on. The transaction of the lease becomes the file's.
  func keep(_ lease: VersionLease, because failure: StorageError) {
    lease.file.prepareForSharing(lease.transaction)
    guarded.withLock { $0.state = .failure(lease.giveUpTransaction(), failure) }
  }

  /// A lease of the version before the withheld one, to be read in place of a version; nil when that is not withheld.
  func lease(inPlaceOf version: UInt64, _ file: DatabaseFile) -> VersionLease? {
    if !isWithholding.load(ordering: .sequentiallyConsistent) { return nil }
    return guarded.withLock { guarded in
      switch guarded.state {
      case .commit(let lease) where lease.version < version:
        file.prepareForSharing(lease.transaction)
        return lease
      case .failure(let transaction, _) where transaction.version < version:
        return VersionLease(file: file, borrowed: transaction)
      default: return nil
      }
    }
  }

  /// Whether the recovery record says that a process could not sync what it has committed with a journal.
  func hasJournalFailed(_ environment: EntryStore) -> Bool {
    guard let pages = pages.load() ?? MetaPages(environment).map({ pages.storeIfNil($0) }) else {
      return false
    }
    return RecoveryRecord.hasJournalFailed(pages.base, pageSize: LMDBPage.size)
  }

  /// Releases the version, before LMDB's environment is closed.
  func close() {
    guarded.withLock { guarded in
      if case .failure(let transaction, _) = guarded.state { transaction.abort() }
      guarded.state = .nothing
    }
  }
}

extension DatabaseFile {
  /// A lease of the newest version that may be shown.
  ///
  /// - Throws: Also the failure of a sync in another process, after which no version is durable that was not read already.
  func takeLease() throws(StorageError) -> VersionLease {
    let newest = try VersionLease(file: self)
    return try lease(inPlaceOf: newest.version) ?? newest
  }

  /// A lease to be read in place of a version that a reader has just got hold of; nil when that may be shown.
  func lease(inPlaceOf version: UInt64) throws(StorageError) -> VersionLease? {
    if let lease = withheld.lease(inPlaceOf: version, self) { return lease }
    guard withheld.hasJournalFailed(environment),
      // What this process has withheld, or what it knows to be durable.
      deferredSyncReference.load()?.hasJournalFailed != true
    else { return nil }
    throw .notSynchronised(EntryError(code: EIO), path: path)
  }
}
